// How often somebody may fail to log in.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

namespace baton::web {

class LoginLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kMost = 5;  // a minute, by address
  static constexpr std::chrono::minutes kWithin{1};

  bool MayTry(const std::string& address, Time now);
  void Failed(const std::string& address, Time now) { failures_[address].push_back(now); }

 private:
  std::map<std::string, std::deque<Time>> failures_;
};

}  // namespace baton::web
