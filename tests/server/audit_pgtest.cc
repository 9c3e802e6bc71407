// Who asked for what, as it was asked: what is written beside each change.
#include <gmock/gmock.h>

#include "baton/v2/upgrades_service.grpc.pb.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/version.h"
#include "sql/calls/pg_audit.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/old_api.h"
#include "tests/server/scripted_cell.h"

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
  EXPECT_THAT(entries[0].changed(),
              ::testing::UnorderedElementsAre("instances", "annotation", "strategy.max_failures"));
  EXPECT_GT(entries[0].at(), entries[1].at()) << "the newest first";
  EXPECT_THAT(entries[1].changed(), ::testing::IsEmpty());
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
  EXPECT_THAT(entries[0].reason(), ::testing::HasSubstr("process_guid is not what it may be"));
  EXPECT_EQ(entries[1].outcome(), "NOT_FOUND");
  EXPECT_EQ(entries[1].method(), "baton.v2.DesiredLRPs/UpdateDesiredLRP");
  EXPECT_THAT(entries[1].reason(), ::testing::HasSubstr("nobody-s"));
}

TEST_F(Audit, ManyRefusalsFillNoDisk) {
  v2::UpdateDesiredLRPRequest nobody;
  nobody.set_process_guid("nobody-s");
  nobody.mutable_update()->set_instances(2);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(UpdateAs("loop", nobody).error_code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_TRUE(Eventually([] { return OfActor("loop").size() >= 20; }));
  EXPECT_LE(OfActor("loop").size(), 22U) << "one more each minute";
}

TEST_F(Audit, ATextThatIsCutWithinACharacterIsStoredAllTheSame) {
  v2::UpdateDesiredLRPRequest nobody;
  std::string guid = "x";
  for (int i = 0; i < 300; ++i) guid += "\xc3\xa4";
  nobody.set_process_guid(guid);
  EXPECT_EQ(UpdateAs("cutter", nobody).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(Eventually([] { return OfActor("cutter").size() == 1; }));
}

// Such a batch is not tried again as it is (RefusedWrites).
TEST_F(Audit, WhatPostgresNeverTakesIsToldFromWhatItMayTakeLater) {
  v2::PingResponse leader;
  ASSERT_TRUE(service->admin->Ping(Context().get(), {}, &leader).ok());
  PgAudit store(service->url());
  store.Lead({"batond", leader.epoch()});
  const auto append = [&](const std::string& actor) {
    return store.Append({{.entry = {.actor = actor, .outcome = "NOT_FOUND"}}});
  };
  const Status never = append("\xff");
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().kind, ErrorKind::kInvalidArgument) << never.error().message;
  EXPECT_TRUE(append("of-the-store"));
  store.Lead({"batond", leader.epoch() - 1});
  const Status later = append("deposed");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().kind, ErrorKind::kUnavailable);
}

class OperatorsAudit : public Audit {
 protected:
  static std::unique_ptr<grpc::ClientContext> As(const std::string& actor) {
    auto context = Context();
    context->AddMetadata(kActorKey, actor);
    return context;
  }
  static grpc::Status Upsert(const std::string& actor, const std::string& domain, std::int64_t ttl_s) {
    v2::UpsertDomainRequest request;
    request.set_domain(domain);
    request.set_ttl_s(ttl_s);
    v2::UpsertDomainResponse response;
    return service->domains->UpsertDomain(As(actor).get(), request, &response);
  }
  static grpc::Status Drain(const std::string& actor, const std::string& cell) {
    v2::ChangeCellRequest request;
    request.set_cell_id(cell);
    v2::ChangeCellResponse response;
    return service->cells->DrainCell(As(actor).get(), request, &response);
  }
  // Of the one entry of this actor, once there is one.
  static v2::AuditEntry OneOf(const std::string& actor) {
    EXPECT_TRUE(Eventually([&] { return !OfActor(actor).empty(); })) << actor;
    const auto entries = OfActor(actor);
    EXPECT_EQ(entries.size(), 1U) << actor;
    return entries.empty() ? v2::AuditEntry() : entries[0];
  }
  static std::string Shown(const v2::AuditEntry& entry) {
    std::string text = entry.outcome() + " " + entry.method() + " [" + entry.process_guid() + "] " + entry.subject() + ":";
    for (const std::string& field : entry.changed()) text += " " + field;
    return text;
  }
};

