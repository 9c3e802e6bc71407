#include "tools/client/addresses.h"

#include <algorithm>

namespace baton {

void Addresses::Next(const std::string& leader) {
  const auto at = std::find(given_.begin(), given_.end(), leader);
  const bool follow = !named_ && at != given_.end() && leader != present();
  at_ = follow ? static_cast<std::size_t>(at - given_.begin()) : (at_ + 1) % given_.size();
  named_ = follow;
}

bool Addresses::Knows(const std::string& address) const {
  return std::find(given_.begin(), given_.end(), address) != given_.end();
}

}  // namespace baton
