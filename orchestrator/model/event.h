// What subscribers are told of a commit: written in the same transaction as what it tells.
#pragma once

#include <optional>
#include <string_view>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/desired_lrp.h"
#include "orchestrator/model/roll.h"

namespace baton {

// In the order in which one commit's events are written: crashes first, then what became or stays reachable, what goes
// last, so that a router knows the new endpoint before the old one goes (Diego).
enum class EventKind {
  kDesiredCreated,
  kDesiredChanged,
  kDesiredRemoved,
  kDefinitionCreated,
  kDefinitionCollected,
  kRollOpened,
  kRollStep,
  kRollClosed,
  kActualCrashed,
  kActualCreated,
  kActualChanged,
  kActualRemoved,
  // These are of no app.
  kCellRegistered,  // for the first time, or it came back
  kCellMissing,
  kCellDraining,
  kCellUndrained,
  kDomainFresh,
  kDomainExpired,
};
inline constexpr int kEventKinds = 18;

std::string_view Name(EventKind kind);

struct Event {
  EventKind kind = EventKind::kActualChanged;
  std::int64_t incarnation = 0;
  std::string domain;  // empty: no longer known
  // Filled as the kind needs it: before and after of a change, only one of them for created and removed.
  std::optional<ActualLrp> actual_before;
  std::optional<ActualLrp> actual_after;
  std::optional<DesiredLrp> desired_before;
  std::optional<DesiredLrp> desired_after;
  std::optional<Roll> roll;
  std::optional<RollStep> step;
  DefinitionId definition;
};

}  // namespace baton
