#include "tools/client/addresses.h"

namespace baton {

void Addresses::Next(const std::string& leader) {
  const bool follow = !named() && !leader.empty() && leader != present();
  if (!follow) at_ = (at_ + 1) % given_.size();
  named_ = follow ? leader : std::string();
}

}  // namespace baton
