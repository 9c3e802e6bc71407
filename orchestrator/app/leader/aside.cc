#include "orchestrator/app/leader/aside.h"

namespace baton {

Aside::Aside() : thread_([this] { Work(); }) {}

Aside::~Aside() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  thread_.join();
}

bool Aside::Start(std::function<void()> call) {
  std::unique_lock lock(mutex_);
  if (call_) return false;
  call_ = std::move(call);
  wake_.notify_all();
  return true;
}

void Aside::AwaitIdle() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return !call_; });
}

void Aside::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || call_; });
    if (!call_) return;
    lock.unlock();
    call_();
    lock.lock();
    call_ = nullptr;
    wake_.notify_all();
  }
}

}  // namespace baton
