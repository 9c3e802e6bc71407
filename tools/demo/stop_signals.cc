#include "tools/demo/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace baton::demo {
namespace {

UniqueFd BlockedSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return UniqueFd(signalfd(-1, &set, SFD_CLOEXEC));
}

}  // namespace

StopSignals::StopSignals()
    : signals_(BlockedSignals()), stopped_(eventfd(0, EFD_CLOEXEC)), leaving_(eventfd(0, EFD_CLOEXEC)),
      thread_([this] { Listen(); }) {}

StopSignals::~StopSignals() {
  eventfd_write(leaving_.get(), 1);
  thread_.join();
}

void StopSignals::Listen() {
  pollfd waited[] = {{signals_.get(), POLLIN, 0}, {leaving_.get(), POLLIN, 0}};
  while (poll(waited, 2, -1) > 0 && waited[1].revents == 0) {
    signalfd_siginfo signal;
    if (read(signals_.get(), &signal, sizeof signal) <= 0) continue;
    source_.request_stop();
    eventfd_write(stopped_.get(), 1);
  }
}

void StopSignals::Wait(bool also_for_enter) const {
  pollfd waited[] = {{stopped_.get(), POLLIN, 0}, {also_for_enter ? STDIN_FILENO : -1, POLLIN, 0}};
  poll(waited, 2, -1);
}

}  // namespace baton::demo
