// One app's way from what runs to a target definition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/strategy.h"

namespace baton {

// Persisted by these names (roll_names.h), never by a library's numbers.
enum class RollState {
  kQueued,
  kRolling,
  kPaused,
  kHeld,
  kRollingBack,
  kCompleted,
  kCompletedWithGaps,
  kRolledBack,
  kSuperseded,
  kYielded,
};
inline constexpr int kRollStates = 10;

inline bool IsOpen(RollState state) { return state <= RollState::kRollingBack; }

struct Roll {
  RollId id;
  std::int64_t incarnation = 0;
  DefinitionId source;  // empty: the first start
  DefinitionId target;
  RollState state = RollState::kRolling;
  std::string reason;  // why it is in its state, one sentence
  // +1 with each logged step; the sequence that a watcher resumes by.
  std::int64_t revision = 0;
  TimePoint opened_at;
  std::optional<TimePoint> finished_at;
  // When it reacts unless a slot is proven before; meaningless while the clock stands.
  TimePoint deadline;
  std::optional<TimePoint> clock_stopped_at;
  // Since when it waits, without a break, for what is not the version's doing.
  std::optional<TimePoint> waiting_since;
  // When proof came; taken back on the way to Held and RollingBack.
  std::optional<TimePoint> proved_at;
  // When the last hand-over was: bake_time counts from it.
  std::optional<TimePoint> last_hand_over_at;
  // Why it is PAUSED; both may hold. It goes on when neither does.
  bool paused_by_hand = false;
  std::optional<TimePoint> stage_since;  // it waits at a stage
  int stages_done = 0;                   // stages whose wait is over or that were promoted
  // What the outside said of the stage that it waits at, last: shown, never decided by.
  std::string verdict;
  // An outside verdict refused the target: the roll fails with this reason as soon as it is ROLLING. A retry clears it.
  std::string condemned;
  // How long nothing was being started or proven: it was paused or held, or waited for room, drains or stops. The
  // stretch that runs now began at `waits_from`.
  Duration waited{0};
  std::optional<TimePoint> waits_from;
  // Failed attempts in steps after this revision count; a retry moves it.
  std::int64_t counted_from = 0;
  // It went to Held or RollingBack by its own policy, or was cancelled, since the last retry.
  bool refused = false;
  std::string actor;
  // As the app's was when it was opened; of a later change only what also changes a running roll.
  Strategy strategy;

  bool operator==(const Roll&) const = default;
};

// What the roll goes to now, and what it came from: exchanged while it goes back.
inline const DefinitionId& Goal(const Roll& roll) {
  return roll.state == RollState::kRollingBack ? roll.source : roll.target;
}
inline const DefinitionId& Origin(const Roll& roll) {
  return roll.state == RollState::kRollingBack ? roll.target : roll.source;
}

enum class StepKind {
  kOpened,
  kSurged,      // a SURGE row beside the old one
  kReplaced,    // the old one retires, a newcomer in its place waits for it
  kFilled,      // a slot that serves no traffic gets the goal in place
  kRepaired,    // a slot gets an instance by the restart rule
  kProven,      // an ORDINARY newcomer was first ready
  kHandedOver,  // a SURGE newcomer took the slot
  kAttemptFailed,
  kWithdrawn,
  kStopOrdered,
  kRetired,  // a RETIRING instance is gone
  kTrimmed,
  kEvacuating,  // it is well and has to go: it serves on until its replacement is ready
  kState,
};

struct RollStep {
  RollId roll_id;
  std::int64_t sequence = 0;
  TimePoint at;
  StepKind kind = StepKind::kState;
  int index = -1;  // -1: the roll as a whole
  ActualId actual_id;
  DefinitionId definition;
  std::string text;
  std::string actor;
  Duration start_took{0};
  Duration stop_took{0};

  bool operator==(const RollStep&) const = default;
};

// What the step log says of one slot of the open roll.
struct SlotLog {
  int failed_attempts = 0;  // since Roll::counted_from
  std::optional<TimePoint> last_failure_at;
  std::string last_failure;  // its last words
  bool handed_over = false;  // proven or handed over in this roll, since its last change of direction
  int late_failures = 0;     // of the failed attempts, those after that: crashes of what had taken the slot
};

// A finished roll, as far as the rules ask for it.
struct PastRoll {
  RollId id;
  DefinitionId target;
  RollState state = RollState::kCompleted;
  bool refused = false;  // cancelled, or went to Held or RollingBack by its own policy
  TimePoint finished_at;
};

}  // namespace baton
