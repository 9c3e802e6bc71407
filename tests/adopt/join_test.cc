// There and back again: what 2.0 holds of an app of 1.x comes back as it was, and what an app of 2.0 is shown as.
#include "schema/legacy/apps/join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/stored.h"
#include "schema/legacy/apps/digest.h"
#include "schema/legacy/apps/split.h"
#include "tests/adopt/made_at.h"
#include "tests/adopt/random_app.h"

namespace baton::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr int kApps = 500;

std::int64_t WholeMicros(std::int64_t nanos) { return nanos - (nanos % 1000 + 1000) % 1000; }

// What 2.0 does not hold, or writes in one way only: the list of schema/legacy/apps/join.h.
LegacyApp Normalised(LegacyApp app) {
  v1::DesiredLRPRunInfo& run = app.run_info;
  if (!app.metric_tags) app.metric_tags = run.metric_tags();
  run.clear_metric_tags();
  run.mutable_desired_lrp_key()->set_process_guid(app.guid.str());
  run.mutable_desired_lrp_key()->set_domain(app.domain);
  run.mutable_desired_lrp_key()->set_log_guid(app.log_guid);
  const std::int64_t created_at = run.created_at() == 0 ? Micros(kMadeAt) * 1000 : WholeMicros(run.created_at());
  run.set_created_at(created_at == 0 ? 1 : created_at);
  std::set<std::string> drivers;
  for (const auto& mount : run.volume_mounts()) drivers.insert(mount.driver());
  app.volume_placement.clear_driver_names();
  for (const std::string& driver : drivers) app.volume_placement.add_driver_names(driver);
  for (LegacyInstance& lrp : app.actuals) {
    lrp.since_ns = WholeMicros(lrp.since_ns);
    lrp.internal_routes.reset();
    lrp.metric_tags.reset();
    lrp.routable = lrp.state == "RUNNING" && lrp.routable.value_or(true);
  }
  std::ranges::sort(app.actuals, {}, [](const LegacyInstance& lrp) { return std::pair(lrp.index, lrp.presence); });
  return app;
}

void ExpectSame(const LegacyInstance& one, const LegacyInstance& other) {
  EXPECT_EQ(one.index, other.index);
  EXPECT_EQ(one.presence, other.presence);
  EXPECT_EQ(one.domain, other.domain);
  EXPECT_EQ(one.state, other.state);
  EXPECT_EQ(one.instance_guid, other.instance_guid);
  EXPECT_EQ(one.cell_id, other.cell_id);
  EXPECT_EQ(one.placement_error, other.placement_error);
  EXPECT_EQ(one.since_ns, other.since_ns);
  EXPECT_EQ(one.net_info.DebugString(), other.net_info.DebugString());
  EXPECT_EQ(one.crash_count, other.crash_count);
  EXPECT_EQ(one.crash_reason, other.crash_reason);
  EXPECT_EQ(one.tag_epoch, other.tag_epoch);
  EXPECT_EQ(one.tag_index, other.tag_index);
  EXPECT_EQ(one.routable, other.routable);
  EXPECT_EQ(one.zone, other.zone);
  EXPECT_EQ(one.internal_routes.has_value(), other.internal_routes.has_value());
  EXPECT_EQ(one.metric_tags.has_value(), other.metric_tags.has_value());
}

