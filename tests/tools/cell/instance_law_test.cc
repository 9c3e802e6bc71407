#include "tools/cell/instances/instance_law.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace baton::cell {
namespace {

using Phase = InstancePhase;
using Action = InstanceAction;
using Kind = Fact::Kind;
using Actions = std::vector<InstanceAction>;

constexpr std::int64_t kGraceMs = 10'000;

// A state as it is when a phase was reached on the ordinary way.
InstanceState In(Phase phase) {
  InstanceState state = BeginInstance().state;
  state.phase = phase;
  if (phase == Phase::kRunning) {
    state.fact = {.kind = Kind::kStarted, .routable = true, .number = 2};
    state.was_running = true;
  }
  if (phase == Phase::kStopping) {
    state.fact = {.number = 2};
    state.stop_ordered = true;
    state.grace_ms = 5000;
  }
  if (phase == Phase::kEnded) state.fact = {.kind = Kind::kCrashed, .reason = "x", .number = 3};
  return state;
}

InstanceStep After(const InstanceState& state, const InstanceEvent& event) { return React(state, event, kGraceMs); }
InstanceStep After(Phase phase, const InstanceEvent& event) { return After(In(phase), event); }

const char* NameOf(Action action) {
  switch (action) {
    case Action::kFetch: return "fetch";
    case Action::kLaunch: return "launch";
    case Action::kStopShim: return "stop";
    case Action::kKillShim: return "kill";
    case Action::kReport: return "report";
    case Action::kForget: return "forget";
  }
  return "";
}

// "-" where nothing changes, else "PHASE fact: actions".
std::string Outcome(const InstanceState& before, const InstanceStep& step) {
  if (step.state == before && step.actions.empty()) return "-";
  std::string text(Name(step.state.phase));
  if (step.state.fact.kind != before.fact.kind) text.append(" ").append(Name(step.state.fact.kind));
  for (const Action action : step.actions) text.append(" +").append(NameOf(action));
  return text;
}

// The whole law, phase by event: a change of it is seen here as what it changes.
TEST(InstanceLaw, WholeTable) {
  const std::vector<std::pair<const char*, InstanceEvent>> events{
      {"accepted", event::Accepted{1}},
      {"refused", event::Refused{}},
      {"run ordered", event::RunOrdered{}},
      {"stop ordered", event::StopOrdered{7000}},
      {"definition", event::DefinitionHere{}},
      {"cannot run", event::CannotRun{"no"}},
      {"lacks", event::Lacks{"no port", Lack::kHostPorts}},
      {"shim up", event::ShimUp{}},
      {"shim ended", event::ShimEnded{1, "why", "out"}},
      {"shim stuck", event::ShimStuck{}},
      {"ready", event::Ready{}},
      {"not ready", event::NotReadyInTime{"late"}},
      {"unready", event::ReadinessChanged{false}},
      {"unhealthy", event::LivenessLost{"ill"}},
      {"cell leaves", event::CellLeaves{}},
  };
  std::ostringstream table;
  for (const auto& [name, event] : events) {
    for (const Phase phase : {Phase::kClaiming, Phase::kFetching, Phase::kLaunching, Phase::kStarting, Phase::kRunning,
                              Phase::kStopping, Phase::kEnded, Phase::kForgotten}) {
      InstanceState state = In(phase);
      InstanceEvent happened = event;
      if (auto* accepted = std::get_if<event::Accepted>(&happened)) accepted->fact_number = state.fact.number;
      const std::string outcome = Outcome(state, After(state, happened));
      if (outcome != "-") table << Name(phase) << " | " << name << " | " << outcome << "\n";
    }
  }
  EXPECT_EQ(table.str(), R"(CLAIMING | accepted | FETCHING +fetch
FETCHING | accepted | FETCHING
LAUNCHING | accepted | LAUNCHING
STARTING | accepted | STARTING
RUNNING | accepted | RUNNING
STOPPING | accepted | STOPPING
ENDED | accepted | FORGOTTEN +forget
FORGOTTEN | accepted | FORGOTTEN
CLAIMING | refused | FORGOTTEN none +forget
FETCHING | refused | FORGOTTEN none +forget
LAUNCHING | refused | STOPPING none +stop
STARTING | refused | STOPPING none +stop
RUNNING | refused | STOPPING none +stop
STOPPING | refused | STOPPING
ENDED | refused | FORGOTTEN none +forget
CLAIMING | run ordered | CLAIMING +report
FETCHING | run ordered | FETCHING +report
LAUNCHING | run ordered | LAUNCHING +report
STARTING | run ordered | STARTING +report
RUNNING | run ordered | RUNNING +report
ENDED | run ordered | ENDED +report
FORGOTTEN | run ordered | FORGOTTEN +report
CLAIMING | stop ordered | ENDED stopped +report
FETCHING | stop ordered | ENDED stopped +report
LAUNCHING | stop ordered | STOPPING none +stop
STARTING | stop ordered | STOPPING none +stop
RUNNING | stop ordered | STOPPING none +stop
ENDED | stop ordered | ENDED +report
FETCHING | definition | LAUNCHING +launch
LAUNCHING | definition | LAUNCHING +launch
FETCHING | cannot run | ENDED crashed +report
LAUNCHING | cannot run | ENDED crashed +report
STOPPING | cannot run | ENDED stopped +report
FETCHING | lacks | ENDED rejected +report
LAUNCHING | lacks | ENDED rejected +report
STOPPING | lacks | ENDED stopped +report
LAUNCHING | shim up | STARTING
STOPPING | shim up | STOPPING +stop
LAUNCHING | shim ended | ENDED crashed +report
STARTING | shim ended | ENDED crashed +report
RUNNING | shim ended | ENDED crashed +report
STOPPING | shim ended | ENDED stopped +report
STOPPING | shim stuck | STOPPING +kill
STARTING | ready | RUNNING started +report
FETCHING | not ready | ENDED rejected +report
LAUNCHING | not ready | STOPPING +stop
STARTING | not ready | STOPPING +stop
RUNNING | unready | RUNNING +report
RUNNING | unhealthy | STOPPING +report +stop
FETCHING | cell leaves | ENDED rejected +report
LAUNCHING | cell leaves | STOPPING none +stop
STARTING | cell leaves | STOPPING none +stop
RUNNING | cell leaves | STOPPING none +stop
)");
}

TEST(InstanceLaw, NothingIsFetchedOrLaunchedBeforeTheClaimIsAccepted) {
  EXPECT_EQ(BeginInstance().actions, Actions{Action::kReport});
  EXPECT_EQ(BeginInstance().state.fact.kind, Kind::kClaimed);
  EXPECT_TRUE(After(Phase::kClaiming, event::DefinitionHere{}).actions.empty());
  EXPECT_TRUE(After(Phase::kClaiming, event::Accepted{99}).actions.empty());
}

TEST(InstanceLaw, AnAnswerToAnOlderFactChangesNothing) {
  InstanceState ended = In(Phase::kEnded);
  EXPECT_EQ(After(ended, event::Accepted{ended.fact.number - 1}).state, ended);
  EXPECT_EQ(After(ended, event::Accepted{ended.fact.number}).state.phase, Phase::kForgotten);
}

TEST(InstanceLaw, EachFactHasAHigherNumber) {
  InstanceState state = In(Phase::kStarting);
  std::uint64_t last = state.fact.number;
  for (const InstanceEvent& event : {InstanceEvent(event::Ready{}), InstanceEvent(event::ReadinessChanged{false}),
                                     InstanceEvent(event::ReadinessChanged{true}), InstanceEvent(event::StopOrdered{1}),
                                     InstanceEvent(event::ShimEnded{})}) {
    state = After(state, event).state;
    EXPECT_GT(state.fact.number, last);
    last = state.fact.number;
  }
}

TEST(InstanceLaw, ReadinessThatIsNoNewsIsNotReported) {
  EXPECT_TRUE(After(Phase::kRunning, event::ReadinessChanged{true}).actions.empty());
}

TEST(InstanceLaw, ReasonOfACrashIsWhyItWasStoppedNotHowItDied) {
  for (const auto& [phase, event, reason] :
       {std::tuple(Phase::kStarting, InstanceEvent(event::NotReadyInTime{"late"}), "late"),
        std::tuple(Phase::kRunning, InstanceEvent(event::LivenessLost{"ill"}), "ill"),
        std::tuple(Phase::kRunning, InstanceEvent(event::CellLeaves{}), "the cell was shut down")}) {
    const InstanceState stopping = After(phase, event).state;
    const Fact fact = After(stopping, event::ShimEnded{-15, "killed", "out"}).state.fact;
    EXPECT_EQ(fact.kind, Kind::kCrashed);
    EXPECT_EQ(fact.reason, reason);
    EXPECT_EQ(fact.exit_status, -15);
    EXPECT_EQ(fact.last_output, "out");
  }
}

// Issue 20: "no free port on the cell" was a crash, rolled the app back, and the good version was refused afterwards.
TEST(InstanceLaw, WhatTheCellLacksIsARejectionAndNoCrash) {
  for (const auto& [phase, event] :
       {std::pair(Phase::kLaunching, InstanceEvent(event::Lacks{"no port", Lack::kHostPorts})),
        std::pair(Phase::kStarting, InstanceEvent(event::ShimEnded{std::nullopt, "cannot fork", "", true})),
        std::pair(Phase::kFetching, InstanceEvent(event::NotReadyInTime{"late"}))}) {
    const InstanceStep step = After(phase, event);
    EXPECT_EQ(step.state.phase, Phase::kEnded);
    EXPECT_EQ(step.state.fact.kind, Kind::kRejected);
    EXPECT_EQ(step.actions, Actions{Action::kReport});
    EXPECT_EQ(After(step.state, event::Accepted{step.state.fact.number}).state.phase, Phase::kForgotten);
  }
  EXPECT_EQ(After(Phase::kLaunching, event::Lacks{"x", Lack::kDisk}).state.fact.lack, Lack::kDisk);
  EXPECT_EQ(After(Phase::kStarting, event::ShimEnded{1, "exited with status 1", ""}).state.fact.kind, Kind::kCrashed);
}

TEST(InstanceLaw, ALeaderThatKnowsNoRejectionAfterAClaimIsToldOfACrash) {
  const InstanceState rejected = After(Phase::kLaunching, event::Lacks{"no port", Lack::kHostPorts}).state;
  const InstanceStep again = After(rejected, event::Refused{});
  EXPECT_EQ(again.state.fact.kind, Kind::kCrashed);
  EXPECT_EQ(again.state.fact.reason, "no port");
  EXPECT_EQ(again.actions, Actions{Action::kReport});
  EXPECT_EQ(After(again.state, event::Refused{}).state.phase, Phase::kForgotten);
}

TEST(InstanceLaw, WhatWasToldToStopIsStoppedWhateverTheCellLacks) {
  EXPECT_EQ(After(Phase::kStopping, event::ShimEnded{std::nullopt, "x", "", true}).state.fact.kind, Kind::kStopped);
}

TEST(InstanceLaw, RefusedIsStoppedWithoutAWord) {
  InstanceStep step = After(Phase::kRunning, event::Refused{});
  EXPECT_EQ(step.actions, Actions{Action::kStopShim});
  step = After(step.state, event::ShimEnded{0, "", ""});
  EXPECT_EQ(step.actions, Actions{Action::kForget});
  EXPECT_EQ(step.state.fact.kind, Kind::kNone);
}

TEST(InstanceLaw, StopOrderedAfterARefusalIsAnsweredAllTheSame) {
  InstanceState state = After(Phase::kRunning, event::Refused{}).state;
  state = After(state, event::StopOrdered{100}).state;
  EXPECT_EQ(After(state, event::ShimEnded{0, "", ""}).state.fact.kind, Kind::kStopped);
}

TEST(InstanceLaw, SecondStopOrderSignalsOnlyToShortenTheGrace) {
  const InstanceState stopping = In(Phase::kStopping);
  EXPECT_TRUE(After(stopping, event::StopOrdered{5000}).actions.empty());
  EXPECT_TRUE(After(stopping, event::StopOrdered{6000}).actions.empty());
  const InstanceStep shorter = After(stopping, event::StopOrdered{100});
  EXPECT_EQ(shorter.actions, Actions{Action::kStopShim});
  EXPECT_EQ(shorter.state.grace_ms, 100);
}

TEST(InstanceLaw, UnhealthyLeavesTheRoutesBeforeItIsGone) {
  const InstanceStep step = After(Phase::kRunning, event::LivenessLost{"ill"});
  EXPECT_EQ(step.actions, (Actions{Action::kReport, Action::kStopShim}));
  EXPECT_EQ(step.state.fact.kind, Kind::kStarted);
  EXPECT_FALSE(step.state.fact.routable);
}

TEST(InstanceLaw, ResumesEachPhaseWhereItWas) {
  const std::map<Phase, Actions> expected{{Phase::kClaiming, {Action::kReport}}, {Phase::kFetching, {Action::kFetch}},
                                          {Phase::kLaunching, {Action::kFetch}}, {Phase::kStarting, {Action::kReport}},
                                          {Phase::kRunning, {Action::kReport}},  {Phase::kStopping, {}},
                                          {Phase::kEnded, {Action::kReport}},    {Phase::kForgotten, {}}};
  for (const auto& [phase, actions] : expected) EXPECT_EQ(Resume(In(phase)), actions) << Name(phase);
}

TEST(InstanceLaw, PhaseAndFactNamesAreReadBack) {
  for (int i = 0; i <= static_cast<int>(Phase::kForgotten); ++i) {
    EXPECT_EQ(ParseInstancePhase(Name(static_cast<Phase>(i))), static_cast<Phase>(i));
  }
  for (int i = 0; i <= static_cast<int>(Kind::kRejected); ++i) {
    EXPECT_EQ(ParseFactKind(Name(static_cast<Kind>(i))), static_cast<Kind>(i));
  }
  EXPECT_FALSE(ParseInstancePhase("DANCING"));
}

}  // namespace
}  // namespace baton::cell
