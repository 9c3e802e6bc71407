#include "tools/router/haproxy/leftover_watch.h"

namespace baton::router {

LeftoverSteps LeftoverWatch::Next(const std::vector<std::string>& leftovers, const ServerSessions& sessions, Time now) {
  const std::set<std::string> present(leftovers.begin(), leftovers.end());
  std::erase_if(since_, [&](const auto& entry) { return !present.contains(entry.first); });
  LeftoverSteps steps;
  for (const std::string& leftover : leftovers) {
    const Time since = since_.emplace(leftover, now).first->second;
    const auto count = sessions.find(leftover);
    if (count != sessions.end() && count->second > 0) {
      if (now - since < limit_) continue;
      steps.commands.push_back("shutdown sessions server " + leftover);
      steps.cut.push_back(leftover);
    }
    steps.commands.push_back("del server " + leftover);
  }
  return steps;
}

}  // namespace baton::router
