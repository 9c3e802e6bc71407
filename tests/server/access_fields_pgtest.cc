// What of a request not everybody may say who may call its method, and what becomes of those who are refused: over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/transform/services/in_process.h"
#include "tests/server/secure_service.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kGuid[] = "app";
constexpr char kFieldsSecret[] = "tell-nobody";

// The stubs of one caller.
struct AsCaller : Stubs {
  AsCaller(const SecureService& secure, Role role, const std::string& name) : AsCaller(secure.ChannelOf(role, name)) {}
  explicit AsCaller(std::shared_ptr<grpc::Channel> with)
      : Stubs(with), channel(std::move(with)), old_apps(v1::DesiredLRPs::NewStub(channel)),
        old_lrps(v1::ActualLRPs::NewStub(channel)) {}

  grpc::Status Get(bool reveal, std::string* shown = nullptr) {
    const auto context = Context();
    return Get(*context, reveal, shown);
  }
  grpc::Status Get(grpc::ClientContext& context, bool reveal, std::string* shown = nullptr) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(kGuid);
    request.set_reveal_secrets(reveal);
    v2::GetDesiredLRPResponse response;
    const grpc::Status status = apps->GetDesiredLRP(&context, request, &response);
    if (shown) *shown = response.DebugString();
    return status;
  }
  grpc::Status List(bool reveal) {
    const auto context = Context();
    v2::ListDesiredLRPsRequest request;
    request.set_reveal_secrets(reveal);
    const auto stream = apps->ListDesiredLRPs(context.get(), request);
    for (v2::ListDesiredLRPsResponse page; stream->Read(&page);) continue;
    return stream->Finish();
  }
  grpc::Status GetDefinition(bool reveal) {
    v2::GetDefinitionRequest request;
    request.set_process_guid(kGuid);
    request.set_definition_identifier("v1");
    request.set_reveal_secrets(reveal);
    v2::GetDefinitionResponse response;
    return definitions->GetDefinition(Context().get(), request, &response);
  }
  grpc::Status Converge(bool run) {
    v2::ConvergenceRequest request;
    request.set_run(run);
    v2::ConvergenceResponse response;
    return admin->Convergence(Context().get(), request, &response);
  }
  grpc::Status Remove(bool named) {
    v2::RemoveActualLRPRequest request;
    request.mutable_slot()->set_process_guid(kGuid);
    if (named) {
      request.mutable_instance_key()->set_instance_guid("i");
      request.mutable_instance_key()->set_cell_id("one");
    }
    v2::ActualLRPLifecycleResponse response;
    return lrps->RemoveActualLRP(Context().get(), request, &response);
  }
  grpc::Status GetOld(std::string& shown) {
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(kGuid);
    v1::DesiredLRPResponse response;
    const grpc::Status status = old_apps->GetDesiredLRP(Context().get(), request, &response);
    shown = response.DebugString();
    return status;
  }

  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::DesiredLRPs::Stub> old_apps;
  std::unique_ptr<v1::ActualLRPs::Stub> old_lrps;
};

class AccessFields : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    secure = new SecureService();
    secure->running().WaitForLead();
    auto app = RunningService::SmallApp(kGuid, 1);  // that waits for a cell: without an access file each may take it, and read it
    auto& definition = *app.mutable_desired_lrp()->mutable_definition();
    definition.set_definition_identifier("v1");
    auto& variable = *definition.mutable_run_info()->add_environment_variables();
    variable.set_name("SECRET");
    variable.set_value(kFieldsSecret);
    ASSERT_TRUE(secure->running().Desire(app).ok());
  }
  static void TearDownTestSuite() { delete secure; }

  // The newest rows of the audit of this actor, once there are so many.
  static std::vector<v2::AuditEntry> Audit(const std::string& actor, std::size_t least) {
    std::vector<v2::AuditEntry> entries;
    Eventually([&] {
      entries.clear();
      const auto context = Context();
      v2::ListAuditRequest request;
      request.set_actor(actor);
      const auto stream = secure->running().admin->ListAudit(context.get(), request);
      for (v2::ListAuditResponse page; stream->Read(&page);) entries.insert(entries.end(), page.entries().begin(), page.entries().end());
      return stream->Finish().ok() && entries.size() >= least;
    });
    return entries;
  }

  static inline SecureService* secure = nullptr;
};

