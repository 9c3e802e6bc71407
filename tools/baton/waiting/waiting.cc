#include "tools/baton/waiting/waiting.h"

#include <thread>
#include <utility>

#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kWaitingPollInterval{250};
constexpr milliseconds kExplainMax{1000};

std::string Spelled(std::int64_t ms) {
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

std::ostream& ForPeople(Session& session) { return ForPrograms(session) ? session.io.err : session.io.out; }

// Where what was asked for the wait is over, nothing is left for this question.
std::string Explained(Session& session, const std::function<std::string()>& explain) {
  session.api.connection().EndBy(Clock::now() + kExplainMax);
  try {
    return explain();
  } catch (const Failure& failure) {
    return std::string("what it waits for is not known: ") + failure.what() + "\n";
  }
}

class Waiter {
 public:
  Waiter(Session& session, const Wait& wait) : session_(session), wait_(wait), out_(ForPeople(session)) {}

  int Run() {
    while (!TimeIsUp(session_)) {
      if (const auto look = patience_.Try(wait_.look)) {
        const bool news = !look->progress.empty() && told_ != look->progress;
        if (news) out_ << (told_ = look->progress) << "\n" << std::flush;
        if (look->done) {
          out_ << *look->done << "\n";
          return kDone;
        }
        if (!look->stuck.empty()) GiveUp(look->stuck);
      }
      patience_.Rest();
    }
    EndUndone(session_, {wait_.what, told_, patience_.away(), wait_.explain});
  }

 private:
  [[noreturn]] void GiveUp(const std::string& why) {
    out_ << "\n" << Explained(session_, wait_.explain) << std::flush;
    throw Failure(kFailed, why);
  }

  Session& session_;
  const Wait& wait_;
  std::ostream& out_;
  std::string told_;
  Patience patience_{session_};
};

}  // namespace

void Patience::Rest() const { std::this_thread::sleep_for(session_.api.connection().Left(kWaitingPollInterval)); }

bool Patience::Bears(const Failure& failure) {
  const std::chrono::duration<double> silent = Clock::now() - last_word_;
  if (failure.exit_status() != kUnreachable) return false;
  if (TimeIsUp(session_)) return true;  // cut short by the end of the wait: it says nothing of batond
  if (silent.count() > session_.arguments.reconnect_s) return false;
  away_ = failure.what();
  return true;
}

int WaitFor(Session& session, const Wait& wait) { return Waiter(session, wait).Run(); }

bool TimeIsUp(const Session& session) {
  return session.arguments.wait_ms > 0 && session.api.connection().Left(milliseconds(1)) == milliseconds(0);
}

void EndUndone(Session& session, const Undone& undone) {
  ForPeople(session) << "\n"
                     << (undone.away.empty() ? Explained(session, undone.explain)
                                             : "what it waits for is not known: " + undone.away + "\n")
                     << std::flush;
  throw Failure(kFailed, undone.what + " is not done after " + Spelled(session.arguments.wait_ms) +
                             (undone.progress.empty() ? "" : ": " + undone.progress));
}

}  // namespace baton::cli
