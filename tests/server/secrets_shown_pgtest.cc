// What of an app's secrets is shown to whom: arguments, annotations, routes of unknown routers, and what an app wrote before it crashed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/event_follower.h"
#include "tests/server/objects_fixture.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kBook[] = "the-book-of-its-controller";
constexpr char kKey[] = "private-key";
constexpr char kArgument[] = "--token=of-an-argument";
constexpr char kLastWords[] = "panic: the password is wrong";
constexpr char kSentence[] = "it fell over (exit status 3)";

v2::DesireLRPRequest WithSecrets() {
  v2::DesireLRPRequest request = AppIn("app", "a", 1);
  v2::DesiredLRP& app = *request.mutable_desired_lrp();
  app.set_annotation(kBook);
  (*app.mutable_routes()->mutable_routes())["diego-ssh"] = std::string(R"({"private_key":")") + kKey + "\"}";
  app.mutable_definition()->mutable_run_info()->mutable_action()->mutable_run_action()->add_args(kArgument);
  return request;
}

class SecretsShown : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    file = new AccessText(kRules);
    secure = new SecureService(With(file->path()));
    secure->running().WaitForLead();
    ASSERT_TRUE(secure->running().Desire(WithSecrets()).ok());
    CellOn one(*secure, "honest-1");
    const std::string id = one.cell.NextRun().actual_id();
    one.cell.Report(ScriptedCell::Claimed(id));
    v2::CellReport crashed = ScriptedCell::Crashed(id);
    crashed.mutable_crashed()->set_last_output(kLastWords);
    one.cell.Report(crashed);
  }
  static void TearDownTestSuite() {
    delete secure;
    delete file;
  }

  template <class Response, class Open>
  static std::string Pages(Open open) {
    const auto context = Context();
    const auto stream = open(context.get());
    std::string all;
    for (Response page; stream->Read(&page);) all += page.DebugString();
    return all + stream->Finish().error_message();
  }
  static std::string Events(As& as) {
    EventFollower follower(*as.events, EventFollower::After(0));
    EXPECT_TRUE(follower.WaitFor([&] { return follower.caught_up(); }));
    std::string all;
    for (const v2::Event& event : follower.events()) all += event.DebugString();
    return all;
  }
  static std::string OldScheduling(As& as) {
    return Pages<v1::DesiredLRPSchedulingInfosResponse>([&](auto* c) { return as.old_apps->ListSchedulingInfos(c, {}); });
  }
  static std::string Instances(As& as) {
    return Pages<v2::ListActualLRPsResponse>([&](auto* c) { return as.lrps->ListActualLRPs(c, {}); });
  }
  static std::string OldInstances(As& as) {
    return Pages<v1::ActualLRPsResponse>([&](auto* c) { return as.old_lrps->ListActualLRPs(c, {}); });
  }
  static std::string Steps(As& as) {
    v2::GetRollRequest request;
    request.set_process_guid("app");
    request.set_with_steps(true);
    v2::GetRollResponse response;
    EXPECT_TRUE(as.rolls->GetRoll(Context().get(), request, &response).ok());
    return response.DebugString();
  }
  static std::string Ahead(As& as) {
    v2::ForecastRollRequest request;
    request.set_process_guid("app");
    v2::PlanUpdateResponse response;
    EXPECT_TRUE(as.rolls->ForecastRoll(Context().get(), request, &response).ok());
    return response.DebugString();
  }

  static inline AccessText* file = nullptr;
  static inline SecureService* secure = nullptr;
};