TEST_F(AccessFields, SecretsAreRefusedToWhoMayNotSeeThemAndNotLeftOut) {
  for (const Role role : {Role::kViewer, Role::kOperator}) {
    AsCaller as(*secure, role, "one");
    for (const grpc::Status& status : {as.Get(true), as.List(true), as.GetDefinition(true)}) {
      EXPECT_EQ(status.error_code(), StatusCode::PERMISSION_DENIED) << Name(role);
      EXPECT_THAT(status.error_message(), HasSubstr("may not see secrets: ask without reveal_secrets"));
    }
    std::string shown;
    EXPECT_TRUE(as.Get(false, &shown).ok());
    EXPECT_THAT(shown, Not(HasSubstr(kFieldsSecret)));
    EXPECT_TRUE(as.List(false).ok());
    EXPECT_TRUE(as.GetDefinition(false).ok());
  }
  for (const Role role : {Role::kAdmin, Role::kController}) {
    std::string shown;
    EXPECT_TRUE(AsCaller(*secure, role, "one").Get(true, &shown).ok());
    EXPECT_THAT(shown, HasSubstr(kFieldsSecret));
  }
  EXPECT_TRUE(AsCaller(*secure, Role::kCell, "one").GetDefinition(true).ok());
}

TEST_F(AccessFields, AViewerBeginsNoPass) {
  EXPECT_EQ(AsCaller(*secure, Role::kViewer, "one").Converge(true).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(AsCaller(*secure, Role::kViewer, "one").Converge(false).ok());
  EXPECT_TRUE(AsCaller(*secure, Role::kOperator, "one").Converge(true).ok());
}

TEST_F(AccessFields, ACellRemovesNobodyUnnamed) {
  AsCaller cell(*secure, Role::kCell, "one");
  EXPECT_EQ(cell.Remove(false).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_NE(cell.Remove(true).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_NE(AsCaller(*secure, Role::kAdmin, "one").Remove(false).error_code(), StatusCode::PERMISSION_DENIED);
  v1::RemoveActualLRPRequest request;
  request.set_process_guid(kGuid);
  v1::ActualLRPLifecycleResponse response;
  EXPECT_EQ(cell.old_lrps->RemoveActualLRP(Context().get(), request, &response).error_code(), StatusCode::PERMISSION_DENIED)
      << "and not an error in the answer, which is a word about the instance";
}

TEST_F(AccessFields, WhatV1AsksOfV2IsAskedForItsCaller) {
  AsCaller cell(*secure, Role::kCell, "one");
  std::string shown;
  EXPECT_TRUE(cell.GetOld(shown).ok());
  EXPECT_THAT(shown, HasSubstr(kFieldsSecret));
  EXPECT_EQ(cell.Get(false).error_code(), StatusCode::PERMISSION_DENIED) << "v2 itself is not for cells";
  AsCaller viewer(*secure, Role::kViewer, "one");
  EXPECT_EQ(viewer.GetOld(shown).error_code(), StatusCode::PERMISSION_DENIED);
  v1::DesiredLRPByProcessGuidRequest request;
  request.set_process_guid(kGuid);
  v1::DesiredLRPSchedulingInfoByProcessGuidResponse info;
  EXPECT_TRUE(viewer.old_apps->GetSchedulingInfo(Context().get(), request, &info).ok());
  EXPECT_EQ(info.desired_lrp_scheduling_info().desired_lrp_key().process_guid(), kGuid);
  const auto context = Context();
  AsCaller router(*secure, Role::kRouter, "one");
  const auto stream = router.old_apps->ListRoutingInfos(context.get(), {});
  int rows = 0;
  for (v1::DesiredLRPsResponse page; stream->Read(&page);) rows += page.desired_lrps_size();
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(rows, 1);
}

TEST_F(AccessFields, ACellSpeaksForItselfAlone) {
  AsCaller cell(*secure, Role::kCell, "one");
  const auto drain = [&](const std::string& name) {
    v2::ChangeCellRequest request;
    request.set_cell_id(name);
    v2::ChangeCellResponse response;
    return cell.cells->DrainCell(Context().get(), request, &response);
  };
  EXPECT_EQ(drain("two").error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(drain("one").error_code(), StatusCode::NOT_FOUND);
  v2::ClaimActualLRPRequest claim;
  claim.set_actual_id("a");
  claim.mutable_instance_key()->set_instance_guid("i");
  v2::ActualLRPLifecycleResponse claimed;
  for (const auto& [name, code] : {std::pair("two", StatusCode::PERMISSION_DENIED), std::pair("one", StatusCode::NOT_FOUND)}) {
    claim.mutable_instance_key()->set_cell_id(name);
    EXPECT_EQ(cell.lrps->ClaimActualLRP(Context().get(), claim, &claimed).error_code(), code) << name;
  }
  v1::ClaimActualLRPRequest old;
  old.set_process_guid(kGuid);
  old.mutable_actual_lrp_instance_key()->set_instance_guid("i");
  old.mutable_actual_lrp_instance_key()->set_cell_id("two");
  v1::ActualLRPLifecycleResponse answer;
  EXPECT_EQ(cell.old_lrps->ClaimActualLRP(Context().get(), old, &answer).error_code(), StatusCode::PERMISSION_DENIED);
  v2::SubscribeRequest subscribe;
  subscribe.set_cell_id("two");
  const auto context = Context();
  const auto stream = cell.events->Subscribe(context.get(), subscribe);
  v2::SubscribeResponse told;
  EXPECT_FALSE(stream->Read(&told));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::PERMISSION_DENIED);
}

TEST_F(AccessFields, ACellListsWhatIsItsOwn) {
  ASSERT_TRUE(secure->running().Desire(RunningService::SmallApp("waits", 1)).ok());
  ASSERT_EQ(secure->running().Instances("waits").size(), 1u);
  const auto listed = [](AsCaller& as, const std::string& cell_id, int& rows) {
    v2::ListActualLRPsRequest request;
    request.set_cell_id(cell_id);
    const auto context = Context();
    const auto stream = as.lrps->ListActualLRPs(context.get(), request);
    rows = 0;
    for (v2::ListActualLRPsResponse page; stream->Read(&page);) rows += page.actual_lrps_size();
    return stream->Finish().error_code();
  };
  AsCaller cell(*secure, Role::kCell, "one");
  AsCaller viewer(*secure, Role::kViewer, "one");
  int rows = 0;
  EXPECT_EQ(listed(cell, "", rows), StatusCode::OK);
  EXPECT_EQ(rows, 0) << "it is on no cell";
  EXPECT_EQ(listed(cell, "one", rows), StatusCode::OK);
  EXPECT_EQ(listed(cell, "two", rows), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(listed(viewer, "", rows), StatusCode::OK);
  EXPECT_EQ(rows, 2) << "of both apps";
}

// B18: what decided was metadata, and a text of gRPC's.
TEST_F(AccessFields, WhoClaimsToBeWithinIsNotBelieved) {
  for (const std::string& word : {std::string("unknown"), std::string(64, '0') + " admin/root", std::string(64, '0') + " "}) {
    const auto context = Context();
    context->AddMetadata(transform::kInProcessKey, word);
    context->AddMetadata(kAskedInKey, "baton.v1.DesiredLRPs/GetDesiredLRP");
    EXPECT_EQ(AsCaller(*secure, Role::kOperator, "liar").Get(*context, true).error_code(),
              StatusCode::PERMISSION_DENIED)
        << word;
  }
  for (const auto& entry : Audit("operator/liar", 3)) EXPECT_EQ(entry.method(), "baton.v2.DesiredLRPs/GetDesiredLRP");
}

// B19: what a caller said that it is stood there as if it were so.
TEST_F(AccessFields, TheAuditSaysWhoItWasAndWhatItSaidBesides) {
  AsCaller cc(*secure, Role::kController, "cc");
  v2::RemoveDesiredLRPRequest missing;
  missing.set_process_guid("no-such-app");
  for (const char* said : {"admin/root (said: nothing)", "ann"}) {
    const auto context = Context();
    context->AddMetadata(kActorKey, said);
    v2::RemoveDesiredLRPResponse response;
    EXPECT_EQ(cc.apps->RemoveDesiredLRP(context.get(), missing, &response).error_code(), StatusCode::NOT_FOUND);
  }
  const auto entries = Audit("controller/cc", 2);
  ASSERT_EQ(entries.size(), 2u);
  for (const auto& entry : entries) EXPECT_EQ(entry.identity(), "controller/cc");
  // Refusals are written down behind their answers: the two may be in either order.
  const std::set<std::string> actors{entries[0].actor(), entries[1].actor()};
  EXPECT_EQ(actors, (std::set<std::string>{"admin/root (said: nothing)", "ann"}));
  EXPECT_EQ(Audit("ann", 1).size(), 1u);
  EXPECT_TRUE(Audit("admin/root", 0).empty() || Audit("admin/root", 0)[0].identity() == "admin/root");
  // What is done is kept in the same way.
  const auto context = Context();
  context->AddMetadata(kActorKey, "bob");
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(cc.apps->DesireLRP(context.get(), RunningService::SmallApp("of-cc", 0), &desired).ok());
  const auto done = Audit("bob", 1);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].identity(), "controller/cc");
  EXPECT_EQ(done[0].outcome(), "OK");
  // And through v1.
  v1::RemoveDesiredLRPRequest old;
  old.set_process_guid("of-cc");
  v1::DesiredLRPLifecycleResponse answer;
  const auto removing = Context();
  removing->AddMetadata(kActorKey, "carol");
  ASSERT_TRUE(cc.old_apps->RemoveDesiredLRP(removing.get(), old, &answer).ok());
  const auto removed = Audit("carol", 1);
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].identity(), "controller/cc");
  EXPECT_EQ(removed[0].method(), "baton.v1.DesiredLRPs/RemoveDesiredLRP");
}

