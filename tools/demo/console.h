// What the demo prints: lines, and on a terminal a last line below them that changes in place.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace baton::demo {

class Console {
 public:
  Console();
  // Lines. May be called by any thread.
  void Say(const std::string& text);
  // With the time since the start before it.
  void Tell(const std::string& text);
  // On a terminal it replaces the last status; else a line of its own, but only every few seconds.
  void ShowStatus(const std::string& text);
  void ClearStatus();
  bool terminal() const { return terminal_; }

 private:
  void Print(const std::string& line);
  std::string Time() const;

  const std::chrono::steady_clock::time_point start_;
  const bool terminal_;
  std::mutex mutex_;
  std::string status_;
  std::chrono::steady_clock::time_point status_line_at_;
};

}  // namespace baton::demo
