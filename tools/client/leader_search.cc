#include "tools/client/leader_search.h"

namespace baton {
namespace {

constexpr int kStaysMost = 16;      // until somebody is found
constexpr int kPassedOverMost = 8;  // names of somebody who did not answer just now: for about as long as a lease may run on

}  // namespace

void LeaderSearch::Found() {
  backoff_.Reset();
  stayed_ = passed_over_ = 0;
  silent_.clear();
}

LeaderSearch::Milliseconds LeaderSearch::Lost(const Hints& hints) {
  if (hints.retry_after.count() == 0) silent_ = address();
  if (!hints.leader.empty() && (hints.leader != silent_ || passed_over_ >= kPassedOverMost)) {
    addresses_.Next(hints.leader);
    if (!addresses_.named()) return backoff_.Next();
    passed_over_ = 0;
    silent_.clear();
    return Milliseconds(0);
  }
  if (hints.retry_after.count() > 0 && stayed_ < kStaysMost) {
    ++stayed_;
    if (!hints.leader.empty()) ++passed_over_;
    return Milliseconds(std::uniform_int_distribution(hints.retry_after.count(), 2 * hints.retry_after.count())(random_));
  }
  addresses_.Next();
  return backoff_.Next();
}

}  // namespace baton
