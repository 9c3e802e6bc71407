#include "orchestrator/server/admin/api_usage_answer.h"

#include <algorithm>
#include <iterator>

#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {

Status Check(const v2::GetApiUsageRequest& request) {
  const std::string& asked = request.api_version();
  if (asked.empty() || std::ranges::find(kApiVersions, asked) != std::end(kApiVersions)) return Done{};
  return Error{ErrorKind::kInvalidArgument, "api_version is " + wire::Shown(asked) + "; served are v1 and v2", {}};
}

v2::GetApiUsageResponse AnswerTo(const v2::GetApiUsageRequest& request, const ApiUsage::Report& report) {
  v2::GetApiUsageResponse answer;
  const auto wanted = [&](std::string_view api) { return request.api_version().empty() || request.api_version() == api; };
  for (const std::string_view api : kApiVersions) {
    if (!wanted(api)) continue;
    v2::ApiVersion& version = *answer.add_versions();
    version.set_api_version(std::string(api));
    version.set_deprecated(api != *std::rbegin(kApiVersions));
  }
  for (const ApiUse& use : report.uses) {
    const std::int64_t first = wire::Nanos(use.first_at);
    if (answer.counted_since() == 0 || first < answer.counted_since()) answer.set_counted_since(first);
    if (!wanted(use.method.api)) continue;
    v2::ApiUsage& one = *answer.add_usage();
    one.set_api_version(use.method.api);
    one.set_method(use.method.name);
    one.set_caller(use.caller);
    one.set_calls(use.calls);
    one.set_first_at(first);
    one.set_last_at(wire::Nanos(use.last_at));
  }
  answer.set_stored(report.stored);
  return answer;
}

}  // namespace baton