TEST_F(SecretsShown, LastWordsGoToAdminsAndTheAppsControllersAlone) {
  for (const auto& [role, name] : {std::pair(Role::kAdmin, "root"), std::pair(Role::kController, "mine")}) {
    As as(*secure, role, name);
    for (const std::string& text : {Instances(as), OldInstances(as), Events(as), Steps(as)}) {
      EXPECT_THAT(text, AllOf(HasSubstr(kSentence), HasSubstr(kLastWords))) << Name(role);
    }
  }
  for (const Role role : {Role::kViewer, Role::kOperator}) {
    As as(*secure, role, "one");
    for (const std::string& text : {Instances(as), OldInstances(as), Events(as), Steps(as)}) {
      EXPECT_THAT(text, AllOf(HasSubstr(kSentence), Not(HasSubstr(kLastWords)))) << Name(role);
    }
    EXPECT_THAT(Ahead(as), Not(HasSubstr(kLastWords))) << Name(role);
  }
  As router(*secure, Role::kRouter, "r1");
  EXPECT_THAT(Instances(router) + OldInstances(router) + Events(router), Not(HasSubstr(kLastWords)));
  As foreign(*secure, Role::kController, "other");
  EXPECT_THAT(Instances(foreign) + Events(foreign), Not(HasSubstr(kSentence)));
  v2::ForecastRollRequest forecast;
  forecast.set_process_guid("app");
  v2::PlanUpdateResponse ahead;
  EXPECT_EQ(foreign.rolls->ForecastRoll(Context().get(), forecast, &ahead).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(SecretsShown, AnnotationsAndOtherRoutersOfEventsGoToAdminsAndTheAppsControllersAlone) {
  As mine(*secure, Role::kController, "mine");
  EXPECT_THAT(Events(mine), AllOf(HasSubstr(kBook), HasSubstr(kKey)));
  As viewer(*secure, Role::kViewer, "one");
  EXPECT_THAT(Events(viewer), AllOf(Not(HasSubstr(kBook)), Not(HasSubstr(kKey)), HasSubstr("<redacted>")));
}

// Diego's controllers compare by it, and ask for nothing.
TEST_F(SecretsShown, V1ShowsThemToWhoMayAndV2ToWhoAsks) {
  As mine(*secure, Role::kController, "mine");
  EXPECT_THAT(OldScheduling(mine), AllOf(HasSubstr(kBook), HasSubstr(kKey)));
  As viewer(*secure, Role::kViewer, "one");
  EXPECT_THAT(OldScheduling(viewer), AllOf(HasSubstr("\"app\""), Not(HasSubstr(kBook)), Not(HasSubstr(kKey))));
  v2::ListDesiredLRPsRequest reveal;
  reveal.set_reveal_secrets(true);
  const auto scheduling = [&](As& as, const v2::ListDesiredLRPsRequest& request) {
    return Pages<v2::ListSchedulingInfosResponse>([&](auto* c) { return as.apps->ListSchedulingInfos(c, request); });
  };
  EXPECT_THAT(scheduling(mine, reveal), HasSubstr(kBook));
  EXPECT_THAT(scheduling(mine, {}), AllOf(HasSubstr("<redacted>"), Not(HasSubstr(kBook))));
  EXPECT_THAT(scheduling(viewer, reveal), HasSubstr("may not see secrets"));
  const auto get = [&](bool ask) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid("app");
    request.set_reveal_secrets(ask);
    v2::GetDesiredLRPResponse response;
    EXPECT_TRUE(mine.apps->GetDesiredLRP(Context().get(), request, &response).ok());
    return response.DebugString();
  };
  EXPECT_THAT(get(false), AllOf(Not(HasSubstr(kBook)), Not(HasSubstr("private-key")), Not(HasSubstr(kArgument)), Not(HasSubstr(kSecret))));
  EXPECT_THAT(get(true), AllOf(HasSubstr(kBook), HasSubstr("private-key"), HasSubstr(kArgument), HasSubstr(kSecret)));
}

// Who sends an answer back would store "<redacted>" as what it stands for.
TEST_F(SecretsShown, WhatAnswersHaveInTheirPlaceIsNoSecret) {
  As mine(*secure, Role::kController, "mine");
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("app");
  v2::GetDesiredLRPResponse got;
  ASSERT_TRUE(mine.apps->GetDesiredLRP(Context().get(), get, &got).ok());
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("app");
  *update.mutable_update()->mutable_routes() = got.desired_lrp().routes();
  v2::UpdateDesiredLRPResponse updated;
  grpc::Status status = mine.apps->UpdateDesiredLRP(Context().get(), update, &updated);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), AllOf(HasSubstr("diego-ssh"), HasSubstr("\"<redacted>\", which answers show in place of a secret")));
  update.mutable_update()->clear_routes();
  update.mutable_update()->set_annotation(got.desired_lrp().annotation());
  status = mine.apps->UpdateDesiredLRP(Context().get(), update, &updated);
  EXPECT_THAT(status.error_message(), HasSubstr("annotation is \"<redacted>\""));
  update.mutable_update()->set_annotation(kBook);
  EXPECT_TRUE(mine.apps->UpdateDesiredLRP(Context().get(), update, &updated).ok());
  EXPECT_THAT(updated.DebugString(), Not(HasSubstr(kBook))) << "an answer to a write reveals nothing";
}

}  // namespace
}  // namespace baton
