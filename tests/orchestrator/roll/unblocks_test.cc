// What an explanation says, holds: where something is not done there is a reason, and doing what a reason names
// unblocks it: it is gone, or the planner takes a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "orchestrator/app/apps/update.h"
#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/random_app.h"

namespace baton {
namespace {

constexpr int kBlockedApps = 300;
constexpr int kRounds = 40;

void AskRoll(AppMaker& maker, RollEvent event) {
  AppEdit edit(maker.app, maker.moment, "test");
  ASSERT_TRUE(ApplyRollEvent(edit, event, "the test").ok());
  (void)edit.Finish();
}

void WaitUntil(AppMaker& maker, const Reason& reason) {
  ASSERT_TRUE(reason.until);
  maker.Wait(*reason.until - maker.moment.now);
}

// Of the reason's slot.
void ForSlot(AppMaker& maker, const Reason& reason, const std::function<void(ActualLrp&)>& change) {
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.index == reason.index) change(lrp);
  }
}

void Ready(AppMaker& maker, ActualLrp& lrp) {
  if (lrp.presence == Presence::kRetiring || lrp.presence == Presence::kSuspect) return;
  AppMaker::Start(lrp, maker.moment.now - maker.strategy().progress_deadline);  // long enough after any crash
}

void Place(AppMaker& maker, const Reason& reason) {
  ForSlot(maker, reason, [&](ActualLrp& lrp) {
    if (lrp.state == LrpState::kUnclaimed) AppMaker::Start(lrp, maker.moment.now);
  });
}

void BecomeRoutable(AppMaker& maker, const Reason& reason) {
  ForSlot(maker, reason, [&](ActualLrp& lrp) {
    if (MayRun(lrp) && !lrp.routable && lrp.presence != Presence::kRetiring) AppMaker::Start(lrp, maker.moment.now);
  });
}

void Apply(AppMaker& maker, const Reason& reason) {
  ForSlot(maker, reason, [&](ActualLrp& lrp) {
    if (lrp.state == LrpState::kRunning) lrp.applied_by = maker.moment.consumers;
  });
}

void AnotherDefinition(AppMaker& maker, const Reason&) {
  Definition third = maker.app.definitions.at({1, DefinitionId("v2")});
  third.id = DefinitionId("v3");
  third.content_hash = "v3";
  maker.app.definitions.emplace(DefinitionKey{1, third.id}, third);
  AppEdit edit(maker.app, maker.moment, "test");
  ASSERT_TRUE(SwitchTo(edit, third.id, /*retry=*/false).ok());
  (void)edit.Finish();
}

void AllReady(AppMaker& maker, const Reason&) {
  for (auto& [id, lrp] : maker.app.actuals) Ready(maker, lrp);
}

// What retires is gone.
void OldOnesGo(AppMaker& maker, const Reason&) {
  std::erase_if(maker.app.actuals, [](const auto& entry) { return entry.second.presence == Presence::kRetiring; });
}

// In back-off the next attempt is made first.
void ChangesAreDone(AppMaker& maker, const Reason& reason) {
  if (reason.unblocks.find("back-off") != std::string::npos) maker.Wait(std::chrono::minutes(1));
  AllReady(maker, reason);
  OldOnesGo(maker, reason);
}

void DrainBecause(AppMaker& maker, const Reason& reason) {
  ForSlot(maker, reason, [&](ActualLrp& lrp) {
    if (lrp.presence == Presence::kRetiring) lrp.drained_by = maker.moment.consumers;
  });
}

void OldOnesOfTheSlotGo(AppMaker& maker, const Reason& reason) {
  std::erase_if(maker.app.actuals, [&](const auto& entry) {
    return entry.second.presence == Presence::kRetiring && entry.second.index == reason.index;
  });
}

void CellsAreBack(AppMaker& maker, const Reason&) {
  for (auto& [id, lrp] : maker.app.actuals) {
    if (MayRun(lrp)) maker.moment.cells[lrp.cell_id] = {maker.moment.now + seconds(10), false};
  }
}

// It is reached, and somebody promotes it.
void StagePassed(AppMaker& maker, const Reason& reason) {
  ChangesAreDone(maker, reason);
  maker.PlanNow();
  ChangesAreDone(maker, reason);
  maker.PlanNow();
  if (maker.app.roll && maker.app.roll->stage_since) AskRoll(maker, RollEvent::kPromote);
}

// Held, it is tried again; paused, nothing that it is paused for is left.
void TheRollMoves(AppMaker& maker, const Reason&) {
  if (maker.app.roll->state == RollState::kHeld) return AskRoll(maker, RollEvent::kRetry);
  if (maker.app.roll->paused_by_hand) AskRoll(maker, RollEvent::kResume);
  if (maker.app.roll->stage_since) AskRoll(maker, RollEvent::kPromote);
}

// As many as are wanted are left.
void OnlyWanted(AppMaker& maker, const Reason& reason) {
  ChangesAreDone(maker, reason);
  std::erase_if(maker.app.actuals, [](const auto& entry) {
    return entry.second.presence == Presence::kSuspect || entry.second.presence == Presence::kEvacuating;
  });
}

void OnlyTheFirstRoute(AppMaker& maker, const Reason&) { maker.app.desired->routes.mapped.resize(1); }

