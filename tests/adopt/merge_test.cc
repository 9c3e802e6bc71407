// What another program wrote into 1.x becomes what 2.x says, and nothing else of 2.x is lost.
#include "schema/legacy/apps/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/legacy/apps/digest.h"
#include "schema/legacy/apps/join.h"
#include "tests/adopt/made_at.h"
#include "tests/adopt/random_app.h"

namespace baton::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr TimePoint kNow = TimePoint(seconds(1'900'000'000));

class Ids final : public IdSource {
 public:
  std::string NewUuid() override { return "new-" + std::to_string(++uuids_); }
  std::int64_t NewIncarnation() override { return 77; }

 private:
  int uuids_ = 0;
};

class Merging : public ::testing::Test {
 protected:
  Merging() {
    moment.now = kNow;
    moment.ids = &ids;
  }
  // As the store has it, after some time.
  void Have(const LegacyApp& app) {
    SplitApp split = Split(app, kMadeAt);
    state = *std::move(split.state);
    run_info = split.run_info;
    for (auto& [id, lrp] : state.actuals) {
      lrp.crash_reason.clear();
      if (lrp.routable) lrp.applied_by = {ConsumerId("router")};
    }
  }
  // What a program finds in 1.x.
  LegacyApp Theirs() const { return Join(state, run_info).value(); }
  AppChanges Take(const LegacyApp& theirs) {
    const SplitApp split = Split(theirs, kMadeAt);
    EXPECT_TRUE(split.state.has_value());
    AppChanges changes = Merge(state, &split, moment);
    run_info = split.run_info;
    return changes;
  }
  const ActualLrp& At(int index) const {
    for (const auto& [id, lrp] : state.actuals) {
      if (lrp.index == index && lrp.presence == Presence::kOrdinary) return lrp;
    }
    ADD_FAILURE();
    return state.actuals.begin()->second;
  }

  Ids ids;
  Moment moment;
  AppState state;
  std::string run_info;
};

// One that runs at each of three indexes.
LegacyApp Running() {
  RandomApps random(3);
  LegacyApp app = random.Next("shop");
  app.actuals.clear();
  app.instances = 3;
  for (int index = 0; index < 3; ++index) {
    LegacyInstance& lrp = app.actuals.emplace_back(random.Instance(index, v1::ActualLRP::ORDINARY, app.domain));
    lrp.state = "RUNNING";
    lrp.instance_guid = "start-" + std::to_string(index);
    lrp.cell_id = "cell";
    lrp.routable = true;
    lrp.tag_epoch = "epoch";
  }
  return app;
}

TEST_F(Merging, WhatNobodyChangedIsNoChange) {
  for (std::uint64_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Have(RandomApps(seed).Next("shop"));
    const AppState before = state;
    EXPECT_TRUE(Take(Theirs()).empty());
    EXPECT_EQ(state.actuals, before.actuals);
    EXPECT_EQ(state.desired, before.desired);
  }
}

// What no writer decides: tags go forward only, and an instance keeps the domain that it was made in.
LegacyApp WithoutOurOwn(LegacyApp app) {
  app.tag_index = 0;
  for (LegacyInstance& lrp : app.actuals) lrp.tag_index = 0, lrp.domain.clear();
  return app;
}

TEST_F(Merging, AnyWriteIsWhatTwoSaysAfterwards) {
  int merged = 0;
  for (std::uint64_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomApps random(seed);
    Have(random.Next("shop"));
    LegacyApp theirs = random.Next("shop");
    for (LegacyInstance& lrp : Theirs().actuals) {  // some of ours among theirs
      const auto same = [&](const LegacyInstance& other) {
        return other.index == lrp.index && other.presence == lrp.presence;
      };
      if (random.Chance(50)) std::erase_if(theirs.actuals, same), theirs.actuals.push_back(lrp);
    }
    const SplitApp said = Split(theirs, kMadeAt);
    ASSERT_TRUE(said.state.has_value());
    const DesiredLrp before = *state.desired;
    Take(theirs);
    ++merged;
    EXPECT_EQ(InStepBytes(WithoutOurOwn(Theirs())),
              InStepBytes(WithoutOurOwn(Join(*said.state, said.run_info).value())));
    EXPECT_EQ(state.desired->tag.epoch, theirs.tag_epoch);
    EXPECT_GE(state.desired->tag.index, theirs.tag_index);
    EXPECT_TRUE(before.tag.epoch != theirs.tag_epoch || state.desired->tag.index >= before.tag.index);
  }
  EXPECT_EQ(merged, 300);
}

TEST_F(Merging, TheSameInstanceKeepsItsIdAndWhatOnlyTwoKnows) {
  Have(Running());
  const ActualLrp before = At(1);
  LegacyApp theirs = Theirs();
  theirs.actuals[1].zone = "moved";
  theirs.actuals[1].tag_index = 50;
  const AppChanges changes = Take(theirs);
  EXPECT_EQ(At(1).id, before.id);
  EXPECT_EQ(At(1).zone, "moved");
  EXPECT_EQ(At(1).applied_by, before.applied_by);
  EXPECT_EQ(At(1).tag.index, std::max<std::uint32_t>(50, before.tag.index + 1));
  EXPECT_THAT(changes.changed, ::testing::ElementsAre(before.id));
  ASSERT_THAT(changes.events, SizeIs(1));
  EXPECT_EQ(changes.events[0].actual_after->tag, At(1).tag);
  EXPECT_FALSE(changes.desired);
}

TEST_F(Merging, ATagThatWentBackStays) {
  Have(Running());
  LegacyApp theirs = Theirs();
  const std::uint32_t before = state.desired->tag.index;
  ASSERT_GT(before, 0u);
  theirs.tag_index = 0;
  EXPECT_TRUE(Take(theirs).empty());
  EXPECT_EQ(state.desired->tag.index, before);
}

TEST_F(Merging, AnotherStartInThePlaceIsAnotherInstance) {
  Have(Running());
  const ActualId before = At(1).id;
  LegacyApp theirs = Theirs();
  theirs.actuals[1].instance_guid = "other";
  const AppChanges changes = Take(theirs);
  EXPECT_EQ(At(1).id.str(), "new-1");
  EXPECT_THAT(changes.removed, ::testing::ElementsAre(before));
  EXPECT_THAT(changes.inserted, ::testing::ElementsAre(At(1).id));
  EXPECT_EQ(At(1).definition, state.desired->active);
}

TEST_F(Merging, ACrashIsTheSameInstances) {
  Have(Running());
  const ActualId before = At(1).id;
  LegacyApp theirs = Theirs();
  LegacyInstance& lrp = theirs.actuals[1];
  lrp.state = "CRASHED";
  lrp.instance_guid.clear();
  lrp.cell_id.clear();
  lrp.routable = false;
  ++lrp.crash_count;
  Take(theirs);
  EXPECT_EQ(At(1).id, before);
  EXPECT_EQ(At(1).state, LrpState::kCrashed);
  EXPECT_FALSE(At(1).claimed_at.has_value());
  EXPECT_FALSE(At(1).routable_since.has_value());
  EXPECT_THAT(At(1).applied_by, IsEmpty());
}

TEST_F(Merging, WhatOneDoesNotShowStays) {
  Have(Running());
  ActualLrp newcomer = At(0);
  newcomer.id = ActualId("newcomer");
  newcomer.presence = Presence::kSurge;
  ActualLrp leaving = At(0);
  leaving.id = ActualId("leaving");
  leaving.incarnation = -1;
  for (const ActualLrp& lrp : {newcomer, leaving}) state.actuals.emplace(lrp.id, lrp);
  LegacyApp theirs = Theirs();
  theirs.actuals.clear();
  const AppChanges changes = Take(theirs);
  EXPECT_THAT(changes.removed, SizeIs(3));
  EXPECT_THAT(state.actuals, SizeIs(2));
}

TEST_F(Merging, AnotherDefinitionIsGoneToByARoll) {
  Have(Running());
  const DefinitionId before = state.desired->active;
  LegacyApp theirs = Theirs();
  theirs.memory_mb += 1;
  const AppChanges first = Take(theirs);
  EXPECT_THAT(first.new_definitions, SizeIs(1));
  ASSERT_TRUE(state.roll.has_value());
  EXPECT_EQ(state.roll->target, state.desired->active);
  EXPECT_EQ(state.roll->source, before);
  EXPECT_EQ(At(0).definition, before) << "an instance's definition never changes";
  const RollId open = state.roll->id;
  theirs = Theirs();
  theirs.memory_mb -= 1;
  const AppChanges back = Take(theirs);
  EXPECT_THAT(back.new_definitions, IsEmpty()) << "it is kept";
  EXPECT_EQ(state.desired->active, before);
  ASSERT_THAT(back.closed_rolls, SizeIs(1));
  EXPECT_EQ(back.closed_rolls[0].id, open);
  EXPECT_EQ(back.closed_rolls[0].state, RollState::kSuperseded);
}

TEST_F(Merging, ANewAppIsOfAnIncarnationOfItsOwn) {
  state.guid = ProcessGuid("shop");
  const LegacyApp theirs = Running();
  const AppChanges changes = Take(theirs);
  EXPECT_TRUE(changes.desired);
  EXPECT_EQ(state.desired->incarnation, 77);
  EXPECT_EQ(state.desired->tag.epoch, theirs.tag_epoch);
  EXPECT_EQ(state.desired->healthy, state.desired->active) << "it runs";
  EXPECT_THAT(state.actuals, SizeIs(3));
  for (const auto& [id, lrp] : state.actuals) EXPECT_EQ(lrp.incarnation, 77);
}

TEST_F(Merging, OfAnAppThatIsGoneWhatRunsIsLeftToConvergence) {
  LegacyApp app = Running();
  app.actuals[2].state = "UNCLAIMED";
  app.actuals[2].instance_guid.clear();
  app.actuals[2].cell_id.clear();
  Have(app);
  LegacyApp theirs = Theirs();
  theirs.memory_mb += 1;
  Take(theirs);
  const AppChanges changes = Merge(state, nullptr, moment);
  EXPECT_TRUE(changes.desired);
  EXPECT_FALSE(state.desired.has_value());
  EXPECT_FALSE(state.roll.has_value());
  ASSERT_THAT(changes.closed_rolls, SizeIs(1));
  EXPECT_EQ(changes.closed_rolls[0].state, RollState::kYielded);
  EXPECT_THAT(state.actuals, SizeIs(2));
  EXPECT_TRUE(Merge(state, nullptr, moment).empty());
}

}  // namespace
}  // namespace baton::testing
