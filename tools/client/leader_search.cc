#include "tools/client/leader_search.h"

namespace baton {
namespace {

constexpr int kStaysMost = 8;

}  // namespace

void LeaderSearch::Found() {
  backoff_.Reset();
  stayed_ = 0;
  silent_.clear();
}

LeaderSearch::Milliseconds LeaderSearch::Lost(const Hints& hints) {
  if (hints.retry_after.count() == 0) silent_ = address();
  const bool knows = !hints.leader.empty() && hints.leader != silent_;
  if (!knows && hints.retry_after.count() > 0 && stayed_ < kStaysMost) {
    ++stayed_;
    backoff_.Reset();
    return Milliseconds(std::uniform_int_distribution(hints.retry_after.count(), 2 * hints.retry_after.count())(random_));
  }
  addresses_.Next(knows ? hints.leader : std::string());
  if (addresses_.named()) return Milliseconds(0);
  stayed_ = 0;
  return backoff_.Next();
}

}  // namespace baton
