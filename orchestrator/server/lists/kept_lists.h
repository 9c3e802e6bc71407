// What is kept of each list, in each way that it is shown without being asked for secrets.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/lists/kept_list.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton {

class KeptLists {
 public:
  enum class Kind { kApps, kSchedulingInfos, kInstances };

  // `metrics` outlives it.
  KeptLists(std::size_t bytes_max, Metrics& metrics) : metrics_(metrics) { memory_.bytes_max = bytes_max; }

  // What its rows show. Instances alone have last words.
  static wire::Show AsKept(Kind kind, wire::Show shown) { return kind == Kind::kInstances ? shown : wire::Show::kNone; }

  // Null: what was asked for is not kept. What shows secrets never is.
  KeptList* Of(Kind kind, wire::Show shown, KeptList::Clock::time_point now);

 private:
  enum List : std::size_t { kApps, kSchedulingInfos, kInstances, kInstancesWithLastWords };

  void DropOld(KeptList::Clock::time_point now);
  KeptList New() { return KeptList(memory_, metrics_, kPageRows); }

  ListMemory memory_;
  Metrics& metrics_;
  std::array<KeptList, 4> lists_{New(), New(), New(), New()};  // by List
  std::mutex mutex_;                                           // of what follows
  KeptList::Clock::time_point dropped_;
};

}  // namespace baton
