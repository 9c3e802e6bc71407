// Diego's transitions (T1-T13 of its table), asked by slot and by the cell's own name for a start.
#include "orchestrator/app/apps/slot.h"

#include <gtest/gtest.h>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class Slot : public ::testing::Test {
 protected:
  static constexpr int kIndex = 0;
  Slot() { maker_.app.desired->active = DefinitionId("v1"); }
  static SlotRef By(const std::string& name) {
    return {kIndex, InstanceGuid(name), name.empty() ? CellId() : CellId("cell-of-" + name)};
  }
  // The slot's ORDINARY row in that state; CLAIMED and RUNNING by "own".
  ActualLrp& Row(LrpState state, Presence presence = Presence::kOrdinary, const std::string& definition = "v1") {
    ActualLrp& lrp = maker_.Add(kIndex, presence, definition);
    lrp.state = state;
    lrp.instance_guid = InstanceGuid();
    lrp.cell_id = CellId();
    if (state == LrpState::kClaimed || state == LrpState::kRunning) {
      lrp.instance_guid = By("own").instance_guid;
      lrp.cell_id = By("own").cell_id;
    }
    return lrp;
  }
  Status Claim(const std::string& name) {
    return Do([&](AppEdit& edit) {
      const auto id = FindToClaim(edit.state(), By(name));
      return id ? DecideClaim(edit, {*id, By(name).instance_guid, By(name).cell_id}) : Status(id.error());
    });
  }
  Status Start(const std::string& name) {
    const NetInfo net_info{"10.0.0.1", "", {{8080, 61000}}};
    return Do([&](AppEdit& edit) {
      return DecideStartInSlot(edit, By(name), {.net_info = net_info, .routable = true});
    });
  }
  Status Crash(const std::string& name) {
    return Do([&](AppEdit& edit) {
      const auto id = FindToCrash(edit.state(), By(name));
      return id ? DecideCrash(edit, {*id, By(name).instance_guid, By(name).cell_id}, "why") : Status(id.error());
    });
  }
  Status Fail() {
    return Do([&](AppEdit& edit) {
      const auto id = FindToFail(edit.state(), By(""));
      return id ? DecidePlacementError(edit, *id, "no room") : Status(id.error());
    });
  }
  Status Remove(const std::string& name) {
    return Do([&](AppEdit& edit) { return DecideRemoveFromSlot(edit, By(name)); });
  }
  bool Evacuate(const std::string& name) {
    bool keep = false;
    EXPECT_TRUE(Do([&](AppEdit& edit) { return DecideEvacuateSlot(edit, By(name), keep); }));
    return keep;
  }
  Status RemoveLeaving(const std::string& name) {
    return Do([&](AppEdit& edit) { return DecideRemoveFromSlot(edit, By(name), true); });
  }
  LrpState State(Presence presence = Presence::kOrdinary) { return maker_.Of(kIndex, presence)->state; }
  static ErrorKind KindOf(const Status& status) { return status ? ErrorKind::kInternal : status.error().kind; }

  AppMaker maker_{1};
  bool changed_ = false;

 private:
  template <class Decide>
  Status Do(Decide decide) {
    AppEdit edit(maker_.app, maker_.moment, "test");
    const Status status = decide(edit);
    changed_ = !edit.Finish().empty();
    return status;
  }
};

TEST_F(Slot, T2AndT3Claim) {
  EXPECT_EQ(KindOf(Claim("own")), ErrorKind::kNotFound);
  Row(LrpState::kUnclaimed);
  EXPECT_TRUE(Claim("own"));
  EXPECT_EQ(State(), LrpState::kClaimed);
  EXPECT_TRUE(Claim("own"));
  EXPECT_FALSE(changed_) << "by the same one a second time: nothing";
  EXPECT_EQ(KindOf(Claim("other")), ErrorKind::kFailedPrecondition);
  EXPECT_TRUE(Start("own"));
  EXPECT_EQ(KindOf(Claim("other")), ErrorKind::kFailedPrecondition);
}

// Diego lets a crashed one's late claim take the row that waits again; nothing would run there.
TEST_F(Slot, T2AStartThatIsOverClaimsNoRowOfItsSlot) {
  Row(LrpState::kRunning);
  ASSERT_TRUE(Crash("own"));
  maker_.Of(kIndex, Presence::kOrdinary)->state = LrpState::kUnclaimed;
  Row(LrpState::kUnclaimed, Presence::kSurge);
  EXPECT_EQ(KindOf(Claim("own")), ErrorKind::kFailedPrecondition);
  EXPECT_EQ(KindOf(Start("own")), ErrorKind::kFailedPrecondition);
  EXPECT_TRUE(Claim("other"));
  EXPECT_EQ(KindOf(Claim("own")), ErrorKind::kFailedPrecondition) << "of the newcomer, either";
  EXPECT_EQ(KindOf(Start("own")), ErrorKind::kFailedPrecondition);
  EXPECT_EQ(State(Presence::kSurge), LrpState::kUnclaimed);
}

TEST_F(Slot, T4WhatItsSuspectSaysIsTakenAndChangesNoPart) {
  Row(LrpState::kRunning, Presence::kSuspect);
  EXPECT_TRUE(Claim("own"));
  EXPECT_TRUE(Start("own"));
  EXPECT_EQ(maker_.Count(Presence::kSuspect), 1);
  EXPECT_EQ(maker_.Count(Presence::kOrdinary), 0);
}

// T5 is not Diego's here: what the database does not know runs a definition that nobody knows.
TEST_F(Slot, T5WhatIsNotThereIsNotStarted) { EXPECT_EQ(KindOf(Start("own")), ErrorKind::kNotFound); }

