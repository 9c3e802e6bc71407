#include "orchestrator/server/instances/labels.h"

#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

constexpr int kLabelsMax = 100;
constexpr std::size_t kTagBytesMax = 1024;

}  // namespace

Result<Labels> LabelsFrom(const google::protobuf::RepeatedPtrField<v1::ActualLRPInternalRoute>& internal_routes,
                          const google::protobuf::Map<std::string, std::string>& metric_tags) {
  const auto tags = static_cast<std::int64_t>(metric_tags.size());
  for (const Status& status :
       {wire::CheckRange("actual_lrp_internal_routes: their number", internal_routes.size(), 0, kLabelsMax),
        wire::CheckRange("metric_tags: their number", tags, 0, kLabelsMax)}) {
    if (!status) return status.error();
  }
  Labels labels;
  for (const v1::ActualLRPInternalRoute& route : internal_routes) {
    Status status = wire::CheckText("actual_lrp_internal_routes.hostname", route.hostname(), wire::kNameBytesMax);
    if (!status) return status.error();
    labels.internal_routes.push_back(route.hostname());
  }
  for (const auto& [name, value] : metric_tags) {
    for (const std::string* text : {&name, &value}) {
      if (Status status = wire::CheckText("metric_tags", *text, kTagBytesMax); !status) return status.error();
    }
    labels.metric_tags.emplace(name, value);
  }
  return labels;
}

}  // namespace baton
