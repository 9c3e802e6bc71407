// Apps of baton.v1 and baton.v2: what the old one can say is not lost on the way to the new one and back.
#include "orchestrator/transform/messages/desired_lrp.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>

#include "tests/orchestrator/transform/random_message.h"

namespace baton::transform {
namespace {

using google::protobuf::util::MessageDifferencer;

constexpr int kRounds = 2000;

std::string Difference(const google::protobuf::Message& a, const google::protobuf::Message& b) {
  std::string report;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&report);
  differencer.Compare(a, b);
  return report;
}

// A new field of either message that nobody thought of is here.
TEST(Transformers, HaveAPlaceForEveryField) {
  for (const Mapping* mapping : {&DesiredLrpMapping(), &UpdateMapping(), &SchedulingInfoMapping()}) {
    EXPECT_THAT(mapping->Homeless(), ::testing::IsEmpty());
    EXPECT_THAT(mapping->Misnamed(), ::testing::IsEmpty());
  }
}

TEST(Transformers, AnAppComesBackAsItWas) {
  std::mt19937_64 random(7);
  for (int i = 0; i < kRounds; ++i) {
    v1::DesiredLRP app;
    Fill(app, random);
    ASSERT_EQ(Difference(app, ToV1(ToV2(app))), "");
  }
}

TEST(Transformers, AnAppsFieldsArePutWhereTheyBelong) {
  v1::DesiredLRP app;
  app.set_process_guid("app");
  app.set_root_fs("docker:///x");
  app.set_log_guid("log");
  app.set_memory_mb(64);
  app.set_cpu_weight(3);
  app.add_placementtags("ssd");
  app.set_image_password("pw");
  app.set_update_strategy(v1::DesiredLRP::RECREATE);
  const v2::DesiredLRP made = ToV2(app);
  EXPECT_EQ(made.process_guid(), "app");
  EXPECT_EQ(made.log_guid(), "log");
  EXPECT_EQ(made.image_password(), "pw");
  EXPECT_EQ(made.strategy().mode(), v2::Strategy::RECREATE);
  EXPECT_EQ(made.definition().resource().root_fs(), "docker:///x");
  EXPECT_EQ(made.definition().resource().memory_mb(), 64);
  EXPECT_THAT(made.definition().placement_tags(), ::testing::ElementsAre("ssd"));
  EXPECT_EQ(made.definition().run_info().cpu_weight(), 3U);
  EXPECT_EQ(made.definition().run_info().image_password(), "") << "it is the app's, not its definition's";
}

// What the update says, it says in v2, and nothing else.
TEST(Transformers, AnUpdateSaysTheSame) {
  std::mt19937_64 random(11);
  for (int i = 0; i < kRounds; ++i) {
    v1::UpdateDesiredLRPRequest old;
    Fill(old, random);
    v2::UpdateDesiredLRPRequest made = ToV2(old);
    EXPECT_EQ(made.process_guid(), old.process_guid());
    v1::DesiredLRPUpdate back;
    UpdateMapping().Gather({made.mutable_update()}, back);
    if (made.update().has_desired_lrp()) *back.mutable_desired_lrp() = ToV1(made.update().desired_lrp());
    if (old.update().has_update_identifier()) back.set_update_identifier(made.update().update_identifier());
    ASSERT_EQ(Difference(old.update(), back), "");
  }
}

TEST(Transformers, WhatAnUpdateDoesNotSayStaysUnsaid) {
  v1::UpdateDesiredLRPRequest old;
  old.set_process_guid("app");
  const v2::DesiredLRPUpdate made = ToV2(old).update();
  EXPECT_EQ(made.ByteSizeLong(), 0U) << made.DebugString();
  old.mutable_update()->set_instances(0);
  EXPECT_TRUE(ToV2(old).update().has_instances()) << "none at all is something else than nothing said";
}

TEST(Transformers, ASchedulingInfoIsTheSameFromAnAppAndFromAList) {
  v2::DesiredLRP app;
  app.set_process_guid("app");
  app.set_domain("cf");
  app.set_log_guid("log");
  app.set_instances(3);
  app.set_annotation("note");
  (*app.mutable_routes()->mutable_routes())["cf-router"] = "[]";
  app.mutable_definition()->mutable_resource()->set_root_fs("x:y");
  app.mutable_definition()->add_placement_tags("ssd");
  for (const char* driver : {"nfs", "nfs", "smb"}) {
    app.mutable_definition()->mutable_run_info()->add_volume_mounts()->set_driver(driver);
  }
  v2::DesiredLRPSchedulingInfo listed;
  listed.set_process_guid("app");
  listed.set_domain("cf");
  listed.set_log_guid("log");
  listed.set_instances(3);
  listed.set_annotation("note");
  *listed.mutable_routes() = app.routes();
  *listed.mutable_modification_tag() = app.modification_tag();
  listed.mutable_resource()->set_root_fs("x:y");
  listed.add_placement_tags("ssd");
  listed.add_volume_drivers("nfs");
  listed.add_volume_drivers("smb");
  EXPECT_EQ(Difference(ToV1(listed), SchedulingInfo(app)), "");
  EXPECT_EQ(SchedulingInfo(app).desired_lrp_key().process_guid(), "app");
  EXPECT_THAT(SchedulingInfo(app).volume_placement().driver_names(), ::testing::ElementsAre("nfs", "smb"));
}

TEST(Transformers, AppGuidsAreBeginningsOfProcessGuids) {
  v1::DesiredLRPsRequest all;
  EXPECT_TRUE(AppGuids(all).Has("anything"));
  for (const char* beginning : {"b-", "a-", "b-1", "b-2", "a-"}) all.add_app_guids(beginning);
  const AppGuids some(all);
  for (const char* asked : {"a-", "a-9", "b-1", "b-15", "b-3"}) EXPECT_TRUE(some.Has(asked)) << asked;
  for (const char* other : {"", "a", "a,", "b", "c-1"}) EXPECT_FALSE(some.Has(other)) << other;
  all.add_app_guids("");
  EXPECT_TRUE(AppGuids(all).Has("c-1")) << "so all begin";
}

TEST(Transformers, AppGuidsAreFoundAsByLookingAtEach) {
  std::mt19937_64 random(3);
  const auto word = [&] {
    std::string made;
    for (auto i = random() % 5; i > 0; --i) made += static_cast<char>('a' + random() % 3);
    return made;
  };
  for (int round = 0; round < kRounds; ++round) {
    v1::DesiredLRPsRequest request;
    for (auto i = random() % 6 + 1; i > 0; --i) request.add_app_guids("x" + word());
    const std::string guid = "x" + word();
    const auto begins = [&](const std::string& app) { return guid.starts_with(app); };
    ASSERT_EQ(AppGuids(request).Has(guid), std::ranges::any_of(request.app_guids(), begins)) << request.DebugString();
  }
}

}  // namespace
}  // namespace baton::transform
