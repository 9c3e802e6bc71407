// Who was shown secrets is in the audit, and for whom a page called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/model/calls/wire_names.h"
#include "tests/server/objects_fixture.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kRevealsAccess[] =
    "controller mine domains a hostnames *\n"
    "cell honest-1 networks 127.0.0.0/8\n"
    "web page most operator\n"
    "web all most admin\n";

class Reveals : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    file = new AccessText(kRevealsAccess);
    secure = new SecureService(With(file->path()));
    secure->running().WaitForLead();
    ASSERT_TRUE(secure->running().Desire(AppIn("app", "a", 1)).ok());
  }
  static void TearDownTestSuite() {
    delete secure;
    delete file;
  }

  static std::vector<v2::AuditEntry> Entries(const std::string& actor) {
    const auto context = Context();
    v2::ListAuditRequest request;
    request.set_actor(actor);
    const auto stream = secure->running().admin->ListAudit(context.get(), request);
    std::vector<v2::AuditEntry> entries;
    for (v2::ListAuditResponse page; stream->Read(&page);) entries.insert(entries.end(), page.entries().begin(), page.entries().end());
    EXPECT_TRUE(stream->Finish().ok());
    return entries;
  }
  // "METHOD APP SUBJECT" of each row with secrets of this caller, once there are so many.
  static std::vector<std::string> Shown(const std::string& actor, std::size_t least) {
    std::vector<std::string> rows;
    Eventually([&] {
      rows.clear();
      for (const v2::AuditEntry& entry : Entries(actor)) {
        if (entry.outcome() == "REVEALED") rows.push_back(entry.method() + " " + entry.process_guid() + " " + entry.subject());
      }
      return rows.size() >= least;
    });
    return rows;
  }
  template <class Response, class Open>
  static grpc::Status Listed(Open open) {
    const auto context = Context();
    const auto stream = open(context.get());
    for (Response page; stream->Read(&page);) continue;
    return stream->Finish();
  }
  static grpc::Status GetOld(As& as) {
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid("app");
    v1::DesiredLRPResponse response;
    return as.old_apps->GetDesiredLRP(Context().get(), request, &response);
  }
  static std::unique_ptr<grpc::ClientContext> For(const std::string& person) {
    auto context = Context();
    context->AddMetadata(kOnBehalfKey, person);
    context->AddMetadata(kActorKey, "browser");
    return context;
  }

  static inline AccessText* file = nullptr;
  static inline SecureService* secure = nullptr;
};

TEST_F(Reveals, EachCallOfV2ThatAsksForSecretsIsARow) {
  As admin(*secure, Role::kAdmin, "reader");
  ASSERT_TRUE(admin.Get("app", true).ok());
  ASSERT_TRUE(admin.Get("app", true).ok());
  ASSERT_TRUE(admin.GetDefinition("app", true).ok());
  v2::ListDesiredLRPsRequest of_domain, of_app;
  of_domain.set_domain("a");
  of_domain.set_reveal_secrets(true);
  of_app.add_process_guids("app");
  of_app.set_reveal_secrets(true);
  ASSERT_TRUE(Listed<v2::ListDesiredLRPsResponse>([&](auto* c) { return admin.apps->ListDesiredLRPs(c, of_domain); }).ok());
  ASSERT_TRUE(Listed<v2::ListSchedulingInfosResponse>([&](auto* c) { return admin.apps->ListSchedulingInfos(c, of_app); }).ok());
  // Nothing was shown by these.
  EXPECT_TRUE(admin.Get("app", false).ok());
  EXPECT_EQ(admin.Get("absent", true).error_code(), StatusCode::NOT_FOUND);
  EXPECT_TRUE(Listed<v2::ListDesiredLRPsResponse>([&](auto* c) { return admin.apps->ListDesiredLRPs(c, {}); }).ok());
  EXPECT_THAT(Shown("admin/reader", 5),
              UnorderedElementsAre("baton.v2.DesiredLRPs/GetDesiredLRP app ", "baton.v2.DesiredLRPs/GetDesiredLRP app ",
                                   "baton.v2.Definitions/GetDefinition app definition v1", "baton.v2.DesiredLRPs/ListDesiredLRPs  domain a",
                                   "baton.v2.DesiredLRPs/ListSchedulingInfos app "));
}

