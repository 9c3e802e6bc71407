#include "tools/batond/service_manager.h"

#include <systemd/sd-daemon.h>

#include <algorithm>

namespace baton::batond {
namespace {

// What it answers is not looked at: nobody can be told that nobody hears.
void Notify(const std::string& state) { (void)sd_notify(/*unset_environment=*/0, state.c_str()); }

}  // namespace

void ServiceManager::Ready() { Notify("READY=1"); }

void ServiceManager::Say(std::string_view state, const std::string& why) {
  std::string line = std::string(state) + (why.empty() ? "" : ": " + why);
  std::ranges::replace(line, '\n', ' ');  // a line is an assignment of its own
  {
    const std::lock_guard lock(mutex_);
    if (line == said_) return;
    said_ = line;
  }
  Notify("STATUS=" + line);
}

void ServiceManager::PetWatchdog() { Notify("WATCHDOG=1"); }

void ServiceManager::Stopping() { Notify("STOPPING=1"); }

}  // namespace baton::batond