// B19: an answer that is kept for one caller was given to another who knew, or guessed, the key.
TEST_F(AccessFields, AnIdempotencyKeyIsOneCallersOwn) {
  auto request = RunningService::SmallApp("keyed", 0);
  request.set_idempotency_key("key-1");
  AsCaller one(*secure, Role::kController, "one");
  AsCaller two(*secure, Role::kController, "two");
  v2::DesireLRPResponse response;
  ASSERT_TRUE(one.apps->DesireLRP(Context().get(), request, &response).ok());
  EXPECT_TRUE(one.apps->DesireLRP(Context().get(), request, &response).ok()) << "its own answer again";
  EXPECT_EQ(two.apps->DesireLRP(Context().get(), request, &response).error_code(), StatusCode::ALREADY_EXISTS);
  auto other = RunningService::SmallApp("keyed-2", 0);
  other.set_idempotency_key("key-1");
  EXPECT_TRUE(two.apps->DesireLRP(Context().get(), other, &response).ok()) << "nobody takes another's key";
}

TEST_F(AccessFields, RefusalsOfWhoIsKnownAreInTheAuditAndFillItNot) {
  AsCaller noisy(*secure, Role::kRouter, "noisy");
  v2::KeysResponse response;
  for (int i = 0; i < 200; ++i) {
    const auto context = Context();
    context->AddMetadata(kActorKey, "name-" + std::to_string(i));
    (void)noisy.admin->RotateKeys(context.get(), {}, &response);
  }
  const auto entries = Audit("router/noisy", 20);
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.back().method(), "baton.v2.Admin/RotateKeys");
  EXPECT_EQ(entries.back().outcome(), "PERMISSION_DENIED");
  EXPECT_THAT(entries.back().reason(), HasSubstr("router may not call it"));
  EXPECT_EQ(entries.back().identity(), "router/noisy");
  EXPECT_LE(entries.size(), 22u);
  EXPECT_THAT(secure->running().Metrics(), HasSubstr("baton_refused_total{role=\"router\",why=\"role\"} 200"));
}

}  // namespace
}  // namespace baton
