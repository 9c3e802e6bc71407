// What a cell does with one instance, as a law: (state, event) -> (state, actions). No file, process, clock or message
// in here; the shell around it writes the state down before it carries out an action, so that any line may be its last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orchestrator/model/fleet/lack.h"

namespace baton::cell {

// Persisted by name: never change one.
enum class InstancePhase {
  kClaiming,   // the claim is reported and not answered: nothing of it may run
  kFetching,   // claimed; the definition is not here yet
  kLaunching,  // the shim is being started, or may have been
  kStarting,   // the shim runs; not ready yet for the first time
  kRunning,
  kStopping,   // the shim was told to stop
  kEnded,      // no process is left; the last report is not answered yet
  kForgotten,  // nothing runs, nothing is to be reported
};
std::string_view Name(InstancePhase phase);
std::optional<InstancePhase> ParseInstancePhase(std::string_view name);

// What the leader should know of it now. A newer fact takes the place of an older one.
struct Fact {
  enum class Kind { kNone, kClaimed, kStarted, kCrashed, kStopped, kRejected };
  Kind kind = Kind::kNone;
  bool routable = false;           // kStarted
  std::optional<int> exit_status;  // kCrashed, kStopped: code, or -signal; absent: it never ran
  std::string reason;              // kCrashed, kRejected
  std::string last_output;         // kCrashed
  // Counts the facts of one instance: an answer names the one that it is for.
  std::uint64_t number = 0;
  Lack lack = Lack::kOther;  // kRejected

  bool operator==(const Fact&) const = default;
};
std::string_view Name(Fact::Kind kind);
std::optional<Fact::Kind> ParseFactKind(std::string_view name);

struct InstanceState {
  InstancePhase phase = InstancePhase::kClaiming;
  Fact fact;
  bool answered = false;     // the present fact
  bool was_running = false;  // it was ready once
  // How it ends when it is gone: told to; without a word, because its row is another's; else as a crash.
  bool stop_ordered = false;
  bool silent = false;
  std::string crash_reason;   // why we stop it ourselves
  std::int64_t grace_ms = 0;  // of the last stop

  bool operator==(const InstanceState&) const = default;
};

namespace event {
struct Accepted {
  std::uint64_t fact_number = 0;
};
struct Refused {};
struct RunOrdered {};  // again
struct StopOrdered {
  std::int64_t grace_ms = 0;
};
struct DefinitionHere {};
struct CannotRun {  // its definition is gone
  std::string reason;
};
struct Lacks {  // nothing of the app ran, for want of something that this cell has not
  std::string reason;
  Lack lack = Lack::kOther;
};
struct ShimUp {};
struct ShimEnded {
  std::optional<int> exit_status;
  std::string reason;
  std::string last_output;
  bool lacks = false;  // it ended before the app's first instruction, for want of something that the cell has not
};
struct ShimStuck {};  // still there long after the grace
struct Ready {};
struct NotReadyInTime {
  std::string reason;
};
struct ReadinessChanged {
  bool ready = false;
};
struct LivenessLost {
  std::string reason;
};
struct CellLeaves {};  // shut down for good: its instances end with it
}  // namespace event

using InstanceEvent =
    std::variant<event::Accepted, event::Refused, event::RunOrdered, event::StopOrdered, event::DefinitionHere,
                 event::CannotRun, event::Lacks, event::ShimUp, event::ShimEnded, event::ShimStuck, event::Ready,
                 event::NotReadyInTime, event::ReadinessChanged, event::LivenessLost, event::CellLeaves>;

enum class InstanceAction {
  kFetch,     // get the definition, from the start of the claim on with the start time running
  kLaunch,    // make the directory and start the shim
  kStopShim,  // with state.grace_ms
  kKillShim,  // and everything of it
  kReport,    // the present fact, again if it was answered
  kForget,    // nothing refers to it
};

struct InstanceStep {
  InstanceState state;
  std::vector<InstanceAction> actions;
};

// A new instance: the first actions of a claim, or of what cannot be claimed.
InstanceStep BeginInstance();
// `default_grace_ms`: used if the order has none.
InstanceStep React(InstanceState state, const InstanceEvent& event, std::int64_t default_grace_ms);
// What is to be done for a state read from disk after the cell was killed; the shim of the later phases is looked after
// by the shell, which then tells ShimUp or ShimEnded.
std::vector<InstanceAction> Resume(const InstanceState& state);

}  // namespace baton::cell
