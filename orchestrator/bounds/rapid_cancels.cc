#include "orchestrator/bounds/rapid_cancels.h"

namespace baton::bounds {

bool RapidCancels::Note(const std::string& peer, Time now) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = peers_.try_emplace(peer, Window{now});
  // Whose window is over is forgotten when another comes: there are no more than cancel within one.
  if (fresh) std::erase_if(peers_, [now](const auto& one) { return now - one.second.began > kCancelsWindow; });
  if (now - at->second.began > kCancelsWindow) at->second = {now};
  return ++at->second.count == most_ + 1;
}

}  // namespace baton::bounds
