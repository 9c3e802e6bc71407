#include "tools/demo/console.h"

#include <unistd.h>

#include <cstdio>

namespace baton::demo {
namespace {

constexpr std::chrono::seconds kStatusLineInterval{5};
constexpr char kClearLine[] = "\r\033[K";

}  // namespace

Console::Console()
    : start_(std::chrono::steady_clock::now()), terminal_(isatty(STDOUT_FILENO) != 0), status_line_at_(start_) {}

std::string Console::Time() const {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  char text[32];
  std::snprintf(text, sizeof text, "%6.1f s  ", since.count());
  return text;
}

void Console::Print(const std::string& line) {
  std::printf("%s%s\n%s", status_.empty() ? "" : kClearLine, line.c_str(), status_.c_str());
  std::fflush(stdout);
}

void Console::Say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  Print(text);
}

void Console::Tell(const std::string& text) {
  const std::lock_guard lock(mutex_);
  Print(Time() + text);
}

void Console::ShowStatus(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (terminal_) {
    status_ = "          " + text;
    std::printf("%s%s", kClearLine, status_.c_str());
    std::fflush(stdout);
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < status_line_at_ + kStatusLineInterval) return;
  status_line_at_ = now;
  Print(Time() + text);
}

void Console::ClearStatus() {
  const std::lock_guard lock(mutex_);
  if (status_.empty()) return;
  std::printf("%s", kClearLine);
  std::fflush(stdout);
  status_.clear();
}

}  // namespace baton::demo
