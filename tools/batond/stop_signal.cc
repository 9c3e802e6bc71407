#include "tools/batond/stop_signal.h"

#include <csignal>

namespace baton::batond {
namespace {

sigset_t StopSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t set = StopSet();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool StopSignal::Wait(Duration most) {
  if (came_) return true;
  const sigset_t set = StopSet();
  const timespec time{.tv_sec = static_cast<time_t>(most.count() / 1'000'000),
                      .tv_nsec = static_cast<long>(most.count() % 1'000'000 * 1000)};
  came_ = sigtimedwait(&set, nullptr, &time) > 0;
  return came_;
}

void StopSignal::Wait() {
  while (!Wait(seconds(3600))) {
  }
}

}  // namespace baton::batond
