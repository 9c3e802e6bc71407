#include "tools/load/kept_pool.h"

#include <algorithm>

namespace baton::load {

void KeptPool::Take(Wish wish) {
  while (open_ >= setup_.size && !idle_.empty()) {
    std::shared_ptr<LoadConnection> connection = std::move(idle_.front());
    idle_.pop_front();
    if (!connection->GoneWhileIdle()) return wish.user(std::move(connection));
    connection->Close();
    Reconnect();
  }
  if (open_ < setup_.most) {
    ++open_;
    return wish.user(setup_.make());
  }
  waiting_.push_back(std::move(wish));
}

void KeptPool::GiveBack(std::shared_ptr<LoadConnection> connection) {
  LoadConnection* const raw = connection.get();
  idle_.push_back(std::move(connection));
  raw->WatchIdle([this, raw] {
    const auto found = std::find_if(idle_.begin(), idle_.end(), [raw](const auto& idle) { return idle.get() == raw; });
    if (found == idle_.end()) return;
    raw->Close();
    idle_.erase(found);
    Reconnect();
  });
  ServeWaiting();
}

void KeptPool::Lost() {
  --open_;
  ServeWaiting();
}

void KeptPool::Retired() {
  Reconnect();
  ServeWaiting();
}

// The new connection is made with the next request that needs one.
void KeptPool::Reconnect() {
  --open_;
  setup_.on_reconnect();
}

void KeptPool::ServeWaiting() {
  DropLate(std::chrono::steady_clock::now());
  if (waiting_.empty()) return;
  Wish wish = std::move(waiting_.front());
  waiting_.pop_front();
  Take(std::move(wish));
}

void KeptPool::DropLate(std::chrono::steady_clock::time_point now) {
  while (!waiting_.empty() && waiting_.front().until <= now) {
    const Wish wish = std::move(waiting_.front());
    waiting_.pop_front();
    wish.too_late();
  }
}

void KeptPool::CloseIdle() {
  for (const auto& connection : idle_) connection->Close();
  idle_.clear();
}

}  // namespace baton::load
