// What systemd hears of this process where it has started it (Type=notify, WatchdogSec=): sd_notify(3). Started by
// anybody else it tells nobody.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace baton::batond {

class ServiceManager {
 public:
  // It listens; leading or standing by is for the status.
  void Ready();
  // What `systemctl status` shows, "STATE: WHY"; told when it is another than the last one. From any thread.
  void Say(std::string_view state, const std::string& why = {});
  // It works. Not heard for WatchdogSec=, it is killed and started anew.
  void PetWatchdog();
  // It was told to stop, and lets what is under way end.
  void Stopping();

 private:
  std::mutex mutex_;
  std::string said_;
};

}  // namespace baton::batond
