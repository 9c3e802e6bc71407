// What is kept of each list, in each way that it is shown without being asked for secrets.
#pragma once

#include <array>

#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/lists/kept_list.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton {

class KeptLists {
 public:
  enum class Kind { kApps, kSchedulingInfos, kInstances };

  // `metrics` outlives it.
  KeptLists(std::size_t bytes_max, Metrics& metrics) : metrics_(metrics) { memory_.bytes_max = bytes_max; }

  // Null: what was asked for is not kept. Secrets never are.
  KeptList* Of(Kind kind, wire::Show shown) {
    if (shown == wire::Show::kAll || memory_.bytes_max == 0) return nullptr;
    return &lists_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(shown)];
  }

 private:
  using Ways = std::array<KeptList, 2>;  // kNone, kLastWords

  KeptList New() { return KeptList(memory_, metrics_, kPageRows); }

  ListMemory memory_;
  Metrics& metrics_;
  std::array<Ways, 3> lists_{Ways{New(), New()}, Ways{New(), New()}, Ways{New(), New()}};
};

}  // namespace baton
