// The kept-alive connections: who is asked next, and what happens when one goes away.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <memory>

#include "tools/load/connection.h"

namespace baton::load {

// HTTP allows the other side to close an idle kept-alive connection at any time. Noticed before a byte of the next
// request is written, that is a reconnect. Once it is being written, it is a failure: it is never sent again.
class KeptPool {
 public:
  using User = std::function<void(std::shared_ptr<LoadConnection>)>;

  struct Setup {
    std::function<std::shared_ptr<LoadConnection>()> make;
    // See LoadOptions.
    int size = 8;
    int most = 64;
    std::function<void()> on_reconnect;
  };

  explicit KeptPool(Setup setup) : setup_(std::move(setup)) {}

  // Who wants a connection, and until when.
  struct Wish {
    std::chrono::steady_clock::time_point until;
    User user;
    // Called instead of `user` if no connection gets free before `until`.
    std::function<void()> too_late;
  };

  // Calls `user` with the connection that has been idle for longest, or with a new one: as long as there are fewer
  // than `size`, or when all are busy. With `most` of them busy, when one gets free.
  void Take(Wish wish);
  // Gives up what has waited too long. Wishes are expected in the order of their `until`.
  void DropLate(std::chrono::steady_clock::time_point now);
  // Every connection that was taken comes back by one of these.
  void GiveBack(std::shared_ptr<LoadConnection> connection);
  void Lost();
  // It was good, and closes as it announced with its last answer.
  void Retired();

  void CloseIdle();

 private:
  using Idle = std::list<std::shared_ptr<LoadConnection>>;

  void Reconnect();
  void ServeWaiting();

  Setup setup_;
  Idle idle_;  // longest idle first
  int open_ = 0;
  std::deque<Wish> waiting_;
};

}  // namespace baton::load
