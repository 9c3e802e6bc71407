// Why a definition is kept.
#include "orchestrator/roll/rules/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

DefinitionKey Key(const std::string& id, std::int64_t incarnation = 1) { return {incarnation, DefinitionId(id)}; }

// Five definitions, v5 active; each was proven at the time of its number.
AppState App() {
  AppState app;
  app.guid = ProcessGuid("app");
  for (int i = 1; i <= 5; ++i) {
    Definition definition;
    definition.id = DefinitionId("v" + std::to_string(i));
    definition.proven_at = TimePoint(seconds(i));
    app.definitions[Key(definition.id.str())] = definition;
  }
  app.desired.emplace();
  app.desired->incarnation = 1;
  app.desired->active = DefinitionId("v5");
  app.desired->healthy = DefinitionId("v5");
  return app;
}

void AddInstance(AppState& app, const std::string& definition, LrpState state, std::int64_t incarnation = 1) {
  ActualLrp lrp;
  lrp.id = ActualId("a" + std::to_string(app.actuals.size()));
  lrp.incarnation = incarnation;
  lrp.definition = DefinitionId(definition);
  lrp.state = state;
  app.actuals[lrp.id] = lrp;
}

TEST(Collect, TheLastProvenOnesBeforeTheActiveAreHistory) {
  EXPECT_THAT(WhyKept(App(), Key("v5"), 2), ElementsAre(KeepReason::kActive, KeepReason::kHealthy));
  EXPECT_THAT(WhyKept(App(), Key("v4"), 2), ElementsAre(KeepReason::kHistory));
  EXPECT_THAT(Unreferenced(App(), 2), ElementsAre(Key("v1"), Key("v2")));
  EXPECT_THAT(Unreferenced(App(), 0), ElementsAre(Key("v1"), Key("v2"), Key("v3"), Key("v4")));
}

TEST(Collect, WhatWasNeverProvenIsNoHistory) {
  AppState app = App();
  app.definitions[Key("v4")].proven_at.reset();
  EXPECT_THAT(Unreferenced(app, 2), ElementsAre(Key("v1"), Key("v4")));
}

TEST(Collect, BothEndsOfAnOpenRollAreKept) {
  AppState app = App();
  app.roll.emplace();
  app.roll->incarnation = 1;
  app.roll->source = DefinitionId("v1");
  app.roll->target = DefinitionId("v2");
  EXPECT_THAT(WhyKept(app, Key("v1"), 0), ElementsAre(KeepReason::kRollSource));
  EXPECT_THAT(WhyKept(app, Key("v2"), 0), ElementsAre(KeepReason::kRollTarget));
}

TEST(Collect, AnInstanceInAnyStateHoldsItsDefinition) {
  for (const LrpState state : {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kRunning, LrpState::kCrashed}) {
    AppState app = App();
    AddInstance(app, "v1", state);
    EXPECT_THAT(WhyKept(app, Key("v1"), 0), ElementsAre(KeepReason::kInstance));
  }
}

TEST(Collect, APinnedOneStays) {
  AppState app = App();
  app.definitions[Key("v1")].pinned = true;
  EXPECT_THAT(WhyKept(app, Key("v1"), 0), ElementsAre(KeepReason::kPinned));
}

TEST(Collect, OfAnAppThatIsGoneOnlyWhatInstancesHoldStays) {
  AppState app = App();
  app.desired.reset();
  app.definitions[Key("v2")].pinned = true;
  AddInstance(app, "v5", LrpState::kRunning);
  EXPECT_THAT(Unreferenced(app, 2), ElementsAre(Key("v1"), Key("v2"), Key("v3"), Key("v4")));
}

TEST(Collect, AnEarlierIncarnationsDefinitionIsAnotherOneOfTheSameName) {
  AppState app = App();
  app.desired->incarnation = 2;
  app.definitions[Key("v5", 2)] = app.definitions[Key("v5")];
  AddInstance(app, "v5", LrpState::kRunning, 2);
  EXPECT_THAT(WhyKept(app, Key("v5", 2), 2), Contains(KeepReason::kActive));
  EXPECT_THAT(WhyKept(app, Key("v5", 1), 2), IsEmpty());
  AddInstance(app, "v5", LrpState::kRunning, 1);
  EXPECT_THAT(WhyKept(app, Key("v5", 1), 2), ElementsAre(KeepReason::kInstance));
}

TEST(Collect, NothingThatIsReferredToIsEverCollected) {
  std::mt19937 random(3);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto any = [&] { return DefinitionId("v" + std::to_string(1 + below(5))); };
  for (int round = 0; round < 3000; ++round) {
    AppState app = App();
    app.desired->active = any();
    app.desired->healthy = below(3) == 0 ? DefinitionId() : any();
    if (below(3) == 0) app.desired.reset();
    if (app.desired && below(2) == 0) {
      app.roll.emplace();
      app.roll->incarnation = 1;
      app.roll->source = below(3) == 0 ? DefinitionId() : any();
      app.roll->target = any();
    }
    for (int i = below(4); i > 0; --i) AddInstance(app, any().str(), static_cast<LrpState>(below(4)));
    for (const DefinitionKey& key : Unreferenced(app, below(4))) {
      ASSERT_FALSE(app.desired && (app.desired->active == key.id || app.desired->healthy == key.id));
      ASSERT_FALSE(app.roll && (app.roll->source == key.id || app.roll->target == key.id));
      for (const auto& [id, lrp] : app.actuals) ASSERT_NE(lrp.definition, key.id);
    }
  }
}

}  // namespace
}  // namespace baton
