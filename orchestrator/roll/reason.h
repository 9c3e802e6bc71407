// Why something does not go on, said by the planner itself: `baton explain` prints exactly these.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/base/time.h"

namespace baton {

// Stable names; scripts and documents use them.
namespace rule {
inline constexpr std::string_view kPaused = "roll.paused";
inline constexpr std::string_view kStage = "roll.stage";
inline constexpr std::string_view kStageFirst = "guard.stage";
inline constexpr std::string_view kHeld = "roll.held";
inline constexpr std::string_view kBake = "roll.bake_time";
inline constexpr std::string_view kPlacing = "start.placement";
inline constexpr std::string_view kStarting = "start.readiness";
inline constexpr std::string_view kMinHealthy = "prove.min_healthy_time";
inline constexpr std::string_view kUnapplied = "prove.route_applied";
inline constexpr std::string_view kBackOff = "attempt.back_off";
inline constexpr std::string_view kCrashBackOff = "crash.back_off";
inline constexpr std::string_view kGaveUp = "crash.gave_up";
inline constexpr std::string_view kGap = "attempt.given_up";
inline constexpr std::string_view kNotRoutable = "slot.not_routable";
inline constexpr std::string_view kFloor = "guard.floor";
inline constexpr std::string_view kHostName = "guard.host_name";
inline constexpr std::string_view kRoute = "guard.route";
inline constexpr std::string_view kUnroutable = "route.unroutable";
inline constexpr std::string_view kUnmapped = "prove.port_mapped";
inline constexpr std::string_view kAboveCeiling = "repair.above_ceiling";
inline constexpr std::string_view kUnproven = "slot.unproven";
inline constexpr std::string_view kCeiling = "guard.ceiling";
inline constexpr std::string_view kInFlight = "guard.in_flight";
inline constexpr std::string_view kHandedOver = "guard.handed_over";
inline constexpr std::string_view kSteady = "prove.after_crash";
inline constexpr std::string_view kProofFirst = "guard.proof_first";
inline constexpr std::string_view kDraining = "drain.connections";
inline constexpr std::string_view kStopping = "stop.report";
inline constexpr std::string_view kOverdue = "stop.overdue";
inline constexpr std::string_view kCellLost = "cell.lost";
inline constexpr std::string_view kEvacuating = "evacuate.replacement";
inline constexpr std::string_view kTurn = "evacuate.turn";
inline constexpr std::string_view kRetireWaits = "retire.roll";
inline constexpr std::string_view kVerdict = "roll.verdict";
inline constexpr std::string_view kShared = "route.shared";
inline constexpr std::string_view kUnenforced = "egress.unenforced";
}  // namespace rule

struct Reason {
  std::string_view rule;
  int index = -1;  // -1: the roll as a whole
  std::string text;
  std::optional<TimePoint> since;
  std::optional<TimePoint> until;  // when time alone unblocks it
  std::string unblocks;
};

// What a guard says: nothing, or why not.
using Refusal = std::optional<Reason>;

}  // namespace baton
