// What was met: how often each thing happened to an app in each phase. A schedule that never meets a pair proves
// nothing of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "orchestrator/model/app_state.h"

namespace baton::sim {

enum class Phase { kSettled, kRolling, kPaused, kHeld, kRollingBack, kRemoved };
inline constexpr std::size_t kPhases = 6;
Phase PhaseOf(const AppState& app);

enum class Happening {
  // People.
  kDesire,
  kUpdate,
  kUpdateToTheSame,
  kScale,
  kMapRoutes,
  kPause,
  kResume,
  kCancel,
  kRetry,
  kUndo,
  kPromote,
  kRemove,
  kRetire,
  // Reports.
  kClaim,
  kStart,
  kCrash,
  kStopped,
  kForgotten,
  kNoRoom,
  kRejected,
  kApplied,
  kDrained,
  kVerdict,
  kLate,
  // Faults, and the operators' own.
  kCellDrains,
  kCellDies,
  kCellReturns,
  kLinkBreaks,
  kLeaderCrashes,
  kLeaderPaused,
  kDiesInTransaction,
  kPausedInTransaction,
  kDeadlock,
  kCommitLost,
  kAnswerLost,
};
inline constexpr std::size_t kHappenings = 35;

class Coverage {
 public:
  void Count(Phase phase, Happening happening) { ++At(phase, happening); }
  // A report by its name in the simulation: "claim", "start (late)", ...
  void CountReport(Phase phase, std::string_view name);
  void Add(const Coverage& other);
  // How often each state of a roll was entered.
  void CountEnd(RollState state) { ++ends_[static_cast<std::size_t>(state)]; }

  // A table; and the pairs that were never met though they can be, one a line. Empty: none.
  std::string Text() const;
  std::string Unmet() const;
  std::size_t pairs() const;  // that can be met

 private:
  std::uint64_t& At(Phase phase, Happening happening) {
    return counts_[static_cast<std::size_t>(happening)][static_cast<std::size_t>(phase)];
  }
  std::array<std::array<std::uint64_t, kPhases>, kHappenings> counts_{};
  std::array<std::uint64_t, kRollStates> ends_{};
};

}  // namespace baton::sim
