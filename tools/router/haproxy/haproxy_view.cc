#include "tools/router/haproxy/haproxy_view.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

// Bits of srv_admin_state (management guide, "show servers state"): maintenance by hand, inherited, by configuration,
// by failed resolution, by failed host name; drain by hand, inherited.
constexpr int kAnyMaint = 0x01 | 0x02 | 0x04 | 0x20 | 0x40;
constexpr int kAnyDrain = 0x08 | 0x10;
constexpr int kOpStateRunning = 2;

std::vector<std::string_view> Split(std::string_view text, char separator, bool skip_empty) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    if (!part.empty() || !skip_empty) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> Lines(std::string_view text) { return Split(text, '\n', true); }

std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The columns that a header line names; HAProxy appends columns from version to version.
class Columns {
 public:
  explicit Columns(const std::vector<std::string_view>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) at_.emplace(names[i], i);
  }
  // Nothing where the row or the header does not have it.
  std::optional<std::string_view> Text(const std::vector<std::string_view>& row, std::string_view name) const {
    const auto found = at_.find(name);
    if (found == at_.end() || found->second >= row.size()) return std::nullopt;
    return row[found->second];
  }
  std::optional<std::int64_t> Integer(const std::vector<std::string_view>& row, std::string_view name) const {
    const auto text = Text(row, name);
    return text ? Number(*text) : std::nullopt;
  }

 private:
  std::map<std::string_view, std::size_t> at_;
};

Error Unreadable(std::string_view what, std::string_view text) {
  return Error{ErrorKind::kInternal,
               "cannot read HAProxy's answer to " + std::string(what) + ": " + std::string(text.substr(0, 200))};
}

ServerMode ModeOf(std::int64_t op_state, std::int64_t admin_state, std::int64_t weight) {
  if (admin_state & kAnyMaint) return ServerMode::kMaint;
  if (admin_state & kAnyDrain) return ServerMode::kDrain;
  return op_state == kOpStateRunning && weight > 0 ? ServerMode::kReady : ServerMode::kDown;
}

Status ParseServers(std::string_view answer, HaproxyView& view) {
  std::optional<Columns> columns;
  for (const std::string_view line : Lines(answer)) {
    if (line.starts_with("# ")) {
      columns.emplace(Split(line.substr(2), ' ', true));
      continue;
    }
    const auto row = Split(line, ' ', true);
    if (row.size() < 5) continue;  // the format's version, alone on the first line
    if (!columns) return Unreadable("show servers state", answer);
    const auto backend = columns->Text(row, "be_name");
    const auto name = columns->Text(row, "srv_name");
    const auto address = columns->Text(row, "srv_addr");
    const auto port = columns->Integer(row, "srv_port");
    const auto op_state = columns->Integer(row, "srv_op_state");
    const auto admin_state = columns->Integer(row, "srv_admin_state");
    const auto weight = columns->Integer(row, "srv_uweight");
    if (!backend || !name || !address || !port || !op_state || !admin_state || !weight) {
      return Unreadable("show servers state", line);
    }
    if (!HasInstances(*backend)) continue;
    view.servers[std::string(*backend)][std::string(*name)] =
        HaproxyServer{.address = std::string(*address),
                      .port = static_cast<std::uint32_t>(*port),
                      .mode = ModeOf(*op_state, *admin_state, *weight),
                      .weight = static_cast<int>(*weight)};
  }
  return columns ? Status(Done{}) : Unreadable("show servers state", answer);
}

Status ParseMap(std::string_view answer, HaproxyView& view) {
  for (const std::string_view line : Lines(answer)) {
    const auto row = Split(line, ' ', true);
    if (row.size() != 3 || !row[0].starts_with("0x")) return Unreadable("show map", line);
    view.routes.emplace(row[1], row[2]);  // of a name that is there twice, the first is the one that HAProxy uses
  }
  return Done{};
}

