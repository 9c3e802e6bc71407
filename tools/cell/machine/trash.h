// Deletes directories in a thread of its own: an app's files may be many, and the loop must not wait for them. What is
// not deleted when it ends is left for the next life.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "orchestrator/base/ticker.h"

namespace baton::cell {

class Trash {
 public:
  // `dir` is where things lie until they are gone; what a former life left there goes too.
  explicit Trash(std::string dir);

  // Gone from `path` at once, by rename; nothing happens if it is not there.
  void Throw(const std::string& path);

 private:
  Ticker::Wait DeleteNext();

  std::string dir_;
  std::int64_t begun_ms_;  // keeps the names of two lives apart
  std::mutex mutex_;
  std::deque<std::string> waiting_;
  int thrown_ = 0;
  Ticker ticker_;
};

}  // namespace baton::cell
