#include "tools/cell/instances/instance_law.h"

#include <array>
#include <utility>

namespace baton::cell {
namespace {

using Phase = InstancePhase;
using Action = InstanceAction;
using Kind = Fact::Kind;

constexpr std::array<std::pair<Phase, std::string_view>, 8> kPhaseNames{{{Phase::kClaiming, "CLAIMING"},
                                                                         {Phase::kFetching, "FETCHING"},
                                                                         {Phase::kLaunching, "LAUNCHING"},
                                                                         {Phase::kStarting, "STARTING"},
                                                                         {Phase::kRunning, "RUNNING"},
                                                                         {Phase::kStopping, "STOPPING"},
                                                                         {Phase::kEnded, "ENDED"},
                                                                         {Phase::kForgotten, "FORGOTTEN"}}};

constexpr std::array<std::pair<Kind, std::string_view>, 6> kFactNames{{{Kind::kNone, "none"},
                                                                       {Kind::kClaimed, "claimed"},
                                                                       {Kind::kStarted, "started"},
                                                                       {Kind::kCrashed, "crashed"},
                                                                       {Kind::kStopped, "stopped"},
                                                                       {Kind::kRejected, "rejected"}}};

template <class Names, class Value>
std::string_view NameOf(const Names& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "";
}

bool HasShim(Phase phase) {
  return phase == Phase::kLaunching || phase == Phase::kStarting || phase == Phase::kRunning;
}

// One event's work on a state. Each handler branches on the phase; what is not named is ignored: it comes too late.
class Law {
 public:
  Law(InstanceState state, std::int64_t default_grace_ms)
      : state_(std::move(state)), default_grace_ms_(default_grace_ms) {}

  InstanceStep Take() && { return {std::move(state_), std::move(actions_)}; }

  void On(const event::Accepted& accepted) {
    if (accepted.fact_number != state_.fact.number) return;
    state_.answered = true;
    if (state_.phase == Phase::kEnded) return Forget();
    if (state_.phase != Phase::kClaiming) return;
    state_.phase = Phase::kFetching;
    Do(Action::kFetch);
  }

  void On(const event::Refused&) {
    if (state_.phase == Phase::kForgotten) return;
    // An older leader knows no rejection after a claim: it would wait for an instance that no cell has.
    if (state_.phase == Phase::kEnded && state_.fact.kind == Kind::kRejected) {
      return Tell({.kind = Kind::kCrashed, .reason = state_.fact.reason});
    }
    state_.silent = true;
    NoFact();
    if (HasShim(state_.phase)) return Stop(default_grace_ms_);
    if (state_.phase != Phase::kStopping) Forget();
  }

  void On(const event::RunOrdered&) {
    if (state_.fact.kind != Kind::kNone) Do(Action::kReport);
  }

  void On(const event::StopOrdered& order) {
    if (state_.phase == Phase::kForgotten) return;
    if (state_.phase == Phase::kEnded) return Do(Action::kReport);
    state_.stop_ordered = true;
    state_.silent = false;
    if (HasShim(state_.phase)) {
      NoFact();
      return Stop(order.grace_ms);
    }
    if (state_.phase == Phase::kStopping) {
      // The same order again is no second SIGTERM: many programs take that for "at once".
      if (order.grace_ms < state_.grace_ms) Stop(order.grace_ms);
      return;
    }
    End({});
  }

  void On(const event::DefinitionHere&) {
    if (state_.phase != Phase::kFetching && state_.phase != Phase::kLaunching) return;
    state_.phase = Phase::kLaunching;
    Do(Action::kLaunch);
  }

  void On(const event::CannotRun& failure) {
    if (state_.phase == Phase::kFetching || state_.phase == Phase::kLaunching || state_.phase == Phase::kStopping) {
      End({std::nullopt, failure.reason, ""});
    }
  }

  void On(const event::Lacks& lacks) {
    if (state_.phase == Phase::kFetching || state_.phase == Phase::kLaunching || state_.phase == Phase::kStopping) {
      EndRejected(lacks.reason, lacks.lack);
    }
  }

  void On(const event::ShimUp&) {
    if (state_.phase == Phase::kLaunching) state_.phase = Phase::kStarting;
    if (state_.phase == Phase::kStopping) Do(Action::kStopShim);  // it was told to before it could be
  }

  void On(const event::ShimEnded& end) {
    if (!HasShim(state_.phase) && state_.phase != Phase::kStopping) return;
    end.lacks ? EndRejected(end.reason, Lack::kCell) : End(end);
  }

  void On(const event::ShimStuck&) {
    if (state_.phase == Phase::kStopping) Do(Action::kKillShim);
  }

  void On(const event::Ready&) {
    if (state_.phase != Phase::kStarting) return;
    state_.phase = Phase::kRunning;
    state_.was_running = true;
    Tell({.kind = Kind::kStarted, .routable = true});
  }

