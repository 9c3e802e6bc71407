#include "tools/cell/listing.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tools/shim/output_log.h"

namespace baton::cell {
namespace {

using Phase = InstancePhase;

constexpr std::size_t kLastLineMax = 60;

std::string LastLineOf(const std::string& log) {
  const std::size_t end = log.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t before = log.rfind('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return log.substr(begin, end - begin + 1);
}

ListedInstance Look(const FoundInstance& found, std::int64_t now_ms) {
  ListedInstance listed{.record = found.record, .dir = found.dir, .state = std::string(Name(found.record.state.phase))};
  if (found.record.state.fact.kind == Fact::Kind::kCrashed) listed.state = "CRASHED";
  if (found.record.state.phase == Phase::kForgotten) listed.state = "DEAD";
  listed.last_line = LastLineOf(shim::ReadOutputLog(found.dir.Log()));
  const std::optional<shim::ShimState> shim = shim::ReadState(found.dir);
  if (!shim) return listed;
  listed.exit_status = shim->exit_status;
  const bool over = shim->phase == shim::ShimPhase::kExited;
  if (!over && !shim::IsLocked(found.dir.Lock())) listed.state = "LOST";
  if (!over && !shim->processes.empty()) listed.pid = shim->processes.front().identity.pid;
  listed.uptime_s = ((over ? shim->ended_at_ms : now_ms) - shim->started_at_ms) / 1000;
  return listed;
}

std::string PortsOf(const InstanceRecord& record) {
  std::string text;
  for (const auto& [port, host_port] : record.ports) {
    if (!text.empty()) text += ' ';
    text += std::to_string(port) + ">" + std::to_string(host_port);
  }
  return text;
}

// What would break a table: control bytes, and too much.
std::string OneCell(const std::string& text) {
  std::string cell;
  for (const char c : text.substr(0, kLastLineMax)) cell += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return cell.empty() ? "-" : cell;
}

using Row = std::array<std::string, 10>;

Row RowOf(const ListedInstance& listed) {
  const InstanceOrder& order = listed.record.order;
  return {OneCell(order.actual_id),
          OneCell(order.process_guid),
          std::to_string(order.index),
          OneCell(order.definition_identifier),
          listed.state,
          listed.pid ? std::to_string(*listed.pid) : "-",
          OneCell(PortsOf(listed.record)),
          std::to_string(listed.uptime_s) + "s",
          listed.exit_status ? std::to_string(*listed.exit_status) : "-",
          OneCell(listed.last_line)};
}

}  // namespace

std::vector<ListedInstance> ListInstances(const std::string& cell_dir, bool all, std::int64_t now_ms) {
  std::vector<ListedInstance> listed;
  for (const FoundInstance& found : FindInstances(cell_dir)) {
    if (all || found.record.state.phase != Phase::kForgotten) listed.push_back(Look(found, now_ms));
  }
  return listed;
}

std::string AsTable(const std::vector<ListedInstance>& instances) {
  std::vector<Row> rows{
      {"ACTUAL", "APP", "INDEX", "DEFINITION", "STATE", "PID", "PORTS", "UPTIME", "EXIT", "LAST LOG LINE"}};
  for (const ListedInstance& listed : instances) rows.push_back(RowOf(listed));
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string table;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  return table;
}

std::string AsJson(const std::vector<ListedInstance>& instances) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedInstance& listed : instances) {
    const InstanceOrder& order = listed.record.order;
    nlohmann::ordered_json one{
        {"actual_id", order.actual_id},
        {"instance_guid", listed.record.instance_guid},
        {"process_guid", order.process_guid},
        {"index", order.index},
        {"definition_identifier", order.definition_identifier},
        {"state", listed.state},
        {"routable", listed.record.state.phase == Phase::kRunning && listed.record.state.fact.routable},
        {"ports", nlohmann::ordered_json::array()},
        {"uptime_s", listed.uptime_s},
        {"reason", listed.record.state.fact.reason},
        {"last_line", listed.last_line},
        {"dir", listed.dir.path}};
    for (const auto& [port, host_port] : listed.record.ports) {
      one["ports"].push_back({{"container_port", port}, {"host_port", host_port}});
    }
    one["pid"] = listed.pid ? nlohmann::ordered_json(*listed.pid) : nlohmann::ordered_json();
    one["exit_status"] = listed.exit_status ? nlohmann::ordered_json(*listed.exit_status) : nlohmann::ordered_json();
    list.push_back(std::move(one));
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::optional<std::string> LogOf(const std::string& cell_dir, const std::string& id) {
  std::optional<std::string> log;
  for (const FoundInstance& found : FindInstances(cell_dir)) {
    if (found.record.order.actual_id != id && found.record.instance_guid != id) continue;
    log = shim::ReadOutputLog(found.dir.Log());  // the newest is the last
  }
  return log;
}

}  // namespace baton::cell