TEST_F(Slot, T6AndT7Start) {
  Row(LrpState::kUnclaimed);
  EXPECT_TRUE(Start("own"));
  EXPECT_EQ(State(), LrpState::kRunning);
  EXPECT_TRUE(Start("own"));
  EXPECT_FALSE(changed_) << "a heartbeat";
  EXPECT_EQ(KindOf(Start("other")), ErrorKind::kFailedPrecondition);
}

// Diego lets another one win over a claim; here it may not: the claimer is starting it.
TEST_F(Slot, T6WhatAnotherHasClaimedIsHis) {
  Row(LrpState::kClaimed);
  EXPECT_EQ(KindOf(Start("other")), ErrorKind::kFailedPrecondition);
  EXPECT_TRUE(Start("own"));
}

TEST_F(Slot, T9Crash) {
  EXPECT_EQ(KindOf(Crash("own")), ErrorKind::kNotFound);
  Row(LrpState::kRunning);
  EXPECT_EQ(KindOf(Crash("other")), ErrorKind::kFailedPrecondition);
  EXPECT_TRUE(Crash("own"));
  EXPECT_EQ(State(), LrpState::kCrashed);
  EXPECT_EQ(KindOf(Crash("own")), ErrorKind::kFailedPrecondition) << "it does not run";
}

TEST_F(Slot, T9ACrashedSuspectIsGone) {
  Row(LrpState::kRunning, Presence::kSuspect);
  EXPECT_TRUE(Crash("own"));
  EXPECT_EQ(maker_.Count(Presence::kSuspect), 0);
}

TEST_F(Slot, T10Fail) {
  EXPECT_EQ(KindOf(Fail()), ErrorKind::kNotFound);
  ActualLrp& row = Row(LrpState::kUnclaimed);
  EXPECT_TRUE(Fail());
  EXPECT_EQ(row.placement_error, "no room");
  row.state = LrpState::kCrashed;
  EXPECT_EQ(KindOf(Fail()), ErrorKind::kFailedPrecondition);
}

TEST_F(Slot, T12Remove) {
  EXPECT_EQ(KindOf(Remove("")), ErrorKind::kNotFound);
  Row(LrpState::kRunning);
  EXPECT_EQ(KindOf(Remove("other")), ErrorKind::kNotFound) << "Diego: no such instance";
  EXPECT_TRUE(Remove("own"));
  EXPECT_EQ(maker_.Count(Presence::kOrdinary), 0);
  for (const LrpState state : {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kRunning, LrpState::kCrashed}) {
    Row(state);
    EXPECT_TRUE(Remove("")) << "whoever had it";
    EXPECT_EQ(maker_.Count(Presence::kOrdinary), 0);
  }
}

// A cell of Diego's kind runs the one definition that it knows of.
TEST_F(Slot, OnlyWhatIsOfTheActiveDefinitionIsClaimed) {
  maker_.app.desired->active = DefinitionId("v2");
  Row(LrpState::kUnclaimed, Presence::kOrdinary, "v1");
  const Status old = Claim("own");
  EXPECT_EQ(KindOf(old), ErrorKind::kFailedPrecondition);
  EXPECT_NE(old.error().message.find("v1"), std::string::npos);
  Row(LrpState::kUnclaimed, Presence::kSurge, "v2");
  EXPECT_TRUE(Claim("own"));
  EXPECT_EQ(State(Presence::kSurge), LrpState::kClaimed);
  EXPECT_EQ(State(), LrpState::kUnclaimed);
}

TEST_F(Slot, WhoHasBeenHandedOverIsFoundByItsName) {
  Row(LrpState::kRunning, Presence::kRetiring);
  Row(LrpState::kUnclaimed);
  EXPECT_TRUE(Remove("own"));
  EXPECT_EQ(maker_.Count(Presence::kRetiring), 0);
  EXPECT_EQ(maker_.Count(Presence::kOrdinary), 1);
}

// Diego's evacuation, row by row of its table.
TEST_F(Slot, EvacuatedIsWhoRunsHereOnceItsReplacementServes) {
  EXPECT_FALSE(Evacuate("own")) << "there is none";
  ActualLrp& row = Row(LrpState::kRunning);
  EXPECT_FALSE(Evacuate("other")) << "it is somebody else's";
  EXPECT_FALSE(row.retire_asked);
  EXPECT_TRUE(Evacuate("own"));
  EXPECT_TRUE(row.retire_asked);
  EXPECT_TRUE(Evacuate("own"));
  EXPECT_FALSE(changed_) << "asked again: nothing new";
  row.presence = Presence::kRetiring;
  EXPECT_TRUE(Evacuate("own")) << "it drains";
  row.stop_ordered_at = maker_.moment.now;
  EXPECT_FALSE(Evacuate("own"));
}

TEST_F(Slot, EvacuatedBeforeItRunsItIsPlacedElsewhere) {
  Row(LrpState::kClaimed);
  EXPECT_FALSE(Evacuate("own"));
  EXPECT_EQ(State(), LrpState::kUnclaimed);
  EXPECT_TRUE(Evacuate("forgotten")) << "nobody knows it, and nobody else serves yet";
}

TEST_F(Slot, OnlyWhatLeavesIsRemovedAsEvacuating) {
  ActualLrp& row = Row(LrpState::kRunning);
  EXPECT_EQ(KindOf(RemoveLeaving("own")), ErrorKind::kFailedPrecondition);
  row.presence = Presence::kEvacuating;
  EXPECT_EQ(KindOf(RemoveLeaving("other")), ErrorKind::kNotFound);
  EXPECT_TRUE(RemoveLeaving("own"));
  EXPECT_EQ(maker_.Count(Presence::kEvacuating), 0);
}

}  // namespace
}  // namespace baton
