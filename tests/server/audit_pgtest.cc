// Who asked for what, as it was asked: what is written beside each change.
#include <gmock/gmock.h>

#include "orchestrator/model/wire_names.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/old_api.h"

namespace baton {
namespace {

class Audit : public OldApi {
 protected:
  static bool HasRow(const std::string& guid, const std::string& method, const std::string& actor = "unknown") {
    return Exists(service->url(), "audit WHERE process_guid = '" + guid + "' AND method = '" + method +
                                      "' AND actor = '" + actor + "' AND outcome ~ '^OK'");
  }
  static std::vector<v2::AuditEntry> List(const v2::ListAuditRequest& request) {
    const auto context = Context();
    const auto reader = service->admin->ListAudit(context.get(), request);
    std::vector<v2::AuditEntry> entries;
    for (v2::ListAuditResponse page; reader->Read(&page);) {
      entries.insert(entries.end(), page.entries().begin(), page.entries().end());
    }
    const grpc::Status status = reader->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
    return entries;
  }
  static std::vector<v2::AuditEntry> OfApp(const std::string& guid) {
    v2::ListAuditRequest request;
    request.set_process_guid(guid);
    return List(request);
  }
  static std::vector<v2::AuditEntry> OfActor(const std::string& actor) {
    v2::ListAuditRequest request;
    request.set_actor(actor);
    return List(request);
  }
  static grpc::Status UpdateAs(const std::string& actor, const v2::UpdateDesiredLRPRequest& request) {
    const auto context = Context();
    context->AddMetadata(kActorKey, actor);
    v2::UpdateDesiredLRPResponse response;
    return service->apps->UpdateDesiredLRP(context.get(), request, &response);
  }
};

TEST_F(Audit, NamesTheCallInTheApiThatItWasAskedIn) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("new-api")).ok());
  EXPECT_TRUE(HasRow("new-api", "baton.v2.DesiredLRPs/DesireLRP"));
  ASSERT_FALSE(Desire(App("old-api")).has_error());
  EXPECT_TRUE(HasRow("old-api", "baton.v1.DesiredLRPs/DesireLRP"));
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("old-api");
  update.mutable_update()->set_instances(2);
  ASSERT_FALSE(Update(update).has_error());
  EXPECT_TRUE(HasRow("old-api", "baton.v1.DesiredLRPs/UpdateDesiredLRP"));
  // Two calls with one counterpart in v2, or one of another name.
  v1::RetireActualLRPRequest retire;
  retire.mutable_actual_lrp_key()->set_process_guid("old-api");
  v1::ActualLRPLifecycleResponse retired;
  ASSERT_TRUE(lrps->RetireActualLRP(Context().get(), retire, &retired).ok());
  EXPECT_TRUE(HasRow("old-api", "baton.v1.ActualLRPs/RetireActualLRP")) << retired.error().message();
  v2::ChangeRollRequest change;
  change.set_process_guid("new-api");
  v2::ChangeRollResponse changed;
  ASSERT_TRUE(service->rolls->PauseRoll(Context().get(), change, &changed).ok());
  EXPECT_TRUE(HasRow("new-api", "baton.v2.Rolls/PauseRoll"));
  EXPECT_FALSE(Exists(service->url(), "audit WHERE method NOT LIKE 'baton.v_.%/%'"));
}

TEST_F(Audit, NobodyFromOutsideSaysWhatItWasAskedIn) {
  const auto lie = [] {
    auto context = Context();
    context->AddMetadata(kAskedInKey, "baton.v1.Nonsense/DropTables");
    context->AddMetadata(kActorKey, "liar");
    return context;
  };
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->apps->DesireLRP(lie().get(), RunningService::SmallApp("lied-v2"), &desired).ok());
  EXPECT_TRUE(HasRow("lied-v2", "baton.v2.DesiredLRPs/DesireLRP", "liar"));
  v1::DesireLRPRequest request;
  *request.mutable_desired_lrp() = App("lied-v1");
  v1::DesiredLRPLifecycleResponse response;
  ASSERT_TRUE(apps->DesireLRP(lie().get(), request, &response).ok());
  EXPECT_TRUE(HasRow("lied-v1", "baton.v1.DesiredLRPs/DesireLRP", "liar"));
  EXPECT_FALSE(Exists(service->url(), "audit WHERE method LIKE '%Nonsense%'"));
}

