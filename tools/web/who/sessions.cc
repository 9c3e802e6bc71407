#include "tools/web/who/sessions.h"

#include <algorithm>

#include "tools/web/who/tokens.h"

namespace baton::web {

std::string Sessions::Begin(const Person& person, Time now) {
  if (sessions_.size() >= kMost) {
    std::erase_if(sessions_, [now](const auto& entry) { return now - entry.second.seen > kIdleMost; });
    if (sessions_.size() >= kMost) {
      sessions_.erase(std::ranges::min_element(sessions_, {}, [](const auto& entry) { return entry.second.seen; }));
    }
  }
  std::string name = MakeToken(person).token;
  sessions_.emplace(name, Session{person, now});
  return name;
}

std::optional<Person> Sessions::Find(const std::string& name, Time now) {
  const auto found = sessions_.find(name);
  if (found == sessions_.end()) return std::nullopt;
  if (now - found->second.seen > kIdleMost) {
    sessions_.erase(found);
    return std::nullopt;
  }
  found->second.seen = now;
  return found->second.person;
}

}  // namespace baton::web