// The sum of these columns, of each server.
Result<std::map<std::string, std::int64_t>> ParseStat(std::string_view answer,
                                                      std::initializer_list<std::string_view> summed) {
  std::map<std::string, std::int64_t> sums;
  std::optional<Columns> columns;
  for (const std::string_view line : Lines(answer)) {
    if (line.starts_with("# ")) {
      columns.emplace(Split(line.substr(2), ',', false));
      continue;
    }
    if (!columns) return Unreadable("show stat", line);
    const auto row = Split(line, ',', false);
    const auto backend = columns->Text(row, "pxname");
    const auto name = columns->Text(row, "svname");
    std::int64_t sum = 0;
    for (const std::string_view column : summed) {
      const auto value = columns->Integer(row, column);
      if (!value) return Unreadable("show stat", line);
      sum += *value;
    }
    if (!backend || !name) return Unreadable("show stat", line);
    if (HasInstances(*backend)) sums[std::string(*backend) + "/" + std::string(*name)] = sum;
  }
  if (!columns) return Unreadable("show stat", answer);
  return sums;
}

// Connections that are in use. By the columns' places: their names do not fit them ("bkid/svid", "-").
Result<ServerSessions> ParseConnections(std::string_view answer) {
  constexpr std::size_t kUsedColumn = 6;
  ServerSessions sessions;
  for (const std::string_view line : Lines(answer)) {
    if (line.starts_with("# ")) continue;
    const auto row = Split(line, ' ', true);
    const std::size_t slash = row[0].find('/');
    const auto used = row.size() > kUsedColumn ? Number(row[kUsedColumn]) : std::nullopt;
    if (slash == std::string_view::npos || !used) return Unreadable("show servers conn", line);
    if (HasInstances(row[0].substr(0, slash))) sessions[std::string(row[0])] = *used;
  }
  return sessions;
}

}  // namespace

std::string_view Name(ServerMode mode) {
  switch (mode) {
    case ServerMode::kReady: return "ready";
    case ServerMode::kDrain: return "drain";
    case ServerMode::kMaint: return "maint";
    case ServerMode::kDown: return "down";
  }
  return "down";
}

std::int64_t InfoNumber(std::string_view info, std::string_view name) {
  for (const std::string_view line : Lines(info)) {
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(": ")) continue;
    return Number(line.substr(name.size() + 2)).value_or(-1);
  }
  return -1;
}

Result<HaproxyView> ParseView(const std::vector<std::string>& answers) {
  if (answers.size() != 4) return Error{ErrorKind::kInternal, "HAProxy did not answer each of four commands"};
  HaproxyView view;
  const std::int64_t pid = InfoNumber(answers[0], "Pid");
  if (pid <= 0) return Unreadable("show info", answers[0]);
  view.pid = static_cast<int>(pid);
  for (const std::string_view line : Lines(answers[1])) {
    if (IsPoolBackend(line)) view.pool.emplace_back(line);
    if (IsTcpBackend(line)) view.tcp.emplace_back(line);
    if (line == kIdleBackend) view.knows_routes = true;
  }
  std::sort(view.pool.begin(), view.pool.end());
  std::sort(view.tcp.begin(), view.tcp.end());
  if (const Status read = ParseServers(answers[2], view); !read) return read.error();
  if (const Status read = ParseMap(answers[3], view); !read) return read.error();
  return view;
}

Result<ServerSessions> ParseSessions(const std::vector<std::string>& answers) {
  if (answers.size() != 2) return Error{ErrorKind::kInternal, "HAProxy did not answer each of two commands"};
  const Result<ServerSessions> by_stat = ParseStat(answers[0], {"scur", "qcur"});  // in the server, or waiting for it
  if (!by_stat) return by_stat.error();
  Result<ServerSessions> sessions = ParseConnections(answers[1]);
  if (!sessions) return sessions.error();
  for (const auto& [path, count] : *by_stat) {
    std::int64_t& known = (*sessions)[path];
    known = std::max(known, count);
  }
  return sessions;
}

Result<std::map<std::string, std::int64_t>> ParseRequests(std::string_view answer) {
  return ParseStat(answer, {"stot"});
}

void AddByInstance(const ServerSessions& servers, InstanceSessions& instances) {
  for (const auto& [path, count] : servers) instances[path.substr(path.find('/') + 1)] += count;
}

}  // namespace baton::router
