// Waiting for what batond does by itself and no roll tells of (an instance that is asked to go, a cell that drains), and
// what every wait ends with whose time is over.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "tools/baton/failure.h"
#include "tools/baton/session.h"

namespace baton::cli {

// What one look found.
struct Look {
  std::string progress;             // told whenever it is another
  std::optional<std::string> done;  // the last line; nothing: it goes on
  std::string stuck;                // nothing more comes without a person, and why: it ends so. Empty: it goes on
};

struct Wait {
  std::string what;                      // "cell cell-1": of whom a failure tells
  std::function<Look()> look;            // reads, and changes nothing
  std::function<std::string()> explain;  // what it waits for, printed where it does not end well
};

// How long a wait bears that no batond answers.
class Patience {
 public:
  explicit Patience(const Session& session) : session_(session) {}

  // What `look` gives; nothing: no batond took the call, and there is time to wait for one. After --reconnect-timeout without
  // a word, and for every other reason, its Failure.
  template <class Looked>
  auto Try(const Looked& look) -> std::optional<decltype(look())> {
    try {
      auto seen = look();
      last_word_ = std::chrono::steady_clock::now();
      away_.clear();
      return seen;
    } catch (const Failure& failure) {
      if (!Bears(failure)) throw;
      return std::nullopt;
    }
  }

  // Until the next look.
  void Rest() const;

  // Why batond gave no answer lately; empty: it did.
  const std::string& away() const { return away_; }

 private:
  bool Bears(const Failure& failure);

  const Session& session_;
  std::string away_;
  std::chrono::steady_clock::time_point last_word_ = std::chrono::steady_clock::now();
};

// Looks until it is done: kDone. Stuck, or not done within --timeout: the explanation, and Failure, kFailed. A batond
// that is away is waited for; after --reconnect-timeout without a word: Failure, kUnreachable. Progress goes to stderr
// where stdout is for programs.
int WaitFor(Session& session, const Wait& wait);

// --timeout is given for the whole wait, and is over.
bool TimeIsUp(const Session& session);

// What is not done although --timeout is over.
struct Undone {
  std::string what;      // "roll ID of app shop"
  std::string progress;  // how far it was; empty: never heard
  std::string away;      // why batond gave no answer lately; empty: it did
  std::function<std::string()> explain;
};

// Prints the explanation, and throws Failure, kFailed. The explanation is asked for with a little time of its own, and
// not at all where batond is away.
[[noreturn]] void EndUndone(Session& session, const Undone& undone);

}  // namespace baton::cli
