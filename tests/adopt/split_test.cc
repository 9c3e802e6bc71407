// From one app of 1.x to the rows of 2.0: nothing lost, and what cannot be is named.
#include "schema/legacy/apps/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/stored.h"
#include "tests/adopt/made_at.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kSecond = 1'000'000'000;

LegacyInstance Instance(std::int64_t index, const std::string& state, int presence = v1::ActualLRP::ORDINARY) {
  LegacyInstance lrp;
  lrp.index = index;
  lrp.presence = presence;
  lrp.domain = "cf";
  lrp.state = state;
  if (state == "RUNNING" || state == "CLAIMED") {
    lrp.instance_guid = "instance-" + std::to_string(index);
    lrp.cell_id = "cell-1";
  }
  lrp.since_ns = (1000 + index) * kSecond + 123;
  lrp.tag_epoch = "epoch";
  return lrp;
}

LegacyApp App() {
  LegacyApp app;
  app.guid = ProcessGuid("shop");
  app.domain = "cf";
  app.log_guid = "log";
  app.annotation = "note";
  app.instances = 2;
  app.memory_mb = 256;
  app.disk_mb = 1024;
  app.max_pids = 64;
  app.root_fs = "preloaded:cflinuxfs4";
  app.placement_tags = {"gpu"};
  app.tag_epoch = "tag";
  app.tag_index = 7;
  app.run_info.mutable_desired_lrp_key()->set_process_guid("shop");
  app.run_info.mutable_action()->mutable_run_action()->set_path("/bin/shop");
  app.run_info.mutable_action()->mutable_run_action()->set_user("vcap");
  app.run_info.add_ports(8080);
  app.run_info.set_created_at(900 * kSecond);
  (*app.routes.mutable_routes())["cf-router"] = R"([{"hostnames": ["shop.example"], "port": 8080}])";
  app.actuals = {Instance(0, "RUNNING"), Instance(1, "RUNNING")};
  return app;
}

const Definition& DefinitionOf(const SplitApp& split) { return split.state->definitions.begin()->second; }
const ActualLrp& OnlyInstance(const SplitApp& split) { return split.state->actuals.begin()->second; }

TEST(Split, NamesTheDefinitionByItsContentAsTheApiDoes) {
  LegacyApp app = App();
  const SplitApp split = Split(app, kMadeAt);
  ASSERT_TRUE(split.state.has_value());
  EXPECT_THAT(split.findings, IsEmpty());
  ASSERT_THAT(split.state->definitions, SizeIs(1));
  const Definition& definition = DefinitionOf(split);
  EXPECT_EQ(definition.id.str(), definition.content_hash);
  auto back = wire::ToMessage(definition, split.run_info);
  ASSERT_TRUE(back.ok());
  back->clear_definition_identifier();
  const auto desired_anew = wire::DefinitionFrom(*back);
  ASSERT_TRUE(desired_anew.ok());
  EXPECT_EQ(desired_anew->definition.id, definition.id);
  EXPECT_EQ(desired_anew->run_info, split.run_info);
}

TEST(Split, WhatBelongsToTheAppIsNotInItsDefinition) {
  LegacyApp app = App();
  const DefinitionId before = DefinitionOf(Split(app, kMadeAt)).id;
  app.run_info.set_image_username("puller");
  app.run_info.set_image_password("secret");
  (*app.run_info.mutable_metric_tags())["source_id"].set_static_("shop");
  app.run_info.set_created_at(901 * kSecond);
  const SplitApp split = Split(app, kMadeAt);
  EXPECT_EQ(DefinitionOf(split).id, before);
  EXPECT_EQ(split.state->desired->image_username, "puller");
  EXPECT_EQ(split.state->desired->image_password, "secret");
  EXPECT_EQ(wire::MetricTagsFrom(split.state->desired->metric_tags).tags().at("source_id").static_(), "shop");
  EXPECT_EQ(split.state->desired->created_at, TimePoint(seconds(901)));
}