using Deed = std::function<void(AppMaker&, const Reason&)>;
const std::map<std::string_view, Deed>& Deeds() {
  static const std::map<std::string_view, Deed> kDeeds = {
      {rule::kPaused, [](AppMaker& maker, const Reason&) { AskRoll(maker, RollEvent::kResume); }},
      {rule::kStage, [](AppMaker& maker, const Reason&) { AskRoll(maker, RollEvent::kPromote); }},
      {rule::kVerdict, [](AppMaker& maker, const Reason&) { AskRoll(maker, RollEvent::kPromote); }},
      {rule::kStageFirst, StagePassed},
      {rule::kHeld, [](AppMaker& maker, const Reason&) { AskRoll(maker, RollEvent::kRetry); }},
      {rule::kBake, WaitUntil},
      {rule::kPlacing, Place},
      {rule::kStarting, BecomeRoutable},
      {rule::kNotRoutable, BecomeRoutable},
      {rule::kMinHealthy, WaitUntil},
      {rule::kUnapplied, Apply},
      {rule::kBackOff, WaitUntil},
      {rule::kCrashBackOff, WaitUntil},
      {rule::kGaveUp, AnotherDefinition},
      {rule::kGap, AnotherDefinition},
      {rule::kFloor, ChangesAreDone},  // one of the others may wait for room
      {rule::kHostName, ChangesAreDone},
      {rule::kCeiling, ChangesAreDone},
      {rule::kAboveCeiling, OnlyWanted},
      {rule::kUnproven, AllReady},
      {rule::kUnroutable, OnlyTheFirstRoute},
      {rule::kHandedOver, ChangesAreDone},
      {rule::kSteady, WaitUntil},
      {rule::kInFlight, ChangesAreDone},
      {rule::kProofFirst, ChangesAreDone},
      {rule::kDraining, DrainBecause},
      {rule::kStopping, OldOnesOfTheSlotGo},
      {rule::kOverdue, OldOnesOfTheSlotGo},
      {rule::kCellLost, CellsAreBack},
      {rule::kEvacuating, AllReady},
      {rule::kTurn, ChangesAreDone},
      {rule::kRetireWaits, TheRollMoves},
  };
  return kDeeds;
}

std::string Describe(const AppMaker& maker) {
  std::string text = maker.app.roll ? "state " + std::to_string(static_cast<int>(maker.app.roll->state)) : "no roll";
  for (const auto& [id, lrp] : maker.app.actuals) {
    text += "\n  slot " + std::to_string(lrp.index) + " presence " + std::to_string(static_cast<int>(lrp.presence)) +
            " state " + std::to_string(static_cast<int>(lrp.state)) + " " + lrp.definition.str() +
            (lrp.routable ? " routable" : "") + " roll " + lrp.roll_id.str();
  }
  return text;
}

bool Says(const Plan& plan, const Reason& reason) {
  return std::ranges::any_of(plan.reasons, [&](const Reason& other) {
    return other.rule == reason.rule && other.index == reason.index && other.text == reason.text &&
           other.since == reason.since;
  });
}

// `visit` gets an app that the planner has just looked at.
void ForManyApps(const std::function<void(const AppMaker&, const Plan&)>& visit) {
  for (unsigned seed = 1; seed <= kBlockedApps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    AppMaker maker = RandomApp(dice);
    if (dice.OneIn(3)) maker.strategy().bake_time = seconds(20);
    for (int round = 0; round < kRounds; ++round) {
      const Plan plan = maker.PlanNow();
      visit(maker, plan);
      if (::testing::Test::HasFailure()) return;
      DisturbMore(maker, dice);
    }
  }
}

TEST(Unblocks, DoingWhatAReasonNamesUnblocksIt) {
  std::map<std::string_view, int> tried;
  ForManyApps([&](const AppMaker& maker, const Plan& plan) {
    for (const Reason& reason : plan.reasons) {
      const auto deed = Deeds().find(reason.rule);
      ASSERT_NE(deed, Deeds().end()) << reason.rule;
      EXPECT_FALSE(reason.unblocks.empty()) << reason.rule;
      AppMaker after = maker;
      deed->second(after, reason);
      const Plan next = after.PlanNow();
      ++tried[reason.rule];
      EXPECT_TRUE(next.steps > 0 || !Says(next, reason)) << reason.rule << " of slot " << reason.index << ": "
                                                         << reason.text << "; unblocked by: " << reason.unblocks << "\n"
                                                         << Describe(maker);
    }
  });
  for (const auto& [rule, deed] : Deeds()) {
    // Two hundred crashes; a minute of no answer; a source that is not proven.
    if (rule == rule::kGaveUp || rule == rule::kOverdue || rule == rule::kUnproven) continue;
    EXPECT_GT(tried[rule], 0) << rule << " was never met";
  }
}

// Not what it is to be, and no reason why: nobody could help it.
TEST(Unblocks, WhereSomethingIsNotDoneThereIsAReason) {
  ForManyApps([&](const AppMaker& maker, const Plan& plan) {
    const RollProgress progress = Progress(maker.app, maker.moment);
    const bool done = !maker.app.roll && progress.served == progress.instances;
    EXPECT_TRUE(done || !plan.reasons.empty()) << Describe(maker);
  });
}

// Every reason that time alone unblocks wakes the planner.
TEST(Unblocks, WhatTimeUnblocksIsWokenFor) {
  ForManyApps([&](const AppMaker& maker, const Plan& plan) {
    for (const Reason& reason : plan.reasons) {
      if (!reason.until || *reason.until <= maker.moment.now) continue;
      ASSERT_TRUE(plan.wake_up_at) << reason.rule;
      EXPECT_LE(*plan.wake_up_at, *reason.until) << reason.rule;
      EXPECT_GT(*plan.wake_up_at, maker.moment.now) << reason.rule;
    }
  });
}

}  // namespace
}  // namespace baton
