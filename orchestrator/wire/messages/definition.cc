#include "orchestrator/wire/messages/definition.h"

#include <set>

#include "orchestrator/wire/limits/limits.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/actions.h"

namespace baton::wire {
namespace {

constexpr std::int64_t kMegabytesMax = 1 << 20;

Status CheckResource(const v1::DesiredLRPResource& resource) {
  if (Status s = CheckRange("definition.resource.memory_mb", resource.memory_mb(), 0, kMegabytesMax); !s) return s;
  if (Status s = CheckRange("definition.resource.disk_mb", resource.disk_mb(), 0, kMegabytesMax); !s) return s;
  if (Status s = CheckRange("definition.resource.max_pids", resource.max_pids(), 0, kMegabytesMax); !s) return s;
  const std::string& root_fs = resource.root_fs();
  const std::size_t colon = root_fs.find(':');
  if (colon == std::string::npos || colon == 0) {
    return InvalidArgument(
        "definition.resource.root_fs is not what it may be; it must be a URL with a scheme, as 'preloaded:cflinuxfs4'");
  }
  return CheckText("definition.resource.root_fs", root_fs, 1024);
}

Status CheckNotTheApps(const v1::DesiredLRPRunInfo& run) {
  const char* field = run.has_desired_lrp_key()       ? "desired_lrp_key"
                      : !run.image_username().empty() ? "image_username"
                      : !run.image_password().empty() ? "image_password"
                      : run.created_at() != 0         ? "created_at"
                      : run.metric_tags_size() > 0    ? "metric_tags"
                                                      : nullptr;
  if (!field) return Done{};
  return InvalidArgument(std::string("definition.run_info.") + field +
                         " belongs to the app, not to a version of it: set it there");
}

Status CheckPorts(const v1::DesiredLRPRunInfo& run) {
  std::set<std::uint32_t> seen;
  for (int i = 0; i < run.ports_size(); ++i) {
    const std::string field = "definition.run_info.ports[" + std::to_string(i) + "]";
    if (Status s = CheckRange(field, run.ports(i), 1, 65535); !s) return s;
    if (!seen.insert(run.ports(i)).second)
      return InvalidArgument(field + " is " + std::to_string(run.ports(i)) + " a second time");
  }
  return CheckRange("definition.run_info.ports: their number", run.ports_size(), 0, 64);
}

Status CheckEnvironment(const v1::DesiredLRPRunInfo& run) {
  for (int i = 0; i < run.environment_variables_size(); ++i) {
    const std::string& name = run.environment_variables(i).name();
    if (name.empty() || name.find('=') != std::string::npos) {
      return InvalidArgument("definition.run_info.environment_variables[" + std::to_string(i) +
                             "].name is not what it may be; it must not be empty or contain '='");
    }
  }
  return CheckRange("definition.run_info.environment_variables: their number", run.environment_variables_size(), 0,
                    10000);
}

Status CheckRunInfo(const v1::DesiredLRPRunInfo& run) {
  if (Status s = CheckNotTheApps(run); !s) return s;
  if (Status s = CheckPorts(run); !s) return s;
  if (Status s = CheckEnvironment(run); !s) return s;
  if (Status s = CheckActions(run); !s) return s;
  constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
  return CheckRange("definition.run_info.start_timeout_ms", run.start_timeout_ms(), 0, kDayMs);
}

}  // namespace

Result<DefinitionInput> DefinitionFrom(const v2::LRPDefinition& message) {
  const v1::DesiredLRPRunInfo& run = message.run_info();
  if (Status s = CheckTexts(message, "definition"); !s) return s.error();
  if (Status s = CheckResource(message.resource()); !s) return s.error();
  if (Status s = CheckRange("definition.placement_tags: their number", message.placement_tags_size(), 0, 64); !s) {
    return s.error();
  }
  for (const auto& tag : message.placement_tags()) {
    if (tag.empty()) return InvalidArgument("definition.placement_tags holds an empty one");
    if (Status s = CheckText("definition.placement_tags", tag, 255); !s) return s.error();
  }
  if (Status s = CheckRunInfo(run); !s) return s.error();

  DefinitionInput input;
  input.run_info = CanonicalBytes(run);
  if (input.run_info.size() > kRunInfoBytesMax) {
    return InvalidArgument("definition.run_info takes " + std::to_string(input.run_info.size()) +
                           " bytes; it may take " + std::to_string(kRunInfoBytesMax) + " at most");
  }
  Definition& d = input.definition;
  d.content_hash = ContentHash(message);
  d.id = DefinitionId(message.definition_identifier().empty() ? d.content_hash : message.definition_identifier());
  if (Status s = CheckName("definition_identifier", d.id.str()); !s) return s.error();
  d.resources = {message.resource().memory_mb(), message.resource().disk_mb(), message.resource().max_pids(), 1};
  d.root_fs = message.resource().root_fs();
  d.ports.assign(run.ports().begin(), run.ports().end());
  d.placement_tags.assign(message.placement_tags().begin(), message.placement_tags().end());
  d.needs = NeedsOf(run);
  d.start_timeout = run.start_timeout_ms() > 0 ? Duration(milliseconds(run.start_timeout_ms()))
                                               : Duration(seconds(run.deprecated_start_timeout_s()));
  return input;
}

Status Fill(const Definition& d, const std::string& run_info, v2::LRPDefinition& message) {
  if (!message.mutable_run_info()->ParseFromString(run_info)) {
    return Error{ErrorKind::kDataLoss, "definitions " + d.id.str() + ", column run_info: the stored run info is no run info"};
  }
  message.set_definition_identifier(d.id.str());
  message.set_content_hash(d.content_hash);
  message.mutable_resource()->set_memory_mb(static_cast<std::int32_t>(d.resources.memory_mb));
  message.mutable_resource()->set_disk_mb(static_cast<std::int32_t>(d.resources.disk_mb));
  message.mutable_resource()->set_max_pids(static_cast<std::int32_t>(d.resources.pids));
  message.mutable_resource()->set_root_fs(d.root_fs);
  for (const auto& tag : d.placement_tags) message.add_placement_tags(tag);
  return Done{};
}

Result<v2::LRPDefinition> ToMessage(const Definition& definition, const std::string& run_info) {
  v2::LRPDefinition message;
  const Status status = Fill(definition, run_info, message);
  if (!status) return status.error();
  return message;
}

}  // namespace baton::wire
