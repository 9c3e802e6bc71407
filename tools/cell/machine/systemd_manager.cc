#include "tools/cell/machine/systemd_manager.h"

#include <systemd/sd-bus.h>

#include <chrono>
#include <cstring>

namespace baton::cell {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kName[] = "org.freedesktop.systemd1";
constexpr char kPath[] = "/org/freedesktop/systemd1";
constexpr char kManager[] = "org.freedesktop.systemd1.Manager";
constexpr char kNoSuchUnit[] = "org.freedesktop.systemd1.NoSuchUnit";
constexpr std::chrono::seconds kJobTimeout{10};

struct Failure {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;
  ~Failure() { sd_bus_error_free(&error); }

  Error Of(const std::string& call, int result) const {
    const std::string why = error.message ? error.message : std::strerror(-result);
    return {ErrorKind::kUnavailable, "systemd does not answer " + call + ": " + why, {}};
  }
};

struct MessageUnref {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, MessageUnref>;

struct SlotUnref {
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};

Result<std::string> TextProperty(sd_bus* bus, const std::string& path, const char* interface, const char* name) {
  Failure failure;
  char* text = nullptr;
  const int got = sd_bus_get_property_string(bus, kName, path.c_str(), interface, name, &failure.error, &text);
  if (got < 0) return failure.Of(name, got);
  std::string copy = text;
  free(text);
  return copy;
}

// How a job ended, which JobRemoved says: "done", "failed" and so on.
struct Job {
  std::string path;
  std::string result;

  static int Removed(sd_bus_message* message, void* job, sd_bus_error*) {
    std::uint32_t number = 0;
    const char* path = nullptr;
    const char* unit = nullptr;
    const char* result = nullptr;
    if (sd_bus_message_read(message, "uoss", &number, &path, &unit, &result) < 0) return 0;
    auto* self = static_cast<Job*>(job);
    if (self->path == path) self->result = result;
    return 0;
  }
};

// The answer is processed before any signal that came after it.
bool AwaitEnd(sd_bus* bus, const Job& job) {
  const auto deadline = Clock::now() + kJobTimeout;
  while (job.result.empty()) {
    const int processed = sd_bus_process(bus, nullptr);
    if (processed < 0) return false;
    if (processed > 0) continue;
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now());
    if (left.count() <= 0 || sd_bus_wait(bus, static_cast<std::uint64_t>(left.count())) < 0) return false;
  }
  return true;
}

}  // namespace

void SystemdManager::Unref::operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }

Result<SystemdManager> SystemdManager::Connect() {
  sd_bus* bus = nullptr;
  const int opened = sd_bus_open_system(&bus);
  if (opened < 0) {
    return Error{ErrorKind::kUnavailable, std::string("there is no system bus: ") + std::strerror(-opened), {}};
  }
  return SystemdManager(bus);
}

Result<std::optional<std::string>> SystemdManager::ControlGroupOf(const std::string& scope) {
  Failure failure;
  sd_bus_message* answer = nullptr;
  const int got =
      sd_bus_call_method(bus_.get(), kName, kPath, kManager, "GetUnit", &failure.error, &answer, "s", scope.c_str());
  const Message owned(answer);
  if (sd_bus_error_has_name(&failure.error, kNoSuchUnit) != 0) return std::optional<std::string>();
  const char* path = nullptr;
  if (got < 0 || sd_bus_message_read(answer, "o", &path) < 0) return failure.Of("GetUnit", got);
  const auto state = TextProperty(bus_.get(), path, "org.freedesktop.systemd1.Unit", "ActiveState");
  if (!state) return state.error();
  if (*state != "active") return std::optional<std::string>();
  const auto group = TextProperty(bus_.get(), path, "org.freedesktop.systemd1.Scope", "ControlGroup");
  if (!group) return group.error();
  return std::optional(*group);
}

Status SystemdManager::StartDelegatedScope(const std::string& scope, const std::string& slice, pid_t holder) {
  Job job;
  sd_bus_slot* watched = nullptr;
  const int watching =
      sd_bus_match_signal(bus_.get(), &watched, kName, kPath, kManager, "JobRemoved", Job::Removed, &job);
  const std::unique_ptr<sd_bus_slot, SlotUnref> slot(watched);
  Failure failure;
  // systemd tells of jobs only those who have subscribed.
  int got = watching < 0
                ? watching
                : sd_bus_call_method(bus_.get(), kName, kPath, kManager, "Subscribe", &failure.error, nullptr, "");
  if (got < 0) return failure.Of("Subscribe", got);
  sd_bus_message* answer = nullptr;
  got = sd_bus_call_method(bus_.get(), kName, kPath, kManager, "StartTransientUnit", &failure.error, &answer,
                           "ssa(sv)a(sa(sv))", scope.c_str(), "fail", 5,         //
                           "Description", "s", "Instances of baton-cell",        //
                           "Slice", "s", slice.c_str(),                          //
                           "Delegate", "b", 1,                                   //
                           "CollectMode", "s", "inactive-or-failed",             //
                           "PIDs", "au", 1, static_cast<std::uint32_t>(holder),  //
                           0);
  const Message owned(answer);
  const char* path = nullptr;
  if (got < 0 || sd_bus_message_read(answer, "o", &path) < 0) return failure.Of("StartTransientUnit", got);
  job.path = path;
  if (!AwaitEnd(bus_.get(), job))
    return failure.Of("StartTransientUnit in " + std::to_string(kJobTimeout.count()) + " s", -ETIMEDOUT);
  if (job.result == "done") return Done{};
  return Error{ErrorKind::kUnavailable, "systemd did not start " + scope + ": its job ended as " + job.result, {}};
}

}  // namespace baton::cell