TEST(Split, TheColumnOfMetricTagsWinsOverTheRunInfos) {
  LegacyApp app = App();
  (*app.run_info.mutable_metric_tags())["old"].set_static_("1");
  app.metric_tags.emplace();
  (*app.metric_tags)["new"].set_dynamic(v1::MetricTagValue::INDEX);
  const auto tags = wire::MetricTagsFrom(Split(app, kMadeAt).state->desired->metric_tags).tags();
  ASSERT_THAT(tags, SizeIs(1));
  EXPECT_EQ(tags.at("new").dynamic(), v1::MetricTagValue::INDEX);
}

TEST(Split, EveryColumnOfTheAppIsKept) {
  const SplitApp split = Split(App(), kMadeAt);
  const DesiredLrp& desired = *split.state->desired;
  EXPECT_EQ(desired.domain, "cf");
  EXPECT_EQ(desired.log_guid, "log");
  EXPECT_EQ(desired.annotation, "note");
  EXPECT_EQ(desired.instances, 2);
  EXPECT_EQ(desired.tag, (ModificationTag{"tag", 7}));
  EXPECT_THAT(desired.routes.mapped, ElementsAre(MappedRoute{RouteNamed("shop.example"), 8080}));
  EXPECT_EQ(DefinitionOf(split).resources, (Resources{256, 1024, 64, 1}));
  EXPECT_THAT(DefinitionOf(split).placement_tags, ElementsAre("gpu"));
  EXPECT_THAT(DefinitionOf(split).ports, ElementsAre(8080u));
}

TEST(Split, AnInstanceThatRunsProvesTheDefinition) {
  const SplitApp split = Split(App(), kMadeAt);
  EXPECT_EQ(DefinitionOf(split).proven_at, TimePoint(seconds(1000)));
  EXPECT_EQ(split.state->desired->healthy, split.state->desired->active);
  EXPECT_EQ(split.state->desired->active, DefinitionOf(split).id);
  EXPECT_FALSE(split.state->roll.has_value());
}

TEST(Split, WithoutAnInstanceThatRunsNothingIsProven) {
  LegacyApp app = App();
  app.actuals = {Instance(0, "CLAIMED"), Instance(1, "CRASHED")};
  const SplitApp split = Split(app, kMadeAt);
  EXPECT_FALSE(DefinitionOf(split).proven_at.has_value());
  EXPECT_TRUE(split.state->desired->healthy.empty());
}

TEST(Split, IsTheSameEachTime) {
  const SplitApp one = Split(App(), kMadeAt);
  const SplitApp two = Split(App(), kMadeAt);
  EXPECT_EQ(one.state->actuals, two.state->actuals);
  EXPECT_EQ(one.state->definitions, two.state->definitions);
  EXPECT_EQ(*one.state->desired, *two.state->desired);
  EXPECT_EQ(one.run_info, two.run_info);
}

struct Mapped {
  const char* state;
  int presence;
  Presence becomes;
};
class EachInstance : public ::testing::TestWithParam<Mapped> {};

