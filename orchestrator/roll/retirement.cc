#include "orchestrator/roll/retirement.h"

#include <algorithm>

#include "orchestrator/base/check.h"

namespace baton {

bool LeftToRoll(const AppState& app, const ActualLrp& lrp) {
  if (!app.desired || !app.roll || lrp.presence != Presence::kOrdinary) return false;
  if (lrp.incarnation != app.desired->incarnation || lrp.index >= app.desired->instances) return false;
  const DefinitionId& goal = Goal(*app.roll);
  if (lrp.definition == goal) return false;
  const auto runs = app.definitions.find({lrp.incarnation, lrp.definition});
  const auto wanted = app.definitions.find({lrp.incarnation, goal});
  CHECK(runs != app.definitions.end() && wanted != app.definitions.end());  // foreign keys hold them
  return runs->second.content_hash != wanted->second.content_hash;
}

std::string WhatMovesTheRoll(const Roll& roll) {
  switch (roll.state) {
    case RollState::kHeld: return "retry, cancel, or another definition";
    case RollState::kPaused:
      if (!roll.stage_since) return "resume";
      return roll.paused_by_hand ? "resume, and a promotion" : "a promotion";
    case RollState::kQueued: return "the roll's turn comes";
    default: return "";
  }
}

int RetiredAtOnce(const Strategy& strategy, const Limits& limits) {
  if (strategy.mode == Mode::kRecreate) return 1;
  return limits.max_surge > 0 ? std::min(limits.max_in_flight, limits.max_surge) : limits.max_in_flight;
}

}  // namespace baton
