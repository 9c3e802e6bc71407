// People who have logged in: a random name in a cookie stands for each, in memory only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>

#include "tools/web/who/person.h"

namespace baton::web {

class Sessions {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours kIdleMost{12};
  static constexpr std::size_t kMost = 10'000;

  // The name of a new one. Where there are too many, the one that was idle longest goes.
  std::string Begin(const Person& person, Time now);
  // Whose it is; from now on it is idle anew. Nothing: it has ended, or never was.
  std::optional<Person> Find(const std::string& name, Time now);
  void End(const std::string& name) { sessions_.erase(name); }

 private:
  struct Session {
    Person person;
    Time seen;
  };
  std::unordered_map<std::string, Session> sessions_;
};

}  // namespace baton::web
