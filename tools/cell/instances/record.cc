#include "tools/cell/instances/record.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

using nlohmann::json;

json ToJson(const InstanceOrder& order) {
  return {{"actual_id", order.actual_id},
          {"process_guid", order.process_guid},
          {"incarnation", order.incarnation},
          {"index", order.index},
          {"definition_identifier", order.definition_identifier},
          {"content_hash", order.content_hash},
          {"memory_mb", order.resources.memory_mb},
          {"disk_mb", order.resources.disk_mb},
          {"pids", order.resources.pids},
          {"containers", order.resources.containers},
          {"start_timeout_ms", order.start_timeout_ms},
          {"domain", order.domain},
          {"egress_unenforced", order.egress_unenforced}};
}

InstanceOrder OrderFrom(const json& value) {
  InstanceOrder order;
  value.at("actual_id").get_to(order.actual_id);
  value.at("process_guid").get_to(order.process_guid);
  value.at("incarnation").get_to(order.incarnation);
  value.at("index").get_to(order.index);
  value.at("definition_identifier").get_to(order.definition_identifier);
  value.at("content_hash").get_to(order.content_hash);
  value.at("memory_mb").get_to(order.resources.memory_mb);
  value.at("disk_mb").get_to(order.resources.disk_mb);
  value.at("pids").get_to(order.resources.pids);
  value.at("containers").get_to(order.resources.containers);
  value.at("start_timeout_ms").get_to(order.start_timeout_ms);
  value.at("domain").get_to(order.domain);
  order.egress_unenforced = value.value("egress_unenforced", false);  // records of older programs lack it
  return order;
}

json ToJson(const Fact& fact) {
  json value{{"kind", Name(fact.kind)},
             {"routable", fact.routable},
             {"reason", fact.reason},
             {"last_output", fact.last_output},
             {"number", fact.number}};
  if (fact.exit_status) value["exit_status"] = *fact.exit_status;
  if (fact.lack != Lack::kOther) value["lack"] = static_cast<int>(fact.lack);
  return value;
}

std::optional<Fact> FactFrom(const json& value) {
  const auto kind = ParseFactKind(value.at("kind").get<std::string>());
  if (!kind) return std::nullopt;
  Fact fact{.kind = *kind};
  value.at("routable").get_to(fact.routable);
  value.at("reason").get_to(fact.reason);
  value.at("last_output").get_to(fact.last_output);
  value.at("number").get_to(fact.number);
  if (value.contains("exit_status")) fact.exit_status = value.at("exit_status").get<int>();
  const int lack = value.value("lack", 0);
  if (lack >= 0 && lack <= static_cast<int>(Lack::kCell)) fact.lack = static_cast<Lack>(lack);
  return fact;
}

json ToJson(const InstanceState& state) {
  return {{"phase", Name(state.phase)},         {"fact", ToJson(state.fact)},         {"answered", state.answered},
          {"was_running", state.was_running},   {"stop_ordered", state.stop_ordered}, {"silent", state.silent},
          {"crash_reason", state.crash_reason}, {"grace_ms", state.grace_ms}};
}

std::optional<InstanceState> StateFrom(const json& value) {
  const auto phase = ParseInstancePhase(value.at("phase").get<std::string>());
  const auto fact = FactFrom(value.at("fact"));
  if (!phase || !fact) return std::nullopt;
  InstanceState state{.phase = *phase, .fact = *fact};
  value.at("answered").get_to(state.answered);
  value.at("was_running").get_to(state.was_running);
  value.at("stop_ordered").get_to(state.stop_ordered);
  value.at("silent").get_to(state.silent);
  value.at("crash_reason").get_to(state.crash_reason);
  value.at("grace_ms").get_to(state.grace_ms);
  return state;
}

std::optional<InstanceRecord> RecordFrom(const json& value) {
  const auto state = StateFrom(value.at("state"));
  if (!state) return std::nullopt;
  InstanceRecord record{.order = OrderFrom(value.at("order")), .state = *state};
  value.at("instance_guid").get_to(record.instance_guid);
  value.at("ports").get_to(record.ports);
  value.at("ordered_at_ms").get_to(record.ordered_at_ms);
  value.at("claimed_at_ms").get_to(record.claimed_at_ms);
  value.at("ended_at_ms").get_to(record.ended_at_ms);
  return record;
}

}  // namespace

std::string RecordPath(const shim::InstanceDir& dir) { return dir.path + "/record.json"; }

Status WriteRecord(const shim::InstanceDir& dir, const InstanceRecord& record) {
  const json value{{"order", ToJson(record.order)},         {"instance_guid", record.instance_guid},
                   {"state", ToJson(record.state)},         {"ports", record.ports},
                   {"ordered_at_ms", record.ordered_at_ms}, {"claimed_at_ms", record.claimed_at_ms},
                   {"ended_at_ms", record.ended_at_ms}};
  return shim::WriteWholeFile(RecordPath(dir), value.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

std::optional<InstanceRecord> ReadRecord(const shim::InstanceDir& dir) {
  const std::optional<std::string> text = shim::ReadWholeFile(RecordPath(dir));
  if (!text) return std::nullopt;
  try {
    return RecordFrom(json::parse(*text));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::string InstancesPath(const std::string& cell_dir) { return cell_dir + "/instances"; }

std::vector<FoundInstance> FindInstances(const std::string& cell_dir) {
  std::vector<FoundInstance> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(InstancesPath(cell_dir), none)) {
    const shim::InstanceDir dir{entry.path()};
    if (auto record = ReadRecord(dir)) found.push_back({dir, std::move(*record)});
  }
  std::sort(found.begin(), found.end(), [](const FoundInstance& a, const FoundInstance& b) {
    return std::pair(a.record.ordered_at_ms, a.record.instance_guid) <
           std::pair(b.record.ordered_at_ms, b.record.instance_guid);
  });
  return found;
}

}  // namespace baton::cell
