// The roll law: which state follows from a state and an event. Written once as a Boost.MSM table in law.cc; the
// planner, the use cases, the tests and the printed documents all ask this one function.
#pragma once

#include <optional>
#include <string_view>

#include "orchestrator/model/roll.h"

namespace baton {

enum class RollEvent {
  kAdmit,           // the fleet's limit lets it start
  kPause,           // by hand
  kResume,          // by hand
  kFailToHold,      // too many failures or a deadline; the way back is closed or not wanted
  kFailToRollback,  // the same, and the source is proven
  kRetry,           // by hand
  kCancel,          // by hand: back to the source
  kSettle,          // every slot is ready with what it goes to
  kSettleWithGaps,  // every slot is ready with it or given up
  kSupersede,       // another definition was asked for
  kYield,           // the app is removed
  kStage,           // as many slots as the stage names run the target
  kPromote,         // the stage's wait is over, or by hand
};
inline constexpr int kRollEvents = 13;

std::string_view Name(RollEvent event);

// The next state; nothing where the event is refused in that state. Total: every pair has an outcome.
std::optional<RollState> Advance(RollState state, RollEvent event);

}  // namespace baton
