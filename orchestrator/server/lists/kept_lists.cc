#include "orchestrator/server/lists/kept_lists.h"

namespace baton {

KeptList* KeptLists::Of(Kind kind, wire::Show shown, KeptList::Clock::time_point now) {
  if (shown == wire::Show::kAll || memory_.bytes_max == 0) return nullptr;
  DropOld(now);
  const bool with_last_words = shown == wire::Show::kLastWords;
  switch (kind) {
    case Kind::kApps: return &lists_[kApps];
    case Kind::kSchedulingInfos: return &lists_[kSchedulingInfos];
    case Kind::kInstances: return &lists_[with_last_words ? kInstancesWithLastWords : kInstances];
  }
  return nullptr;
}

// Of all lists: one that nobody asks for any more leaves its memory to the others.
void KeptLists::DropOld(KeptList::Clock::time_point now) {
  {
    const std::lock_guard lock(mutex_);
    if (now < dropped_ + std::chrono::minutes(1)) return;
    dropped_ = now;
  }
  for (KeptList& list : lists_) list.DropOld(now);
}

}  // namespace baton