void ExpectSame(const LegacyApp& one, const LegacyApp& other) {
  EXPECT_EQ(one.guid, other.guid);
  EXPECT_EQ(one.domain, other.domain);
  EXPECT_EQ(one.log_guid, other.log_guid);
  EXPECT_EQ(one.annotation, other.annotation);
  EXPECT_EQ(one.instances, other.instances);
  EXPECT_EQ(one.memory_mb, other.memory_mb);
  EXPECT_EQ(one.disk_mb, other.disk_mb);
  EXPECT_EQ(one.max_pids, other.max_pids);
  EXPECT_EQ(one.root_fs, other.root_fs);
  EXPECT_EQ(wire::CanonicalBytes(one.routes), wire::CanonicalBytes(other.routes));
  EXPECT_EQ(one.volume_placement.DebugString(), other.volume_placement.DebugString());
  EXPECT_EQ(one.placement_tags, other.placement_tags);
  EXPECT_EQ(one.tag_epoch, other.tag_epoch);
  EXPECT_EQ(one.tag_index, other.tag_index);
  EXPECT_EQ(one.run_info.DebugString(), other.run_info.DebugString());
  ASSERT_TRUE(one.metric_tags && other.metric_tags);
  EXPECT_EQ(wire::EncodeMetricTags(*one.metric_tags), wire::EncodeMetricTags(*other.metric_tags));
  EXPECT_EQ(one.update_strategy, other.update_strategy);
  ASSERT_EQ(one.actuals.size(), other.actuals.size());
  for (std::size_t i = 0; i < one.actuals.size(); ++i) ExpectSame(one.actuals[i], other.actuals[i]);
}

bool Loses(const SplitApp& split) {
  return !split.state || std::ranges::any_of(split.findings, [](const LegacyFinding& finding) {
    return finding.kind != LegacyFinding::Kind::kNote;
  });
}

TEST(Join, GivesBackWhatSplitHasTaken) {
  int taken = 0;
  for (int seed = 0; seed < kApps && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const LegacyApp app = RandomApps(seed).Next("shop");
    const SplitApp split = Split(app, kMadeAt);
    if (Loses(split)) continue;
    ++taken;
    const auto joined = Join(*split.state, split.run_info);
    ASSERT_TRUE(joined.ok()) << joined.error().message;
    ExpectSame(*joined, Normalised(app));
    EXPECT_EQ(InStepBytes(*joined), InStepBytes(Normalised(app)));
  }
  EXPECT_GT(taken, kApps * 9 / 10) << "most apps must be ones that the law is about";
}