TEST_F(Audit, NamesTheFieldsThatChangedAndNoValue) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("changing")).ok());
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid("changing");
  request.mutable_update()->set_instances(2);
  request.mutable_update()->set_annotation("told-nobody");
  request.mutable_update()->mutable_strategy()->set_max_failures(7);
  ASSERT_TRUE(UpdateAs("ann", request).ok());
  const auto entries = OfApp("changing");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].actor(), "ann");
  EXPECT_EQ(entries[0].outcome(), "OK");
  EXPECT_THAT(entries[0].changed(), testing::UnorderedElementsAre("instances", "annotation", "strategy.max_failures"));
  EXPECT_GT(entries[0].at(), entries[1].at()) << "the newest first";
  EXPECT_THAT(entries[1].changed(), testing::IsEmpty());
  EXPECT_FALSE(Exists(service->url(), "audit WHERE outcome LIKE '%told%'"));
}

TEST_F(Audit, HasRefusedWritesWithTheirReason) {
  v2::UpdateDesiredLRPRequest nobody;
  nobody.set_process_guid("nobody-s");
  nobody.mutable_update()->set_instances(2);
  EXPECT_EQ(UpdateAs("ben", nobody).error_code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_TRUE(Eventually([] { return OfActor("ben").size() == 1; }));
  nobody.set_process_guid("no name");
  EXPECT_EQ(UpdateAs("ben", nobody).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ASSERT_TRUE(Eventually([] { return OfActor("ben").size() == 2; }));
  const auto entries = OfActor("ben");
  EXPECT_EQ(entries[0].outcome(), "INVALID_ARGUMENT");
  EXPECT_EQ(entries[0].process_guid(), "no name");
  EXPECT_THAT(entries[0].reason(), testing::HasSubstr("process_guid is 'no name'"));
  EXPECT_EQ(entries[1].outcome(), "NOT_FOUND");
  EXPECT_EQ(entries[1].method(), "baton.v2.DesiredLRPs/UpdateDesiredLRP");
  EXPECT_THAT(entries[1].reason(), testing::HasSubstr("nobody-s"));
}

TEST_F(Audit, ManyRefusalsFillNoDisk) {
  v2::UpdateDesiredLRPRequest nobody;
  nobody.set_process_guid("nobody-s");
  nobody.mutable_update()->set_instances(2);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(UpdateAs("loop", nobody).error_code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_TRUE(Eventually([] { return OfActor("loop").size() >= 20; }));
  EXPECT_LE(OfActor("loop").size(), 22U) << "one more each minute";
}

// One call names one statement's look: what is asked for may lie behind many rows that are not.
TEST_F(Audit, IsListedPageByPageAndByTime) {
  const auto session = OpenSession(service->url());
  const SessionError made = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript(
        "INSERT INTO audit (at, actor, method, process_guid, request_id, outcome) SELECT now() - interval '1 day' + (n "
        "/ 2) * "
        "interval '1 ms', CASE WHEN n = 7 THEN 'rare' ELSE 'crowd' END, 'm', 'paged', n::text, 'OK' "
        "FROM generate_series(1, 3500) AS of (n)");
    return true;
  });
  ASSERT_TRUE(made.ok()) << made.detail;
  EXPECT_EQ(OfActor("rare").size(), 1U);
  const auto all = OfApp("paged");
  ASSERT_EQ(all.size(), 3500U);
  for (int i = 0; i < 3500; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)].request_id(), std::to_string(3500 - i));
  v2::ListAuditRequest newest;
  newest.set_actor("crowd");
  newest.set_most(1200);
  EXPECT_EQ(List(newest).size(), 1200U);
  v2::ListAuditRequest lately;
  lately.set_process_guid("paged");
  lately.set_since(all[99].at());
  EXPECT_EQ(List(lately).size(), 101U) << "two at each instant";
  v2::ListAuditRequest wrong;
  wrong.set_since(-1);
  const auto context = Context();
  EXPECT_EQ(service->admin->ListAudit(context.get(), wrong)->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace baton