TEST_F(OperatorsAudit, HasWhatChangesDomains) {
  ASSERT_TRUE(Upsert("dora", "of dora's, 100 %", 60).ok());
  EXPECT_EQ(Shown(OneOf("dora")), "OK baton.v2.Domains/UpsertDomain [] domain of dora's, 100 %: expires_at");
  ASSERT_TRUE(Upsert("dora", "of dora's, 100 %", 120).ok());
  EXPECT_EQ(OfActor("dora").size(), 1U) << "it is only fresh for longer";
  ASSERT_TRUE(Upsert("dora", "of dora's, 100 %", 0).ok());
  ASSERT_TRUE(Upsert("dora", "of dora's, 100 %", 0).ok());
  EXPECT_EQ(OfActor("dora").size(), 2U) << "for ever, once";
  ASSERT_TRUE(Upsert("dora", "of dora's, 100 %", 30).ok());
  EXPECT_EQ(OfActor("dora").size(), 3U) << "it is fresh for less long";
  v2::SetDomainEgressRequest egress;
  egress.set_domain("lab");
  egress.set_unenforced("warn");
  v2::SetDomainEgressResponse response;
  ASSERT_TRUE(service->domains->SetDomainEgress(As("egon").get(), egress, &response).ok());
  EXPECT_EQ(Shown(OneOf("egon")), "OK baton.v2.Domains/SetDomainEgress [] domain lab: egress");
}

