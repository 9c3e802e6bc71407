#include "tools/baton/waiting.h"

#include <thread>
#include <utility>

#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLookEvery{250};

std::string Spelled(std::int64_t ms) {
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

class Waiter {
 public:
  Waiter(Session& session, const Wait& wait)
      : session_(session), wait_(wait), out_(ForPrograms(session) ? session.io.err : session.io.out) {}

  int Run() {
    while (true) {
      if (const auto look = LookOnce()) {
        if (std::exchange(told_, look->progress) != look->progress) out_ << look->progress << "\n" << std::flush;
        if (look->done) {
          out_ << *look->done << "\n";
          return kDone;
        }
        if (!look->stuck.empty()) GiveUp(look->stuck);
      }
      if (Over()) {
        GiveUp(wait_.what + " is not done after " + Spelled(session_.arguments.wait_ms) +
               (told_.empty() ? "" : ": " + told_));
      }
      std::this_thread::sleep_for(kLookEvery);
    }
  }

 private:
  bool Over() const {
    return session_.arguments.wait_ms > 0 && Clock::now() - began_ >= milliseconds(session_.arguments.wait_ms);
  }

  // Nothing: no batond took the call, and there is time to wait for one.
  std::optional<Look> LookOnce() {
    try {
      Look look = wait_.look();
      last_word_ = Clock::now();
      return look;
    } catch (const Failure& failure) {
      const std::chrono::duration<double> silent = Clock::now() - last_word_;
      if (failure.exit_status() != kUnreachable || silent.count() > session_.arguments.reconnect_s || Over()) throw;
      return std::nullopt;
    }
  }

  [[noreturn]] void GiveUp(const std::string& why) {
    out_ << "\n" << wait_.explain() << std::flush;
    throw Failure(kFailed, why);
  }

  Session& session_;
  const Wait& wait_;
  std::ostream& out_;
  std::string told_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point last_word_ = Clock::now();
};

}  // namespace

int WaitFor(Session& session, const Wait& wait) { return Waiter(session, wait).Run(); }

}  // namespace baton::cli