TEST_P(EachInstance, IsTaggedAndKeepsItsStateAndPresence) {
  LegacyApp app = App();
  app.actuals = {Instance(3, GetParam().state, GetParam().presence)};
  app.actuals[0].crash_count = 2;
  app.actuals[0].crash_reason = "why";
  app.actuals[0].placement_error = "where";
  app.actuals[0].zone = "z1";
  const SplitApp split = Split(app, kMadeAt);
  EXPECT_THAT(split.findings, IsEmpty());
  const ActualLrp& lrp = OnlyInstance(split);
  EXPECT_EQ(lrp.presence, GetParam().becomes);
  EXPECT_EQ(lrp.definition, DefinitionOf(split).id);
  EXPECT_EQ(lrp.index, 3);
  EXPECT_EQ(lrp.since, TimePoint(seconds(1003)));
  EXPECT_EQ(lrp.crash_count, 2);
  EXPECT_EQ(lrp.crash_reason, "why");
  EXPECT_EQ(lrp.placement_error, "where");
  EXPECT_EQ(lrp.zone, "z1");
  EXPECT_EQ(lrp.cell_id.empty(), !MayRun(lrp));
  EXPECT_EQ(lrp.claimed_at.has_value(), MayRun(lrp));
  EXPECT_EQ(lrp.routable_since.has_value(), lrp.state == LrpState::kRunning);
  EXPECT_EQ(lrp.tag.epoch, "epoch");
  EXPECT_THAT(lrp.id.str(),
              ::testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

INSTANTIATE_TEST_SUITE_P(
    OfTheTable, EachInstance,
    ::testing::Values(Mapped{"UNCLAIMED", 0, Presence::kOrdinary}, Mapped{"CLAIMED", 0, Presence::kOrdinary},
                      Mapped{"RUNNING", 0, Presence::kOrdinary}, Mapped{"CRASHED", 0, Presence::kOrdinary},
                      Mapped{"RUNNING", 1, Presence::kEvacuating}, Mapped{"CLAIMED", 1, Presence::kEvacuating},
                      Mapped{"RUNNING", 2, Presence::kSuspect}, Mapped{"CLAIMED", 2, Presence::kSuspect}));

TEST(Split, OneThatIsNotRoutableIsNotMadeSo) {
  LegacyApp app = App();
  app.actuals = {Instance(0, "RUNNING")};
  app.actuals[0].routable = false;
  EXPECT_FALSE(OnlyInstance(Split(app, kMadeAt)).routable_since.has_value());
}

struct Unfit {
  const char* name;
  void (*change)(LegacyInstance&);
  const char* reason;
};
class UnfitInstance : public ::testing::TestWithParam<Unfit> {};

TEST_P(UnfitInstance, IsNamedAndTheOthersAreTaken) {
  LegacyApp app = App();
  GetParam().change(app.actuals[0]);
  const SplitApp split = Split(app, kMadeAt);
  ASSERT_TRUE(split.state.has_value());
  EXPECT_THAT(split.state->actuals, SizeIs(1));
  ASSERT_THAT(split.findings, SizeIs(1));
  EXPECT_EQ(split.findings[0].kind, LegacyFinding::Kind::kRow);
  EXPECT_EQ(split.findings[0].table, "actual_lrps");
  EXPECT_THAT(split.findings[0].key, ::testing::StartsWith("shop/"));
  EXPECT_THAT(split.findings[0].reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, UnfitInstance,
    ::testing::Values(Unfit{"NoCell", [](LegacyInstance& l) { l.cell_id.clear(); }, "must have both"},
                      Unfit{"NoGuid", [](LegacyInstance& l) { l.instance_guid.clear(); }, "must have both"},
                      Unfit{"UnclaimedOnACell", [](LegacyInstance& l) { l.state = "UNCLAIMED"; }, "must have neither"},
                      Unfit{"State", [](LegacyInstance& l) { l.state = "MOVING"; }, "no state 'MOVING'"},
                      Unfit{"Presence", [](LegacyInstance& l) { l.presence = 3; }, "presence is 3"},
                      Unfit{"Index", [](LegacyInstance& l) { l.index = -1; }, "instance_index is -1"},
                      Unfit{"CrashCount", [](LegacyInstance& l) { l.crash_count = -1; }, "crash_count is -1"},
                      Unfit{"TagIndex", [](LegacyInstance& l) { l.tag_index = -1; }, "modification_tag_index is -1"},
                      Unfit{"Zone", [](LegacyInstance& l) { l.zone = "\xff"; }, "availability_zone is not valid UTF-8"},
                      Unfit{"SuspectThatRunsNowhere",
                            [](LegacyInstance& l) { l = Instance(0, "CRASHED", v1::ActualLRP::SUSPECT); },
                            "only an ORDINARY one"}),
    [](const auto& one) { return one.param.name; });

struct UnfitWish {
  const char* name;
  void (*change)(LegacyApp&);
  const char* reason;
};
class UnfitApp : public ::testing::TestWithParam<UnfitWish> {};

TEST_P(UnfitApp, IsNamedWithTheField) {
  LegacyApp app = App();
  GetParam().change(app);
  const SplitApp split = Split(app, kMadeAt);
  EXPECT_FALSE(split.state.has_value());
  ASSERT_THAT(split.findings, SizeIs(1));
  EXPECT_EQ(split.findings[0].kind, LegacyFinding::Kind::kRow);
  EXPECT_EQ(split.findings[0].table, "desired_lrps");
  EXPECT_EQ(split.findings[0].key, app.guid.str());
  EXPECT_THAT(split.findings[0].reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, UnfitApp,
    ::testing::Values(UnfitWish{"Guid", [](LegacyApp& a) { a.guid = ProcessGuid("a b"); }, "process_guid"},
                      UnfitWish{"Domain", [](LegacyApp& a) { a.domain.clear(); }, "domain is empty"},
                      UnfitWish{"LongDomain", [](LegacyApp& a) { a.domain.assign(256, 'd'); }, "domain is 256 bytes"},
                      UnfitWish{"LogGuid", [](LegacyApp& a) { a.log_guid = "\xc3"; }, "log_guid is not valid UTF-8"},
                      UnfitWish{"Annotation", [](LegacyApp& a) { a.annotation = "\xff"; }, "annotation"},
                      UnfitWish{"Instances", [](LegacyApp& a) { a.instances = 100'001; }, "instances is 100001"},
                      UnfitWish{"Memory", [](LegacyApp& a) { a.memory_mb = -1; }, "memory_mb is -1"},
                      UnfitWish{"RootFs", [](LegacyApp& a) { a.root_fs = "rootfs"; }, "root_fs is not what it may be"},
                      UnfitWish{"NoAction", [](LegacyApp& a) { a.run_info.clear_action(); }, "action"},
                      UnfitWish{"Port", [](LegacyApp& a) { a.run_info.add_ports(0); }, "ports[1]"},
                      UnfitWish{"Strategy", [](LegacyApp& a) { a.update_strategy = 2; }, "update_strategy is 2"},
                      UnfitWish{"Tag", [](LegacyApp& a) { a.tag_index = -1; }, "modification_tag_index"},
                      UnfitWish{"OfAnotherApp",
                                [](LegacyApp& a) { a.run_info.mutable_desired_lrp_key()->set_process_guid("other"); },
                                "run_info is that of app 'other'"},
                      UnfitWish{"TooManyBytesOfRoutes",
                                [](LegacyApp& a) { (*a.routes.mutable_routes())["x"].assign(129 << 10, ' '); },
                                "routes take"}),
    [](const auto& one) { return one.param.name; });

TEST(Split, ARouteThatBatonDoesNotRouteIsAFindingAndTheOthersStay) {
  LegacyApp app = App();
  (*app.routes.mutable_routes())["cf-router"] =
      R"([{"hostnames": ["a.example/../path", "b.example/api"], "port": 8080, "x": 1}, {"port": 1}, {"hostnames": ["*.*.c"], "port": 8080}])";
  (*app.routes.mutable_routes())["tcp-router"] = R"( [ {"external_port" : 1} ] )";
  const SplitApp split = Split(app, kMadeAt);
  ASSERT_TRUE(split.state.has_value());
  EXPECT_THAT(split.state->desired->routes.mapped, ElementsAre(MappedRoute{RouteNamed("b.example/api"), 8080}));
  EXPECT_EQ(split.state->desired->routes.payloads.at("tcp-router"), R"( [ {"external_port" : 1} ] )");
  EXPECT_THAT(split.state->desired->routes.payloads.at("cf-router"), HasSubstr(R"("x":1)"));
  ASSERT_THAT(split.findings, SizeIs(2));
  EXPECT_EQ(split.findings[0].kind, LegacyFinding::Kind::kNote) << "what Baton does not route by is kept, and said";
  EXPECT_EQ(split.findings[0].field, "routes.tcp-router");
  EXPECT_EQ(split.findings[1].kind, LegacyFinding::Kind::kField);
  EXPECT_EQ(split.findings[1].field, "routes");
  EXPECT_THAT(split.findings[1].reason,
              ::testing::AllOf(HasSubstr("'a.example/../path' has a path that no request has"),
                               HasSubstr("(no name, 5 bytes) is no host name"),
                               HasSubstr(R"({"hostnames": [...], "port": N})")));
}

TEST(Split, ADriverThatNoMountNeedsIsAFinding) {
  LegacyApp app = App();
  app.run_info.add_volume_mounts()->set_driver("nfs");
  app.volume_placement.add_driver_names("nfs");
  EXPECT_THAT(Split(app, kMadeAt).findings, IsEmpty());
  app.volume_placement.add_driver_names("smb");
  const SplitApp split = Split(app, kMadeAt);
  ASSERT_THAT(split.findings, SizeIs(1));
  EXPECT_EQ(split.findings[0].field, "volume_placement");
}

TEST(Split, WhatAnInstanceHasFromItsAppIsNoFinding) {
  LegacyApp app = App();
  app.metric_tags.emplace();
  (*app.metric_tags)["a"].set_static_("x");
  (*app.metric_tags)["i"].set_dynamic(v1::MetricTagValue::INDEX);
  (*app.metric_tags)["g"].set_dynamic(v1::MetricTagValue::INSTANCE_GUID);
  (*app.routes.mutable_routes())["internal-router"] = R"([{"hostname": "shop.internal"}])";
  LegacyInstance& lrp = app.actuals[1];
  lrp.metric_tags.emplace();
  (*lrp.metric_tags)["a"].set_static_("x");
  (*lrp.metric_tags)["i"].set_static_("1");
  (*lrp.metric_tags)["g"].set_static_("instance-1");
  lrp.internal_routes.emplace().add_actual_lrp_internal_routes()->set_hostname("shop.internal");
  EXPECT_THAT(Split(app, kMadeAt).findings, SizeIs(1)) << "the internal router's";
  (*lrp.metric_tags)["i"].set_static_("2");
  lrp.internal_routes->add_actual_lrp_internal_routes()->set_hostname("more.internal");
  const SplitApp split = Split(app, kMadeAt);
  ASSERT_THAT(split.findings, SizeIs(3));
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(split.findings[i].kind, LegacyFinding::Kind::kNote);
    EXPECT_EQ(split.findings[i].key, "shop");
    EXPECT_THAT(split.findings[i].reason, HasSubstr("(instances: 1)"));
  }
}

TEST(Split, ARecreateAppStaysOne) {
  LegacyApp app = App();
  app.update_strategy = v1::DesiredLRP::RECREATE;
  EXPECT_EQ(Split(app, kMadeAt).state->desired->strategy.mode, Mode::kRecreate);
}

TEST(Split, TheDeadlineLeavesRoomForASlowStart) {
  LegacyApp app = App();
  EXPECT_EQ(Split(app, kMadeAt).state->desired->strategy, Strategy());
  app.run_info.set_start_timeout_ms(900'000);
  const Strategy strategy = Split(app, kMadeAt).state->desired->strategy;
  EXPECT_EQ(strategy.progress_deadline,
            seconds(900) + strategy.min_healthy_time + strategy.drain_timeout + strategy.stop_timeout);
}

TEST(Split, WhereNobodyKnowsSinceWhenItIsTheLayoutsTime) {
  LegacyApp app = App();
  app.run_info.clear_created_at();
  EXPECT_EQ(Split(app, kMadeAt).state->desired->created_at, kMadeAt);
}

}  // namespace
}  // namespace baton