TEST_F(OperatorsAudit, HasRefusedWritesOfDomainsWithTheirReason) {
  EXPECT_EQ(Upsert("dan", "cf", -1).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  const auto entry = OneOf("dan");
  EXPECT_EQ(Shown(entry), "INVALID_ARGUMENT baton.v2.Domains/UpsertDomain [] domain cf:");
  EXPECT_THAT(entry.reason(), ::testing::HasSubstr("ttl_s is -1"));
  v2::SetDomainEgressRequest egress;
  egress.set_domain("lab");
  egress.set_unenforced("maybe");
  v2::SetDomainEgressResponse response;
  EXPECT_FALSE(service->domains->SetDomainEgress(As("else").get(), egress, &response).ok());
  EXPECT_EQ(Shown(OneOf("else")), "INVALID_ARGUMENT baton.v2.Domains/SetDomainEgress [] domain lab:");
}

TEST_F(OperatorsAudit, HasWhatIsAskedOfCells) {
  ScriptedCell cell(*service, "z1-3");
  cell.Hello();
  (void)cell.Welcome();
  ASSERT_TRUE(Eventually([] { return Drain("cleo", "z1-3").ok(); }));
  const auto entries = OfActor("cleo");
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(Shown(entries[0]), "OK baton.v2.Cells/DrainCell [] cell z1-3: draining");
  v2::ChangeCellRequest undrain;
  undrain.set_cell_id("z1-3");
  v2::ChangeCellResponse response;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(service->cells->UndrainCell(As("uma").get(), undrain, &response).ok());
  const auto again = OfActor("uma");
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(Shown(again[1]), "OK baton.v2.Cells/UndrainCell [] cell z1-3: draining");
  EXPECT_EQ(Shown(again[0]), "OK baton.v2.Cells/UndrainCell [] cell z1-3:") << "it did not drain";
  EXPECT_EQ(Drain("carl", "nowhere").error_code(), grpc::StatusCode::NOT_FOUND);
  const auto refused = OneOf("carl");
  EXPECT_EQ(Shown(refused), "NOT_FOUND baton.v2.Cells/DrainCell [] cell nowhere:");
  EXPECT_EQ(refused.reason(), "there is no cell nowhere");
}

TEST_F(OperatorsAudit, HasWhoHadAPassBegunAndNotWhoOnlyLooked) {
  v2::ConvergenceRequest request;
  v2::ConvergenceResponse response;
  ASSERT_TRUE(service->admin->Convergence(As("lea").get(), request, &response).ok());
  request.set_run(true);
  ASSERT_TRUE(service->admin->Convergence(As("eve").get(), request, &response).ok());
  EXPECT_EQ(Shown(OneOf("eve")), "OK baton.v2.Admin/Convergence [] convergence:");
  EXPECT_TRUE(OfActor("lea").empty());
}

TEST_F(OperatorsAudit, HasWhatIsAskedOfKeysAndUpgrades) {
  v2::KeysResponse keys;
  EXPECT_EQ(service->admin->RotateKeys(As("kim").get(), {}, &keys).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(Shown(OneOf("kim")), "FAILED_PRECONDITION baton.v2.Admin/RotateKeys [] keys:");
  const auto upgrades = v2::Upgrades::NewStub(service->channel());
  v2::BeginUpgradeRequest begin;
  begin.set_target("9.9.9");
  v2::UpgradeResponse upgrade;
  EXPECT_FALSE(upgrades->BeginUpgrade(As("ute").get(), begin, &upgrade).ok());
  const auto entry = OneOf("ute");
  EXPECT_EQ(entry.method(), "baton.v2.Upgrades/BeginUpgrade");
  EXPECT_EQ(entry.subject(), "schema 9.9.9");
  EXPECT_NE(entry.outcome(), "OK");
  EXPECT_FALSE(upgrades->RollBackUpgrade(As("rob").get(), {}, &upgrade).ok());
  EXPECT_EQ(OneOf("rob").method(), "baton.v2.Upgrades/RollBackUpgrade");
  ASSERT_TRUE(upgrades->FinishUpgrade(As("fin").get(), {}, &upgrade).ok()) << "there is nothing to finish";
  EXPECT_EQ(Shown(OneOf("fin")), std::string("OK baton.v2.Upgrades/FinishUpgrade [] schema ") + kSchemaSemver + ":");
}

// Before v2 is asked: fields that v1 does not have.
TEST_F(OperatorsAudit, HasWhatV1RefusesByItself) {
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("of-v1");
  update.mutable_update()->GetReflection()->MutableUnknownFields(update.mutable_update())->AddVarint(9999, 1);
  v1::DesiredLRPLifecycleResponse response;
  ASSERT_TRUE(apps->UpdateDesiredLRP(As("vera").get(), update, &response).ok());
  ASSERT_TRUE(response.has_error());
  const auto entry = OneOf("vera");
  EXPECT_EQ(Shown(entry), "INVALID_ARGUMENT baton.v1.DesiredLRPs/UpdateDesiredLRP [of-v1] :");
  EXPECT_THAT(entry.reason(), ::testing::HasSubstr("9999"));
  v1::DesireLRPRequest desire;
  *desire.mutable_desired_lrp() = App("in-v1");
  desire.GetReflection()->MutableUnknownFields(&desire)->AddVarint(9999, 1);
  ASSERT_TRUE(apps->DesireLRP(As("dick").get(), desire, &response).ok());
  EXPECT_EQ(Shown(OneOf("dick")), "INVALID_ARGUMENT baton.v1.DesiredLRPs/DesireLRP [in-v1] :");
  v1::UpsertDomainRequest upsert;
  upsert.set_domain("cf-v1");
  upsert.GetReflection()->MutableUnknownFields(&upsert)->AddVarint(9999, 1);
  v1::UpsertDomainResponse upserted;
  (void)domains->UpsertDomain(As("ursel").get(), upsert, &upserted);
  EXPECT_EQ(Shown(OneOf("ursel")), "INVALID_ARGUMENT baton.v1.Domains/UpsertDomain [] domain cf-v1:");
  v1::DomainsRequest list;
  list.GetReflection()->MutableUnknownFields(&list)->AddVarint(9999, 1);
  v1::DomainsResponse listed;
  (void)domains->ListDomains(As("lisa").get(), list, &listed);
  v1::UpsertDomainRequest later;
  later.set_domain("cf-v1-later");
  later.GetReflection()->MutableUnknownFields(&later)->AddVarint(9999, 1);
  (void)domains->UpsertDomain(As("lothar").get(), later, &upserted);
  (void)OneOf("lothar");
  EXPECT_EQ(OfActor("lisa").size(), 0U) << "it only reads";
}

// Counts of reveals and of refusals since their last row were lost at each orderly stop: the election's end came first.
TEST(RefusedWritesAtAStop, AreInTheAuditWithTheirCounts) {
  std::string url;
  {
    RunningService stopped;
    stopped.WaitForLead();
    url = stopped.url();
    ASSERT_TRUE(stopped.Desire(RunningService::SmallApp("shown")).ok());
    const auto old_apps = v1::DesiredLRPs::NewStub(stopped.channel());
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid("shown");
    v1::DesiredLRPResponse app;
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(old_apps->GetDesiredLRP(Context().get(), request, &app).ok());
    v2::ChangeRollRequest change;
    change.set_process_guid("nowhere");
    v2::ChangeRollResponse changed;
    for (int i = 0; i < 25; ++i) {
      EXPECT_EQ(stopped.rolls->PauseRoll(Context().get(), change, &changed).error_code(), grpc::StatusCode::NOT_FOUND);
    }
  }
  EXPECT_TRUE(Exists(url, "audit WHERE outcome ~ '^REVEALED [+]0'")) << "the first of the hour";
  EXPECT_TRUE(Exists(url, "audit WHERE outcome ~ '^REVEALED [+]2'")) << "the three after it";
  EXPECT_TRUE(Exists(url, "audit WHERE outcome ~ '^NOT_FOUND [+]4'")) << "five that the rate left out";
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