  void On(const event::NotReadyInTime& late) {
    // Neither the definition's coming nor the shim's is the app's work.
    if (state_.phase == Phase::kFetching) return EndRejected(late.reason, Lack::kCell);
    if (state_.phase != Phase::kLaunching && state_.phase != Phase::kStarting) return;
    state_.crash_reason = late.reason;
    Stop(default_grace_ms_);
  }

  void On(const event::ReadinessChanged& change) {
    if (state_.phase != Phase::kRunning || state_.fact.routable == change.ready) return;
    Tell({.kind = Kind::kStarted, .routable = change.ready});
  }

  void On(const event::LivenessLost& lost) {
    if (state_.phase != Phase::kRunning) return;
    state_.crash_reason = lost.reason;
    // Its end takes its time; requests should stop to come at once.
    if (state_.fact.routable) Tell({.kind = Kind::kStarted, .routable = false});
    Stop(default_grace_ms_);
  }

  void On(const event::CellLeaves&) {
    const bool ours = HasShim(state_.phase) || state_.phase == Phase::kFetching;
    if (!ours) return;  // one that is stopping goes on; a claim or a last report is repeated when the cell is back
    state_.crash_reason = "the cell was shut down";
    NoFact();
    if (state_.phase == Phase::kFetching) return EndRejected(state_.crash_reason, Lack::kCell);
    Stop(default_grace_ms_);
  }

 private:
  void Do(Action action) { actions_.push_back(action); }

  void Tell(Fact fact) {
    fact.number = state_.fact.number + 1;
    state_.fact = std::move(fact);
    state_.answered = false;
    Do(Action::kReport);
  }

  // What was to be told is overtaken, and what replaces it has not happened yet.
  void NoFact() {
    state_.fact = {.number = state_.fact.number + 1};
    state_.answered = true;
  }

  void Stop(std::int64_t grace_ms) {
    state_.phase = Phase::kStopping;
    state_.grace_ms = grace_ms;
    Do(Action::kStopShim);
  }

  void Forget() {
    state_.phase = Phase::kForgotten;
    Do(Action::kForget);
  }

  void End(const event::ShimEnded& end) {
    if (state_.silent) return Forget();
    state_.phase = Phase::kEnded;
    if (state_.stop_ordered) return Tell({.kind = Kind::kStopped, .exit_status = end.exit_status});
    Tell({.kind = Kind::kCrashed,
          .exit_status = end.exit_status,
          .reason = state_.crash_reason.empty() ? end.reason : state_.crash_reason,
          .last_output = end.last_output});
  }

  // It is another cell's to run, unless it was to end anyway.
  void EndRejected(const std::string& reason, Lack lack) {
    if (state_.silent || state_.stop_ordered || state_.was_running) return End({std::nullopt, reason, ""});
    state_.phase = Phase::kEnded;
    Tell({.kind = Kind::kRejected, .reason = state_.crash_reason.empty() ? reason : state_.crash_reason, .lack = lack});
  }

  InstanceState state_;
  std::int64_t default_grace_ms_;
  std::vector<Action> actions_;
};

}  // namespace

std::string_view Name(InstancePhase phase) { return NameOf(kPhaseNames, phase); }
std::string_view Name(Fact::Kind kind) { return NameOf(kFactNames, kind); }

std::optional<InstancePhase> ParseInstancePhase(std::string_view name) {
  for (const auto& [phase, known] : kPhaseNames) {
    if (known == name) return phase;
  }
  return std::nullopt;
}

std::optional<Fact::Kind> ParseFactKind(std::string_view name) {
  for (const auto& [kind, known] : kFactNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

InstanceStep BeginInstance() {
  InstanceStep step;
  step.state.fact = {.kind = Kind::kClaimed, .number = 1};
  step.actions = {Action::kReport};
  return step;
}

InstanceStep React(InstanceState state, const InstanceEvent& event, std::int64_t default_grace_ms) {
  Law law(std::move(state), default_grace_ms);
  std::visit([&law](const auto& happened) { law.On(happened); }, event);
  return std::move(law).Take();
}

std::vector<InstanceAction> Resume(const InstanceState& state) {
  switch (state.phase) {
    case Phase::kClaiming:
    case Phase::kEnded: return {Action::kReport};
    case Phase::kFetching:
    case Phase::kLaunching:  // launching twice has the effect of once: the directory's lock sees to it
      return {Action::kFetch};
    case Phase::kStarting:
    case Phase::kRunning:
    case Phase::kStopping:
      return state.fact.kind == Kind::kNone ? std::vector<Action>{} : std::vector<Action>{Action::kReport};
    case Phase::kForgotten: return {};
  }
  return {};
}

}  // namespace baton::cell
