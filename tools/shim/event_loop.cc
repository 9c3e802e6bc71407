#include "tools/shim/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "orchestrator/base/check.h"

namespace baton::shim {
namespace {

constexpr std::uint64_t kWakeKey = 0;

}  // namespace

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  CHECK(epoll_.valid() && wake_.valid());
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWakeKey;
  CHECK(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) == 0);
}

void EventLoop::Post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
  }
  const std::uint64_t one = 1;
  // Can only fail because the counter is full, and then the loop is awake anyway.
  if (write(wake_.get(), &one, sizeof one) < 0) CHECK(errno == EAGAIN);
}

void EventLoop::Watch(int fd, Ready ready) {
  CHECK(!keys_.contains(fd));
  const std::uint64_t key = ++last_key_;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = key;
  CHECK(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0);
  keys_[fd] = key;
  watched_[key] = std::make_shared<Ready>(std::move(ready));
}

void EventLoop::Unwatch(int fd) {
  const auto found = keys_.find(fd);
  if (found == keys_.end()) return;
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  watched_.erase(found->second);
  keys_.erase(found);
}

EventLoop::TimerId EventLoop::At(Time when, Task task) {
  const TimerId id = ++last_timer_;
  timers_.emplace(std::pair(when, id), std::move(task));
  due_[id] = when;
  return id;
}

void EventLoop::Cancel(TimerId id) {
  const auto found = due_.find(id);
  if (found == due_.end()) return;
  timers_.erase({found->second, id});
  due_.erase(found);
}

int EventLoop::WaitMillis() const {
  if (timers_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first.first - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

void EventLoop::RunPosted() {
  std::uint64_t count = 0;
  if (read(wake_.get(), &count, sizeof count) < 0) CHECK(errno == EAGAIN);
  std::vector<Task> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (Task& task : tasks) task();
}

void EventLoop::RunDue() {
  const Time now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    auto node = timers_.extract(timers_.begin());
    due_.erase(node.key().second);
    node.mapped()();
  }
}

void EventLoop::Run() {
  stopped_ = false;
  std::array<epoll_event, 64> events;
  while (!stopped_) {
    const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), WaitMillis());
    CHECK(count >= 0 || errno == EINTR);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      if (event.data.u64 == kWakeKey) {
        RunPosted();
      } else if (const auto found = watched_.find(event.data.u64); found != watched_.end()) {
        const std::shared_ptr<Ready> ready = found->second;  // stays alive if it unwatches itself
        (*ready)();
      }
    }
    RunDue();
  }
}

}  // namespace baton::shim
