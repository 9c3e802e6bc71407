// Who leads: takes the lease when it is free, renews it, and says so. Lease times are the database's; how long this
// process may still write is counted by this machine's own clock from before each renewal was sent, so a paused or
// cut-off leader stops by itself before another can begin.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "orchestrator/ports/lease.h"
#include "orchestrator/ports/log.h"

namespace baton {

class Election {
 public:
  struct Timing {
    Duration lease = milliseconds(2500);
    Duration renew = milliseconds(500);
    Duration margin = milliseconds(300);  // this machine's clock may be that much slower in one lease
  };
  struct Events {
    // On the election's own thread, one after the other. `until` moves with every renewal.
    std::function<void(std::int64_t epoch, std::chrono::steady_clock::time_point until)> elected;
    std::function<void(std::chrono::steady_clock::time_point until)> renewed;
    std::function<void()> deposed;
    // Asked before each try to lead, where it is set: an error, and this process does not stand.
    std::function<Status()> may_stand;
  };
  Election(LeaseStore& store, Log& log, Timing timing, Events events);
  // Resigns, so that another may lead at once.
  ~Election();

  // A writer found that another leads.
  void NoticeDeposed();
  // Who leads as far as is known, and where; this process included.
  std::optional<LeaseView> leader() const;

 private:
  void Run();
  bool MayStand();
  void TryToLead();
  void Renew();
  void Depose(const char* why);

  LeaseStore& store_;
  Log& log_;
  Timing timing_;
  Events events_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  bool noticed_ = false;
  std::optional<LeaseView> leader_;
  std::string refused_;  // why it does not stand; of the thread alone
  std::optional<std::int64_t> epoch_;  // while leading; of the thread alone
  std::chrono::steady_clock::time_point until_{};
  std::thread thread_;
};

}  // namespace baton
