// Waiting for what batond does by itself and no roll tells of: an instance that is asked to go, a cell that drains.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

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

// Looks until it is done: kDone. Stuck, or not done within --timeout: the explanation, and Failure, kFailed. A batond
// that is away is waited for; after --reconnect-timeout without a word: Failure, kUnreachable. Progress goes to stderr
// where stdout is for programs.
int WaitFor(Session& session, const Wait& wait);

}  // namespace baton::cli
