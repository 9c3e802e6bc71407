#include "tools/shim/instance_dir.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/shim/atomic_file.h"

namespace baton::shim {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<ShimPhase, std::string_view>, 4> kPhases{{{ShimPhase::kSetup, "setup"},
                                                                         {ShimPhase::kRunning, "running"},
                                                                         {ShimPhase::kStopping, "stopping"},
                                                                         {ShimPhase::kExited, "exited"}}};

std::optional<ShimPhase> ParsePhase(std::string_view name) {
  for (const auto& [phase, text] : kPhases) {
    if (text == name) return phase;
  }
  return std::nullopt;
}

// Output is bytes; JSON is UTF-8: what is none is replaced.
std::string Dump(const json& value) { return value.dump(1, ' ', false, json::error_handler_t::replace) + "\n"; }

// Nothing for a file that is missing, cut off or not of our writing.
template <class T, class Convert>
std::optional<T> ReadAs(const std::string& path, Convert convert) {
  const std::optional<std::string> text = ReadWholeFile(path);
  if (!text) return std::nullopt;
  try {
    return convert(json::parse(*text));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

json ToJson(const ActionProcess& process) {
  return {{"pid", process.identity.pid},
          {"start_ticks", process.identity.start_ticks},
          {"label", process.label},
          {"started_at_ms", process.started_at_ms}};
}

ActionProcess ProcessFromJson(const json& value) {
  return {{value.value("pid", pid_t{0}), value.value("start_ticks", std::uint64_t{0})},
          value.value("label", ""),
          value.value("started_at_ms", std::int64_t{0})};
}

Launch LaunchFromJson(const json& value) {
  Launch launch;
  launch.instance_guid = value.at("instance_guid").get<std::string>();
  launch.grace_ms = value.value("grace_ms", launch.grace_ms);
  launch.cache_dir = value.value("cache_dir", "");
  launch.download_dir = value.value("download_dir", "");
  launch.download_mb = value.value("download_mb", launch.download_mb);
  launch.download_allow = value.value("download_allow", launch.download_allow);
  launch.download_proxy = value.value("download_proxy", "");
  launch.cgroup = value.value("cgroup", "");
  launch.environment = value.value("environment", launch.environment);
  return launch;
}

std::optional<ShimState> StateFromJson(const json& value) {
  const std::optional<ShimPhase> phase = ParsePhase(value.at("phase").get<std::string>());
  if (!phase) return std::nullopt;
  ShimState state;
  state.phase = *phase;
  state.boot_id = value.value("boot_id", "");
  state.shim = ProcessFromJson(value.at("shim")).identity;
  for (const json& process : value.at("processes")) state.processes.push_back(ProcessFromJson(process));
  state.started_at_ms = value.value("started_at_ms", std::int64_t{0});
  state.running_at_ms = value.value("running_at_ms", std::int64_t{0});
  state.ended_at_ms = value.value("ended_at_ms", std::int64_t{0});
  if (value.contains("exit_status")) state.exit_status = value.at("exit_status").get<int>();
  state.reason = value.value("reason", "");
  state.failed_action = value.value("failed_action", "");
  state.last_output = value.value("last_output", "");
  state.lacks = value.value("lacks", false);
  return state;
}

struct flock WholeFile(short type) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  return range;
}

}  // namespace

std::string_view Name(ShimPhase phase) {
  for (const auto& [known, text] : kPhases) {
    if (known == phase) return text;
  }
  return "";
}

Status WriteLaunch(const InstanceDir& dir, const Launch& launch) {
  return WriteWholeFile(dir.LaunchFile(), Dump({{"instance_guid", launch.instance_guid},
                                                {"grace_ms", launch.grace_ms},
                                                {"cache_dir", launch.cache_dir},
                                                {"download_dir", launch.download_dir},
                                                {"download_mb", launch.download_mb},
                                                {"download_allow", launch.download_allow},
                                                {"download_proxy", launch.download_proxy},
                                                {"cgroup", launch.cgroup},
                                                {"environment", launch.environment}}));
}

std::optional<Launch> ReadLaunch(const InstanceDir& dir) { return ReadAs<Launch>(dir.LaunchFile(), LaunchFromJson); }

Status WriteState(const InstanceDir& dir, const ShimState& state) {
  json value{{"phase", Name(state.phase)},
             {"boot_id", state.boot_id},
             {"shim", {{"pid", state.shim.pid}, {"start_ticks", state.shim.start_ticks}}},
             {"processes", json::array()},
             {"started_at_ms", state.started_at_ms},
             {"running_at_ms", state.running_at_ms},
             {"ended_at_ms", state.ended_at_ms},
             {"reason", state.reason},
             {"failed_action", state.failed_action},
             {"last_output", state.last_output}};
  for (const ActionProcess& process : state.processes) value["processes"].push_back(ToJson(process));
  if (state.lacks) value["lacks"] = true;
  if (state.exit_status) value["exit_status"] = *state.exit_status;
  return WriteWholeFile(dir.State(), Dump(value));
}

std::optional<ShimState> ReadState(const InstanceDir& dir) { return ReadAs<ShimState>(dir.State(), StateFromJson); }

Status WriteStop(const InstanceDir& dir, std::int64_t grace_ms) {
  return WriteWholeFile(dir.StopFile(), Dump({{"grace_ms", grace_ms}}));
}

std::optional<std::int64_t> ReadStop(const InstanceDir& dir) {
  return ReadAs<std::int64_t>(dir.StopFile(),
                              [](const json& value) { return value.at("grace_ms").get<std::int64_t>(); });
}

UniqueFd TryLock(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) return {};
  struct flock range = WholeFile(F_WRLCK);
  // A lock of the open file, not of the process: it is not lost when the process closes another descriptor of it.
  if (fcntl(file.get(), F_OFD_SETLK, &range) != 0) return {};
  return file;
}

bool IsLocked(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file.valid()) return false;
  struct flock range = WholeFile(F_WRLCK);
  return fcntl(file.get(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

std::int64_t WallMillis() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace baton::shim