// As the store has it: with a name that somebody gave it, a later incarnation, and columns that 1.x has not.
AppState Lived(SplitApp& split, RandomApps& random) {
  AppState state = std::move(*split.state);
  Definition definition = state.definitions.begin()->second;
  definition.id = DefinitionId("v7");
  definition.pinned = true;
  state.definitions = {{{9, definition.id}, definition}};
  state.desired->incarnation = 9;
  state.desired->active = definition.id;
  state.desired->strategy.max_surge = {3, false};
  std::map<ActualId, ActualLrp> actuals;
  for (auto [id, lrp] : state.actuals) {
    lrp.id = ActualId("instance-" + std::to_string(random.Upto(1'000'000'000)));
    lrp.incarnation = 9;
    lrp.definition = definition.id;
    if (lrp.routable) lrp.applied_by = {ConsumerId("router")};
    actuals.emplace(lrp.id, lrp);
  }
  state.actuals = std::move(actuals);
  return state;
}

TEST(Join, SplitGivesTheContentOfAnAppWithOneDefinitionBack) {
  for (int seed = 0; seed < kApps && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomApps random(seed);
    SplitApp first = Split(random.Next("shop"), kMadeAt);
    if (!first.state) continue;
    const AppState state = Lived(first, random);
    const auto joined = Join(state, first.run_info);
    ASSERT_TRUE(joined.ok());
    const SplitApp again = Split(*joined, kMadeAt);
    EXPECT_THAT(again.findings, ::testing::Each(::testing::Field(&LegacyFinding::kind, LegacyFinding::Kind::kNote)));
    ASSERT_TRUE(again.state.has_value());
    const Definition& definition = again.state->definitions.begin()->second;
    EXPECT_EQ(definition.content_hash, state.definitions.begin()->second.content_hash);
    EXPECT_EQ(again.run_info, first.run_info);
    DesiredLrp desired = *again.state->desired;
    EXPECT_EQ(desired.strategy.mode, state.desired->strategy.mode);
    desired.incarnation = state.desired->incarnation;
    desired.strategy = state.desired->strategy;
    desired.active = state.desired->active;
    desired.healthy = state.desired->healthy;
    EXPECT_EQ(desired, *state.desired);
    EXPECT_EQ(again.state->actuals.size(), state.actuals.size());
    const auto rejoined = Join(*again.state, again.run_info);
    ASSERT_TRUE(rejoined.ok());
    EXPECT_EQ(InStepBytes(*rejoined), InStepBytes(*joined));
  }
}

TEST(Join, IsAnErrorWhereTheRunInfoIsNone) {
  const SplitApp split = Split(RandomApps(1).Next("shop"), kMadeAt);
  EXPECT_FALSE(Join(*split.state, "\xff no run info").ok());
}

class Places : public ::testing::Test {
 protected:
  Places() {
    state.guid = ProcessGuid("shop");
    state.desired.emplace().incarnation = 2;
  }
  ActualLrp& Have(const std::string& id, Presence presence, int since, std::int64_t incarnation = 2) {
    ActualLrp& lrp = state.actuals[ActualId(id)];
    lrp.id = ActualId(id);
    lrp.incarnation = incarnation;
    lrp.presence = presence;
    lrp.state = LrpState::kRunning;
    lrp.since = TimePoint(seconds(since));
    return lrp;
  }
  // Which instance is at which presence; all are of index 0.
  std::map<int, std::string> Shown() const {
    std::map<int, std::string> shown;
    for (const auto& [place, lrp] : PlacesOf(state)) shown[place.second] = lrp->id.str();
    return shown;
  }
  AppState state;
};

TEST_F(Places, EachPresenceHasItsNumber) {
  Have("o", Presence::kOrdinary, 1);
  Have("s", Presence::kSuspect, 1);
  Have("e", Presence::kEvacuating, 1);
  EXPECT_THAT(Shown(), ElementsAre(Pair(0, "o"), Pair(1, "e"), Pair(2, "s")));
}

TEST_F(Places, ANewcomerIsHiddenUntilItHasTheSlot) {
  Have("o", Presence::kOrdinary, 1);
  Have("n", Presence::kSurge, 2);
  EXPECT_THAT(Shown(), ElementsAre(Pair(0, "o")));
}

TEST_F(Places, OfSeveralThatRetireTheLastThatCameIsShown) {
  Have("a", Presence::kRetiring, 5);
  Have("b", Presence::kRetiring, 9);
  Have("c", Presence::kRetiring, 7);
  EXPECT_THAT(Shown(), ElementsAre(Pair(1, "b")));
}

TEST_F(Places, OneThatRetiresIsNeverShownOverOneThatEvacuates) {
  Have("e", Presence::kEvacuating, 1);
  Have("r", Presence::kRetiring, 9);
  EXPECT_THAT(Shown(), ElementsAre(Pair(1, "e")));
}

TEST_F(Places, WhatIsLeftOfAnEarlierIncarnationHasNone) {
  Have("old", Presence::kRetiring, 1, 1);
  Have("now", Presence::kOrdinary, 3);
  EXPECT_THAT(Shown(), ElementsAre(Pair(0, "now")));
}

TEST_F(Places, AnAppThatIsNotDesiredHasNone) {
  Have("r", Presence::kRetiring, 1);
  state.desired.reset();
  EXPECT_THAT(PlacesOf(state), IsEmpty());
}

struct Change {
  const char* field;
  void (*change)(LegacyApp&);
};
class Digest : public ::testing::TestWithParam<Change> {};

LegacyApp WithTwoInstances() {
  RandomApps random(1);
  LegacyApp app = random.Next("shop");
  app.actuals = {random.Instance(0, 0, "d"), random.Instance(1, 0, "d")};
  return app;
}

TEST_P(Digest, TellsEachFieldApart) {
  LegacyApp app = WithTwoInstances();
  const std::string before = InStepDigest(app);
  EXPECT_THAT(before, SizeIs(64));
  GetParam().change(app);
  EXPECT_NE(InStepDigest(app), before);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Digest,
    ::testing::Values(
        Change{"Guid", [](LegacyApp& a) { a.guid = ProcessGuid("other"); }},
        Change{"Domain", [](LegacyApp& a) { a.domain += "x"; }},
        Change{"LogGuid", [](LegacyApp& a) { a.log_guid += "x"; }},
        Change{"Annotation", [](LegacyApp& a) { a.annotation += "x"; }},
        Change{"Instances", [](LegacyApp& a) { ++a.instances; }},
        Change{"Memory", [](LegacyApp& a) { ++a.memory_mb; }}, Change{"Disk", [](LegacyApp& a) { ++a.disk_mb; }},
        Change{"Pids", [](LegacyApp& a) { ++a.max_pids; }}, Change{"RootFs", [](LegacyApp& a) { a.root_fs += "x"; }},
        Change{"Routes", [](LegacyApp& a) { (*a.routes.mutable_routes())["r"] = "1"; }},
        Change{"Volume", [](LegacyApp& a) { a.volume_placement.add_driver_names("d"); }},
        Change{"PlacementTag", [](LegacyApp& a) { a.placement_tags.push_back("x"); }},
        Change{"TagEpoch", [](LegacyApp& a) { a.tag_epoch += "x"; }}, Change{"Tag", [](LegacyApp& a) { ++a.tag_index; }},
        Change{"RunInfo", [](LegacyApp& a) { a.run_info.set_privileged(!a.run_info.privileged()); }},
        Change{"MetricTags", [](LegacyApp& a) { a.metric_tags.emplace()["new"].set_static_("x"); }},
        Change{"Strategy", [](LegacyApp& a) { ++a.update_strategy; }},
        Change{"AnInstance", [](LegacyApp& a) { a.actuals.pop_back(); }},
        Change{"Index", [](LegacyApp& a) { a.actuals[0].index = 7; }},
        Change{"Presence", [](LegacyApp& a) { a.actuals[0].presence = 2; }},
        Change{"InstanceDomain", [](LegacyApp& a) { a.actuals[0].domain += "x"; }},
        Change{"State", [](LegacyApp& a) { a.actuals[0].state += "x"; }},
        Change{"InstanceGuid", [](LegacyApp& a) { a.actuals[0].instance_guid += "x"; }},
        Change{"Cell", [](LegacyApp& a) { a.actuals[0].cell_id += "x"; }},
        Change{"PlacementError", [](LegacyApp& a) { a.actuals[0].placement_error += "x"; }},
        Change{"Since", [](LegacyApp& a) { ++a.actuals[0].since_ns; }},
        Change{"NetInfo", [](LegacyApp& a) { a.actuals[0].net_info.set_address("x"); }},
        Change{"CrashCount", [](LegacyApp& a) { ++a.actuals[0].crash_count; }},
        Change{"CrashReason", [](LegacyApp& a) { a.actuals[0].crash_reason += "x"; }},
        Change{"InstanceTagEpoch", [](LegacyApp& a) { a.actuals[0].tag_epoch += "x"; }},
        Change{"InstanceTag", [](LegacyApp& a) { ++a.actuals[0].tag_index; }},
        Change{"Routable", [](LegacyApp& a) { a.actuals[0].routable = !a.actuals[0].routable.value_or(true); }},
        Change{"Zone", [](LegacyApp& a) { a.actuals[0].zone += "x"; }}),
    [](const auto& one) { return one.param.field; });

TEST(DualWriter, TheOrderOfInstancesSaysNothing) {
  LegacyApp app = WithTwoInstances();
  const std::string before = InStepDigest(app);
  std::swap(app.actuals[0], app.actuals[1]);
  EXPECT_EQ(InStepDigest(app), before);
}

}  // namespace
}  // namespace baton::testing
