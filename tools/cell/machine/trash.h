// Deletes directories in a thread of its own: an app's files may be many, and the loop must not wait for them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace baton {

class Trash {
 public:
  // `dir` is where things lie until they are gone; what a former life left there goes too.
  explicit Trash(std::string dir);
  // Leaves the rest for the next life.
  ~Trash();

  // Gone from `path` at once, by rename; nothing happens if it is not there.
  void Throw(const std::string& path);

 private:
  void Serve();

  std::string dir_;
  std::int64_t begun_ms_;  // keeps the names of two lives apart
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::string> waiting_;
  bool stopped_ = false;
  int thrown_ = 0;
  std::thread thread_;
};

}  // namespace baton