TEST_F(Reveals, OfV1TheFirstIsARowAndTheOthersAreCounted) {
  As mine(*secure, Role::kController, "mine");
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(GetOld(mine).ok());
  ASSERT_TRUE(Listed<v1::DesiredLRPsResponse>([&](auto* c) { return mine.old_apps->ListDesiredLRPs(c, {}); }).ok());
  ASSERT_TRUE(mine.Get("app", true).ok());  // later than all of them, and written with them
  EXPECT_THAT(Shown("controller/mine", 3),
              UnorderedElementsAre("baton.v1.DesiredLRPs/GetDesiredLRP app ", "baton.v1.DesiredLRPs/ListDesiredLRPs  all apps",
                                   "baton.v2.DesiredLRPs/GetDesiredLRP app "));
}

TEST_F(Reveals, WhatACellReadsOfWhatItRunsIsARowAnHourAndARefusalIsNoReveal) {
  CellOn one(*secure, "honest-1");
  (void)one.cell.NextRun();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(one.as.GetDefinition("app", true).ok());
  ASSERT_TRUE(GetOld(one.as).ok());
  As viewer(*secure, Role::kViewer, "curious");
  EXPECT_EQ(viewer.Get("app", true).error_code(), StatusCode::PERMISSION_DENIED);
  As later(*secure, Role::kAdmin, "later");
  ASSERT_TRUE(later.Get("app", true).ok());
  EXPECT_THAT(Shown("admin/later", 1), ElementsAre("baton.v2.DesiredLRPs/GetDesiredLRP app "));
  EXPECT_THAT(Shown("cell/honest-1", 2), UnorderedElementsAre("baton.v2.Definitions/GetDefinition app definition v1",
                                                              "baton.v1.DesiredLRPs/GetDesiredLRP app "));
  EXPECT_THAT(Shown("viewer/curious", 0), IsEmpty());
}

// A page reads with the eyes of who sits before it.
TEST_F(Reveals, APageCallsForAPersonAndTheAuditHasBoth) {
  As page(*secure, Role::kWeb, "page"), all(*secure, Role::kWeb, "all");
  const auto get = [&](As& as, std::unique_ptr<grpc::ClientContext> context, bool reveal) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid("app");
    request.set_reveal_secrets(reveal);
    v2::GetDesiredLRPResponse response;
    const grpc::Status status = as.apps->GetDesiredLRP(context.get(), request, &response);
    return status.ok() ? response.DebugString() : std::to_string(status.error_code()) + ": " + status.error_message();
  };
  EXPECT_THAT(get(page, For("role/operator/alice"), false), HasSubstr("process_guid: \"app\""));
  EXPECT_THAT(get(page, For("role/operator/alice"), true), HasSubstr("operator may not see secrets"));
  EXPECT_THAT(get(page, For("role/admin/root"), false), HasSubstr("7: web/page calls for operator at most, not for admin/root"));
  EXPECT_THAT(get(page, Context(), false), HasSubstr("7: web/page calls for a person"));
  EXPECT_THAT(get(all, For("role/admin/root"), true), HasSubstr(kSecret));
  As viewer(*secure, Role::kViewer, "v");
  EXPECT_THAT(get(viewer, For("role/viewer/v"), false), HasSubstr("7: viewer/v calls for nobody else"));
  // Writes, and through baton.v1.
  v2::RetireInstancesRequest retire;
  retire.set_process_guid("app");
  v2::RetireInstancesResponse retired;
  EXPECT_TRUE(page.lrps->RetireInstances(For("role/operator/alice").get(), retire, &retired).ok());
  EXPECT_EQ(page.lrps->RetireInstances(For("role/viewer/ann").get(), retire, &retired).error_code(), StatusCode::PERMISSION_DENIED);
  v1::DesiredLRPByProcessGuidRequest old;
  old.set_process_guid("app");
  v1::DesiredLRPResponse shown;
  EXPECT_EQ(page.old_apps->GetDesiredLRP(For("role/operator/alice").get(), old, &shown).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(all.old_apps->GetDesiredLRP(For("role/admin/root").get(), old, &shown).ok());
  EXPECT_THAT(Shown("web/all", 2), UnorderedElementsAre("baton.v2.DesiredLRPs/GetDesiredLRP app ", "baton.v1.DesiredLRPs/GetDesiredLRP app "));
  EXPECT_THAT(Shown("admin/root", 2).size(), 2u) << "found by the person, too";
  const auto of_alice = Entries("operator/alice");
  const auto done = std::ranges::find(of_alice, std::string("OK"), &v2::AuditEntry::outcome);
  ASSERT_NE(done, of_alice.end());
  EXPECT_EQ(done->method(), "baton.v2.ActualLRPs/RetireInstances");
  EXPECT_EQ(done->identity(), "web/page");
  EXPECT_EQ(done->on_behalf(), "operator/alice");
  EXPECT_EQ(done->actor(), "browser");
}

}  // namespace
}  // namespace baton
