#include "tools/web/who/login_limit.h"

namespace baton::web {

bool LoginLimit::MayTry(const std::string& address, Time now) {
  for (auto& [from, times] : failures_) {
    while (!times.empty() && now - times.front() > kWithin) times.pop_front();
  }
  std::erase_if(failures_, [](const auto& entry) { return entry.second.empty(); });
  const auto found = failures_.find(address);
  return found == failures_.end() || found->second.size() < kMost;
}

}  // namespace baton::web
