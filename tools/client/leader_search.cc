#include "tools/client/leader_search.h"

namespace baton {
namespace {

constexpr int kStaysMax = 16;       // until a leader is found
constexpr int kNamedBeforeMax = 8;  // in vain: for about as long as a lease may run on

}  // namespace

void LeaderSearch::Found() {
  backoff_.Reset();
  stayed_ = 0;
  silent_.clear();
  again_ = false;
}

LeaderSearch::Milliseconds LeaderSearch::Lost(const Hints& hints) {
  if (hints.retry_after.count() == 0) {
    // Asked again in vain: its name has to come more often.
    const bool again = silent_ == address();
    named_before_ = again ? std::clamp(named_before_ * 2, 1, kNamedBeforeMax) : 0;
    named_ = 0;
    silent_ = address();
  }
  again_ = false;
  if (!hints.leader.empty() && (hints.leader != silent_ || named_++ >= named_before_)) {
    addresses_.Next(hints.leader);
    if (!addresses_.named()) return backoff_.Next();
    again_ = hints.leader == silent_;
    named_ = 0;
    return Milliseconds(0);
  }
  if (hints.retry_after.count() > 0 && stayed_ < kStaysMax) {
    ++stayed_;
    return Milliseconds(std::uniform_int_distribution(hints.retry_after.count(), 2 * hints.retry_after.count())(random_));
  }
  addresses_.Next();
  return backoff_.Next();
}

}  // namespace baton
