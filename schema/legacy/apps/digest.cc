#include "schema/legacy/apps/digest.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/hash.h"
#include "orchestrator/wire/stored/stored.h"

namespace baton {
namespace {

// Fields one behind the other, each with its length: no two lists of fields make the same bytes.
class Fields {
 public:
  Fields& Text(std::string_view text) {
    Int(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  Fields& Int(std::int64_t value) {
    bytes_ += std::to_string(value);
    bytes_ += ' ';
    return *this;
  }
  Fields& Message(const google::protobuf::MessageLite& message) { return Text(wire::CanonicalBytes(message)); }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void Put(Fields& fields, const LegacyInstance& lrp) {
  fields.Int(lrp.index)
      .Int(lrp.presence)
      .Text(lrp.domain)
      .Text(lrp.state)
      .Text(lrp.instance_guid)
      .Text(lrp.cell_id)
      .Text(lrp.placement_error)
      .Int(lrp.since_ns)
      .Message(lrp.net_info)
      .Int(lrp.crash_count)
      .Text(lrp.crash_reason)
      .Text(lrp.tag_epoch)
      .Int(lrp.tag_index)
      .Int(lrp.routable ? *lrp.routable : -1)
      .Text(lrp.zone);
}

}  // namespace

std::string InStepBytes(const LegacyApp& app) {
  Fields fields;
  fields.Text(app.guid.str())
      .Text(app.domain)
      .Text(app.log_guid)
      .Text(app.annotation)
      .Int(app.instances)
      .Int(app.memory_mb)
      .Int(app.disk_mb)
      .Int(app.max_pids)
      .Text(app.root_fs)
      .Message(app.routes)
      .Message(app.volume_placement)
      .Int(static_cast<std::int64_t>(app.placement_tags.size()));
  for (const std::string& tag : app.placement_tags) fields.Text(tag);
  fields.Text(app.tag_epoch)
      .Int(app.tag_index)
      .Message(app.run_info)
      .Int(app.metric_tags.has_value())
      .Text(app.metric_tags ? wire::EncodeMetricTags(*app.metric_tags) : "")
      .Int(app.update_strategy);
  std::vector<const LegacyInstance*> instances;
  for (const LegacyInstance& lrp : app.actuals) instances.push_back(&lrp);
  std::ranges::sort(instances, {}, [](const LegacyInstance* lrp) { return std::tie(lrp->index, lrp->presence); });
  for (const LegacyInstance* lrp : instances) Put(fields, *lrp);
  return fields.Take();
}

std::string InStepDigest(const LegacyApp& app) { return wire::Sha256Hex(InStepBytes(app)); }

}  // namespace baton
