// One suite for both stores: what simulation assumes of the fake, the real one must do.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/app/leader/drive.h"
#include "orchestrator/roll/transition.h"
#include "tests/conformance/conformance.h"

namespace baton {
namespace {

std::vector<std::string> Kinds(const std::vector<StoreHarness::Told>& events) {
  std::vector<std::string> kinds;
  for (const StoreHarness::Told& event : events) kinds.push_back(event.kind);
  return kinds;
}

TEST_P(Conformance, WhatWasDesiredIsReadBackToTheLastByte) {
  ASSERT_TRUE(Desire(2).ok());
  const AppState app = harness_->Read(kApp);
  const DesiredLrp asked = App(2).desired;
  ASSERT_TRUE(app.desired);
  EXPECT_EQ(app.desired->annotation, asked.annotation);
  EXPECT_EQ(app.desired->routes, asked.routes);
  EXPECT_EQ(app.desired->strategy, asked.strategy);
  EXPECT_EQ(app.desired->image_password, "secret");
  Definition definition = app.definitions.at({app.desired->incarnation, DefinitionId("v1")});
  definition.created_at = TimePoint();
  EXPECT_EQ(definition, Version("v1").definition);
  ASSERT_TRUE(app.roll);
  EXPECT_EQ(app.roll->state, RollState::kRolling);
  EXPECT_TRUE(app.roll->source.empty());
}

TEST_P(Conformance, DefinitionDesiredRowRollAndEventsComeInOneCommit) {
  ASSERT_TRUE(Desire(1).ok());
  EXPECT_EQ(harness_->commits(), 1);
  EXPECT_EQ(Kinds(harness_->EventsAfter(0)),
            (std::vector<std::string>{"desired_created", "definition_created", "roll_opened", "roll_step"}));
}

TEST_P(Conformance, ARefusedCallLeavesNothing) {
  const Status status = harness_->Do(kApp, [](AppEdit& edit) {
    if (Status desired = DecideDesire(edit, App(1)); !desired) return desired;
    return Status(Error{ErrorKind::kAborted, "changed my mind", {}});
  });
  EXPECT_EQ(status.error().kind, ErrorKind::kAborted);
  const AppState app = harness_->Read(kApp);
  EXPECT_FALSE(app.desired);
  EXPECT_TRUE(app.definitions.empty());
  EXPECT_TRUE(Kinds(harness_->EventsAfter(0)).empty());
}

TEST_P(Conformance, AChangeThatComesToNothingIsNoChange) {
  ASSERT_TRUE(Desire(1).ok());
  ASSERT_TRUE(Plan().ok());
  StartAll();
  const AppState before = harness_->Read(kApp);
  const std::size_t events = Kinds(harness_->EventsAfter(0)).size();
  const ActualLrp lrp = before.actuals.begin()->second;
  TestCall again{{.name = "claim", .guid = kApp, .instance = lrp.id}};
  again.decide = [=](AppEdit& edit) { return DecideClaim(edit, {lrp.id, lrp.instance_guid, lrp.cell_id}); };
  EXPECT_TRUE(harness_->Do(std::move(again)).ok());
  EXPECT_EQ(harness_->Read(kApp).actuals.at(lrp.id).tag, lrp.tag);
  EXPECT_EQ(Kinds(harness_->EventsAfter(0)).size(), events);
}

TEST_P(Conformance, AnInstanceIsReadBackAsItWas) {
  ASSERT_TRUE(Desire(1).ok());
  ASSERT_TRUE(Plan().ok());
  StartAll();
  const AppState app = harness_->Read(kApp);
  const ActualLrp& lrp = app.actuals.begin()->second;
  EXPECT_EQ(lrp.state, LrpState::kRunning);
  EXPECT_TRUE(lrp.routable);
  EXPECT_EQ(lrp.cell_id.str(), "cell-1");
  EXPECT_EQ(lrp.net_info, (NetInfo{"10.0.0.1", "10.0.0.2", {{8080, 61000}, {9090, 61001}}}));
  EXPECT_EQ(lrp.zone, "z1");
  EXPECT_EQ(lrp.tag.index, 2u);  // claimed, started
  EXPECT_FALSE(lrp.roll_id.empty());
}

TEST_P(Conformance, AStartThatIsOverStaysKnown) {
  ASSERT_TRUE(Desire(1).ok());
  ASSERT_TRUE(Plan().ok());
  StartAll();
  const ActualLrp ran = harness_->Read(kApp).actuals.begin()->second;
  const InstanceRef ref{ran.id, ran.instance_guid, ran.cell_id};
  ASSERT_TRUE(harness_->Do(kApp, [=](AppEdit& edit) { return DecideForgotten(edit, ref); }).ok());
  const ActualLrp lrp = harness_->Read(kApp).actuals.at(ran.id);
  EXPECT_TRUE(lrp.instance_guid.empty());
  EXPECT_EQ(lrp.ended_starts, std::vector{ran.instance_guid});
  TestCall late{{.name = "claim", .guid = kApp, .instance = ran.id}};
  late.decide = [=](AppEdit& edit) { return DecideClaim(edit, ref); };
  EXPECT_FALSE(harness_->Do(std::move(late)).ok());
}

TEST_P(Conformance, ARollThatWaitsAtAStageIsReadBackAsItWas) {
  ASSERT_TRUE(harness_
                  ->Do(kApp,
                       [](AppEdit& edit) {
                         DesireRequest request = App(2);
                         request.desired.strategy.stages = {{{1}, seconds(90)}, {{50, true}, std::nullopt}};
                         return DecideDesire(edit, request);
                       })
                  .ok());
  EXPECT_EQ(harness_->Read(kApp).desired->strategy.stages.size(), 2u);
  EXPECT_EQ(harness_->Read(kApp).desired->strategy.stages[0], (Stage{{1}, seconds(90)}));
  EXPECT_EQ(harness_->Read(kApp).desired->strategy.stages[1], (Stage{{50, true}, std::nullopt}));
  const auto ask = [&](RollEvent event) {
    return harness_->Do(kApp, [=](AppEdit& edit) { return ApplyRollEvent(edit, event, "the test"); });
  };
  ASSERT_TRUE(ask(RollEvent::kStage).ok());
  ASSERT_TRUE(ask(RollEvent::kPause).ok());
  const Roll waits = *harness_->Read(kApp).roll;
  EXPECT_EQ(waits.state, RollState::kPaused);
  EXPECT_TRUE(waits.paused_by_hand);
  EXPECT_EQ(waits.strategy, harness_->Read(kApp).desired->strategy);
  EXPECT_TRUE(waits.stage_since);
  ASSERT_TRUE(ask(RollEvent::kPromote).ok());
  ASSERT_TRUE(ask(RollEvent::kResume).ok());
  const Roll goes = *harness_->Read(kApp).roll;
  EXPECT_EQ(goes.state, RollState::kRolling);
  EXPECT_EQ(goes.stages_done, 1);
  EXPECT_FALSE(goes.stage_since || goes.paused_by_hand);
}

TEST_P(Conformance, ACallOfOneInstanceSeesItAlone) {
  ASSERT_TRUE(Desire(3).ok());
  ASSERT_TRUE(Plan().ok());
  const ActualId id = harness_->Read(kApp).actuals.begin()->first;
  TestCall call{{.name = "look", .guid = kApp, .instance = id}};
  std::size_t seen = 0;
  call.decide = [&](AppEdit& edit) {
    seen = edit.state().actuals.size();
    return Status(Done{});
  };
  ASSERT_TRUE(harness_->Do(std::move(call)).ok());
  EXPECT_EQ(seen, 1u);
}

TEST_P(Conformance, AHandOverSwapsTwoRowsInOneCommit) {
  ASSERT_TRUE(Desire(1).ok());
  ASSERT_TRUE(Plan().ok());
  harness_->GiveCellLease(CellId("cell-1"), false);
  StartAll();
  ASSERT_TRUE(Plan().ok());  // min_healthy_time is 0: proven, completed
  ASSERT_FALSE(harness_->Read(kApp).roll);
  ASSERT_TRUE(UpdateTo("v2").ok());
  ASSERT_TRUE(Plan().ok());
  ASSERT_NE(Find(harness_->Read(kApp), Presence::kSurge), nullptr);
  StartAll();
  ASSERT_TRUE(Plan().ok());
  const AppState app = harness_->Read(kApp);
  ASSERT_NE(Find(app, Presence::kOrdinary), nullptr);
  EXPECT_EQ(Find(app, Presence::kOrdinary)->definition.str(), "v2");
  ASSERT_NE(Find(app, Presence::kRetiring), nullptr);
  EXPECT_EQ(Find(app, Presence::kRetiring)->definition.str(), "v1");
  EXPECT_EQ(app.desired->healthy.str(), "v2");
  EXPECT_EQ(app.past_rolls.size(), 2u);
}

// An app that is updated all day: each update takes the newest of its past rolls in hand, not all there are.
TEST_P(Conformance, TheNewestPastRollsAreLookedAt) {
  ASSERT_TRUE(Desire(1).ok());
  for (std::size_t i = 0; i < kPastRollsMax + 5; ++i) {
    ASSERT_TRUE(UpdateTo("w" + std::to_string(i)).ok());  // the roll before it is superseded
  }
  const AppState app = harness_->Read(kApp);
  ASSERT_EQ(app.past_rolls.size(), kPastRollsMax);
  EXPECT_EQ(app.past_rolls.front().target.str(), "w23");
  EXPECT_EQ(app.past_rolls.back().target.str(), "w4");
}

TEST_P(Conformance, ADefinitionInUseCannotBeDeleted) {
  ASSERT_TRUE(Desire(1).ok());
  const std::int64_t incarnation = harness_->Read(kApp).desired->incarnation;
  EXPECT_FALSE(harness_->DeleteDefinition(kApp, {incarnation, DefinitionId("v1")}));
  ASSERT_TRUE(Plan().ok());
  ASSERT_TRUE(UpdateTo("v2").ok());
  // Not active any more; held by an UNCLAIMED instance, and the roll's source.
  EXPECT_FALSE(harness_->DeleteDefinition(kApp, {incarnation, DefinitionId("v1")}));
  EXPECT_FALSE(harness_->DeleteDefinition(kApp, {incarnation, DefinitionId("v2")}));
}

// M1: an election waits for whoever writes in the epoch that it ends, and after it nothing is written in that one.
TEST_P(Conformance, ADeposedLeaderWritesNothingAndNoElectionOvertakesAWriter) {
  bool overtaken = true;
  ASSERT_TRUE(harness_->Do(kApp, [&](AppEdit& edit) {
    overtaken = harness_->Elect();
    return DecideDesire(edit, App(1));
  }));
  EXPECT_FALSE(overtaken);
  EXPECT_TRUE(harness_->Read(kApp).desired);
  ASSERT_TRUE(harness_->Elect());
  bool decided = false;
  const Status refused = harness_->Do(kApp, [&](AppEdit& edit) {
    decided = true;
    return DecideRemove(edit);
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_FALSE(decided);
  EXPECT_TRUE(harness_->Read(kApp).desired);
}

// M11: it is collected while somebody is about to start an instance of it.
TEST_P(Conformance, WhatIsCollectedInMidTransactionIsNotReferredTo) {
  ASSERT_TRUE(Desire(1));
  const std::int64_t incarnation = harness_->Read(kApp).desired->incarnation;
  const DefinitionKey old{incarnation, DefinitionId("v2")};
  ASSERT_TRUE(harness_->Do(kApp, [&](AppEdit& edit) {
    edit.InsertDefinition(incarnation, Version("v2").definition, "");
    return Status(Done{});
  }));
  bool collected = false;
  const Status made = harness_->Do(kApp, [&](AppEdit& edit) {
    collected = collected || harness_->DeleteDefinition(kApp, old);
    edit.Insert({.incarnation = incarnation, .index = 7, .definition = old.id});
    return Status(Done{});
  });
  EXPECT_TRUE(collected);
  EXPECT_FALSE(made) << "nothing may refer to what is not there";
  for (const auto& [id, lrp] : harness_->Read(kApp).actuals) EXPECT_NE(lrp.definition, old.id);
}

// M12: a transaction that took a lower sequence commits after one that took a higher one.
TEST_P(Conformance, AReaderOfEventsMissesNoneThatIsCommittedLate) {
  const auto commit_late = harness_->BeginEvent("late");
  ASSERT_TRUE(Desire(1));
  std::vector<StoreHarness::Told> told = harness_->EventsAfter(0);
  const std::int64_t seen = told.empty() ? 0 : told.back().sequence;
  commit_late();
  for (StoreHarness::Told& event : harness_->EventsAfter(seen)) told.push_back(std::move(event));
  const auto kinds = Kinds(told);
  EXPECT_EQ(std::ranges::count(kinds, "late"), 1);
  EXPECT_EQ(std::ranges::count(kinds, "desired_created"), 1);
  EXPECT_TRUE(std::ranges::is_sorted(told, {}, &StoreHarness::Told::sequence));
}

TEST_P(Conformance, AnAppComesBackAsANewIncarnation) {
  harness_->GiveCellLease(CellId("cell-1"), false);
  ASSERT_TRUE(Desire(1).ok());
  ASSERT_TRUE(Plan().ok());
  StartAll();
  const std::int64_t first = harness_->Read(kApp).desired->incarnation;
  ASSERT_TRUE(harness_->Do(kApp, DecideRemove).ok());
  AppState app = harness_->Read(kApp);
  EXPECT_FALSE(app.desired);
  ASSERT_EQ(app.actuals.size(), 1u);
  EXPECT_EQ(app.actuals.begin()->second.presence, Presence::kRetiring);
  ASSERT_TRUE(Desire(2).ok());
  ASSERT_TRUE(Plan().ok());
  app = harness_->Read(kApp);
  EXPECT_GT(app.desired->incarnation, first);
  EXPECT_EQ(app.actuals.size(), 3u);
  EXPECT_TRUE(app.past_rolls.empty());  // nothing of an older incarnation counts
}

TEST_P(Conformance, AKeyMakesTwoCallsOne) {
  const auto call = [&](const std::string& hash, int& decided, std::string& replayed) {
    TestCall c{{.name = "scale", .guid = kApp}};
    c.idempotency_key = "key-1";
    c.request_hash = hash;
    c.decide = [&](AppEdit& edit) {
      ++decided;
      ++edit.ChangeDesired().instances;
      return Status(Done{});
    };
    c.encode = [] { return std::string("answer \0 with every byte", 24); };
    c.replay = [&](const std::string& answer) { return replayed = answer, true; };
    return c;
  };
  ASSERT_TRUE(Desire(1).ok());
  int decided = 0;
  std::string replayed;
  EXPECT_TRUE(harness_->Do(call("h1", decided, replayed)).ok());
  EXPECT_TRUE(harness_->Do(call("h1", decided, replayed)).ok());
  EXPECT_EQ(decided, 1);
  EXPECT_EQ(replayed, std::string("answer \0 with every byte", 24));
  EXPECT_EQ(harness_->Read(kApp).desired->instances, 2);
  EXPECT_EQ(harness_->Do(call("h2", decided, replayed)).error().kind, ErrorKind::kAborted);
}

TEST_P(Conformance, DecisionsSeeLeasesAndConsumersOfTheSameInstant) {
  harness_->RegisterConsumer(ConsumerId("router-1"));
  harness_->GiveCellLease(CellId("cell-1"), false);
  harness_->GiveCellLease(CellId("cell-2"), true);
  ASSERT_TRUE(harness_
                  ->Do(kApp,
                       [](AppEdit& edit) {
                         EXPECT_EQ(edit.moment().consumers, std::set<ConsumerId>{ConsumerId("router-1")});
                         EXPECT_FALSE(edit.moment().Lost(CellId("cell-1")));
                         EXPECT_TRUE(edit.moment().Lost(CellId("cell-2")));
                         EXPECT_TRUE(edit.moment().Lost(CellId("nobody")));
                         return Status(Done{});
                       })
                  .ok());
}

TEST_P(Conformance, FailedAttemptsAreCountedFromTheStepLog) {
  ASSERT_TRUE(Desire(1).ok());
  ASSERT_TRUE(Plan().ok());
  for (int attempt = 1; attempt <= 2; ++attempt) {
    ASSERT_TRUE(harness_
                    ->Do(kApp,
                         [](AppEdit& edit) {
                           edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 0, .text = "exit status 1"});
                           return Status(Done{});
                         })
                    .ok());
    EXPECT_EQ(harness_->Read(kApp).slot_logs.at(0).failed_attempts, attempt);
    EXPECT_EQ(harness_->Read(kApp).slot_logs.at(0).late_failures, 0);
  }
  for (const StepKind kind : {StepKind::kHandedOver, StepKind::kAttemptFailed}) {
    ASSERT_TRUE(harness_
                    ->Do(kApp,
                         [kind](AppEdit& edit) {
                           edit.LogStep({.kind = kind, .index = 0, .text = "exit status 2"});
                           return Status(Done{});
                         })
                    .ok());
  }
  EXPECT_EQ(harness_->Read(kApp).slot_logs.at(0).late_failures, 1);
  EXPECT_EQ(harness_->Read(kApp).slot_logs.at(0).last_failure, "exit status 2");
  ASSERT_TRUE(harness_
                  ->Do(kApp,
                       [](AppEdit& edit) {
                         edit.CountFailuresAnew();
                         return Status(Done{});
                       })
                  .ok());
  const AppState app = harness_->Read(kApp);
  const auto log = app.slot_logs.find(0);
  EXPECT_EQ(log == app.slot_logs.end() ? 0 : log->second.failed_attempts, 0);
}

// Any history of a roll: what the rows say of a slot is what its steps say, one after the other.
TEST_P(Conformance, SlotLogsAreWhatTheStepsSayOneAfterTheOther) {
  constexpr int kSlots = 8;
  ASSERT_TRUE(Desire(kSlots).ok());
  std::mt19937 random(7);
  const auto below = [&random](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  std::map<int, SlotLog> expected;
  for (int commit = 0; commit < 60; ++commit) {
    const auto decide = [&](AppEdit& edit) {
      for (int step = below(5); step >= 0; --step) {
        // A slot is handed over late in its life, as a rule, so that most have failures before and after.
        const int drawn = below(20);
        const StepKind kind = drawn == 0   ? StepKind::kProven
                              : drawn == 1 ? StepKind::kHandedOver
                              : drawn < 6  ? StepKind::kStopOrdered
                                           : StepKind::kAttemptFailed;
        const int index = below(kSlots + 1) - 1;
        const std::string text = "exit status " + std::to_string(below(100));
        edit.LogStep({.kind = kind, .index = index, .text = text});
        if (index < 0) continue;
        SlotLog& slot = expected[index];
        if (kind == StepKind::kAttemptFailed) {
          slot.late_failures += slot.handed_over ? 1 : 0;
          slot = {slot.failed_attempts + 1, edit.now(), text, slot.handed_over, slot.late_failures};
        }
        slot.handed_over |= kind == StepKind::kProven || kind == StepKind::kHandedOver;
      }
      if (below(8) == 0) {
        edit.CountFailuresAnew();
        for (auto& [index, slot] : expected) slot = {.handed_over = slot.handed_over};
      }
      return Status(Done{});
    };
    ASSERT_TRUE(harness_->Do(kApp, decide).ok());
    const AppState app = harness_->Read(kApp);
    for (int index = 0; index < kSlots; ++index) {
      const auto at = app.slot_logs.find(index);
      const SlotLog read = at == app.slot_logs.end() ? SlotLog() : at->second;
      const SlotLog& slot = expected[index];
      EXPECT_EQ(
          std::tie(read.failed_attempts, read.last_failure_at, read.last_failure, read.handed_over, read.late_failures),
          std::tie(slot.failed_attempts, slot.last_failure_at, slot.last_failure, slot.handed_over, slot.late_failures))
          << "commit " << commit << ", slot " << index;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, Conformance, ::testing::Values(FakeHarness(), PostgresHarness()),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace baton
