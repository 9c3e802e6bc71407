// Who leads: takes the lease when it is free, renews it, and says so. Lease times are the database's; how long this
// process may still write is counted by this machine's own clock from before each renewal was sent, so a paused or
// cut-off leader stops by itself before another can begin: also where the database's answer never comes.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include "orchestrator/app/leader/deadline_executor.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/lease.h"
#include "orchestrator/ports/log.h"

namespace baton {

class Election {
 public:
  struct Timing {
    Duration lease = milliseconds(2000);
    Duration renew = milliseconds(400);
    Duration poll = milliseconds(200);    // while another leads, so much later it is noticed that it resigned
    Duration margin = milliseconds(250);  // this machine's clock may be that much slower in one lease
  };
  struct Events {
    // On the election's own thread, one after the other. `until` moves with every renewal.
    std::function<void(std::int64_t epoch, std::chrono::steady_clock::time_point until)> elected;
    std::function<void(std::chrono::steady_clock::time_point until)> renewed;
    std::function<void()> deposed;
    // Before each try to lead: an error where this process may not; null: it may. Told of what follows by `looked`.
    std::function<Status()> may_stand;
    // After each look while it does not lead: who does, or why this process may not; UNAVAILABLE: why nobody can tell.
    std::function<void(const std::optional<LeaseView>& leader, const Status& may_stand)> looked;
    // How long each renewal took, whatever came of it; may be null.
    std::function<void(Duration took)> asked = nullptr;
  };
  // Its end resigns, so that another may lead at once.
  Election(LeaseStore& store, Log& log, Timing timing, Events events);

  // A writer found that another leads.
  void NoticeDeposed();
  // The lease goes to whoever may serve the data: this process may not. For `rest` it does not stand again, and `looked` is told
  // why. From any thread; told by `deposed`.
  void GiveUp(const std::string& why, Duration rest = {});
  // Who leads as far as is known, and where; this process included.
  std::optional<LeaseView> leader() const;

 private:
  Ticker::Wait Tick();
  void Stop();
  void TryToLead();
  void Looked(const std::optional<LeaseView>& leader, const Status& may_stand);
  void Renew();
  void Depose(const char* why);
  void Resign(std::int64_t epoch);
  Ticker::Wait UntilNextLook() const;

  LeaseStore& store_;
  Log& log_;
  Timing timing_;
  Events events_;
  mutable std::mutex mutex_;
  bool noticed_ = false;
  std::string give_up_;  // why; empty: no
  Duration rest_{};
  std::optional<LeaseView> leader_;
  std::optional<std::int64_t> epoch_;  // while leading; of the thread alone
  std::chrono::steady_clock::time_point until_{};
  std::chrono::steady_clock::time_point rests_until_{};
  std::string rests_for_;
  DeadlineExecutor executor_;  // asks the store
  Ticker ticker_;
};

}  // namespace baton
