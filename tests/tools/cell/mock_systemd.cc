#include "tests/tools/cell/mock_systemd.h"

#include <systemd/sd-bus.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "orchestrator/base/check.h"
#include "tools/stack/wait_for.h"

namespace baton::cell {

namespace fs = std::filesystem;

// What sd-bus calls.
struct MockCalls {
  static int GetUnit(sd_bus_message* call, void* self, sd_bus_error* error) {
    const char* name = nullptr;
    sd_bus_message_read(call, "s", &name);
    const auto& scopes = static_cast<MockSystemd*>(self)->scopes_;
    const auto at = std::find(scopes.begin(), scopes.end(), name);
    if (at == scopes.end())
      return sd_bus_error_setf(error, "org.freedesktop.systemd1.NoSuchUnit", "Unit %s not loaded.", name);
    return sd_bus_reply_method_return(call, "o", ("/unit/u" + std::to_string(at - scopes.begin())).c_str());
  }
  static int Subscribe(sd_bus_message* call, void*, sd_bus_error*) { return sd_bus_reply_method_return(call, ""); }
  static int Start(sd_bus_message* call, void* data, sd_bus_error* error) {
    auto* self = static_cast<MockSystemd*>(data);
    MockSystemd::Started started;
    const char *name = nullptr, *mode = nullptr;
    sd_bus_message_read(call, "ss", &name, &mode);
    started.name = name;
    started.mode = mode;
    sd_bus_message_enter_container(call, 'a', "(sv)");
    while (sd_bus_message_enter_container(call, 'r', "sv") > 0) {
      ReadProperty(call, started);
      sd_bus_message_exit_container(call);
    }
    sd_bus_message_exit_container(call);
    self->started_.push_back(started);
    if (self->job_result_.empty())
      return sd_bus_error_set(error, SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED, "not you");
    if (self->job_result_ == "done") self->Has(name);
    sd_bus_reply_method_return(call, "o", "/job/7");
    return sd_bus_emit_signal(sd_bus_message_get_bus(call), "/org/freedesktop/systemd1",
                              "org.freedesktop.systemd1.Manager", "JobRemoved", "uoss", 7, "/job/7", name,
                              self->job_result_.c_str());
  }
  static void ReadProperty(sd_bus_message* call, MockSystemd::Started& started) {
    const char* property = nullptr;
    sd_bus_message_read(call, "s", &property);
    const std::string named = property;
    const char* text = nullptr;
    int yes = 0;
    if (named == "Slice") {
      sd_bus_message_read(call, "v", "s", &text);
      started.slice = text;
    } else if (named == "Delegate") {
      sd_bus_message_read(call, "v", "b", &yes);
      started.delegate = yes != 0;
    } else if (named == "PIDs") {
      sd_bus_message_read(call, "v", "au", 1, &started.pid);
    } else {
      sd_bus_message_skip(call, "v");
    }
  }
  static int State(sd_bus*, const char*, const char*, const char*, sd_bus_message* reply, void*, sd_bus_error*) {
    return sd_bus_message_append(reply, "s", "active");
  }
  static int Group(sd_bus*, const char* path, const char*, const char*, sd_bus_message* reply, void* data,
                   sd_bus_error*) {
    auto* self = static_cast<MockSystemd*>(data);
    const auto which = static_cast<std::size_t>(std::atoi(path + sizeof "/unit/u" - 1));
    return sd_bus_message_append(reply, "s", self->GroupOf(self->scopes_.at(which)).c_str());
  }
};

namespace {

const sd_bus_vtable kManagerCalls[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("GetUnit", "s", "o", MockCalls::GetUnit, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Subscribe", "", "", MockCalls::Subscribe, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("StartTransientUnit", "ssa(sv)a(sa(sv))", "o", MockCalls::Start, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("JobRemoved", "uoss", 0),
    SD_BUS_VTABLE_END};
const sd_bus_vtable kUnit[] = {SD_BUS_VTABLE_START(0), SD_BUS_PROPERTY("ActiveState", "s", MockCalls::State, 0, 0),
                               SD_BUS_VTABLE_END};
const sd_bus_vtable kScope[] = {SD_BUS_VTABLE_START(0), SD_BUS_PROPERTY("ControlGroup", "s", MockCalls::Group, 0, 0),
                                SD_BUS_VTABLE_END};

int AnyUnit(sd_bus*, const char*, const char*, void* self, void** found, sd_bus_error*) {
  *found = self;
  return 1;
}

}  // namespace

MockSystemd::MockSystemd(std::string job_result) : job_result_(std::move(job_result)) {
  fs::create_directories(mounted());
  std::ofstream(mounted() + "/cgroup.controllers") << "cpu memory pids\n";
  const std::string socket = scratch_ / "bus";
  auto daemon = Process::Spawn(
      {.arguments = {"/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=" + socket}});
  CHECK(daemon.ok());
  daemon_ = *std::move(daemon);
  setenv("DBUS_SYSTEM_BUS_ADDRESS", ("unix:path=" + socket).c_str(), 1);
  // The socket is there a moment before anybody listens on it.
  CHECK(stack::WaitFor(std::chrono::seconds(10), {}, [&] { return sd_bus_open_system(&bus_) >= 0; }));
  CHECK(sd_bus_add_object_vtable(bus_, nullptr, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
                                 kManagerCalls, this) >= 0);
  CHECK(sd_bus_add_fallback_vtable(bus_, nullptr, "/unit", "org.freedesktop.systemd1.Unit", kUnit, AnyUnit, this) >= 0);
  CHECK(sd_bus_add_fallback_vtable(bus_, nullptr, "/unit", "org.freedesktop.systemd1.Scope", kScope, AnyUnit, this) >=
        0);
  CHECK(sd_bus_request_name(bus_, "org.freedesktop.systemd1", 0) >= 0);
  thread_ = std::jthread([this](const std::stop_token& stop) { Serve(stop); });
}

MockSystemd::~MockSystemd() {
  thread_ = {};
  sd_bus_flush_close_unref(bus_);
  unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
  daemon_->Signal(SIGKILL);
  daemon_->WaitForEnd();
}

void MockSystemd::Has(const std::string& scope) {
  scopes_.push_back(scope);
  const std::string directory = mounted() + GroupOf(scope);
  fs::create_directories(directory);
  // The kernel's files, which are there from the begin. What is written to a file here stays as it was written.
  std::ofstream(directory + "/cgroup.controllers") << "memory pids\n";
  std::ofstream(directory + "/cgroup.subtree_control") << "            memory pids\n";
}

void MockSystemd::Serve(const std::stop_token& stop) {
  constexpr std::uint64_t kLookMicros = 20'000;
  while (!stop.stop_requested()) {
    const int processed = sd_bus_process(bus_, nullptr);
    if (processed == 0) sd_bus_wait(bus_, kLookMicros);
    if (processed < 0) return;
  }
}

}  // namespace baton::cell
