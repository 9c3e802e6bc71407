// Which apps a controller may touch, by their domain, and which host names it routes. Over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/objects_fixture.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class Objects : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    file = new AccessText(kRules);
    secure = new SecureService(With(file->path()));
    secure->running().WaitForLead();
    As admin(*secure, Role::kAdmin, "root");
    ASSERT_TRUE(admin.Desire(AppIn("app-a", "a", 1, "one.a.example")).ok());
    ASSERT_TRUE(admin.Desire(AppIn("app-aa", "aa", 1)).ok());
    ASSERT_TRUE(admin.Desire(AppIn("app-b", "b", 1, "one.b.example")).ok());
  }
  static void TearDownTestSuite() {
    delete secure;
    delete file;
  }
  void SetUp() override { ASSERT_TRUE(secure); }

  // No oracle: what is another's is answered as what there is not.
  static void ExpectNotThere(As& mine, const std::string& hidden);

  static inline AccessText* file = nullptr;
  static inline SecureService* secure = nullptr;
};

TEST_F(Objects, AControllerSeesTheAppsOfItsDomainsAlone) {
  As mine(*secure, Role::kController, "mine");
  EXPECT_THAT(mine.Apps(), UnorderedElementsAre("app-a", "app-aa"));
  EXPECT_THAT(mine.Apps("a"), ElementsAre("app-a"));
  EXPECT_THAT(mine.Apps("b"), ElementsAre());
  EXPECT_THAT(mine.Scheduled(), UnorderedElementsAre("app-a", "app-aa"));
  EXPECT_THAT(mine.Instances(), UnorderedElementsAre("app-a", "app-aa"));
  EXPECT_THAT(mine.Definitions(), UnorderedElementsAre("app-a", "app-aa"));
  EXPECT_THAT(mine.Definitions("app-b"), ElementsAre());
  EXPECT_THAT(mine.OpenRolls(), UnorderedElementsAre("app-a", "app-aa"));
  EXPECT_TRUE(mine.Get("app-a", true).ok());
  EXPECT_TRUE(mine.GetDefinition("app-aa", true).ok());
  As nobody(*secure, Role::kController, "without-an-entry");
  EXPECT_THAT(nobody.Apps(), ElementsAre());
  EXPECT_THAT(nobody.Instances(), ElementsAre());
  As all(*secure, Role::kController, "all");
  EXPECT_THAT(all.Apps(), Contains("app-b"));
}

void Objects::ExpectNotThere(As& mine, const std::string& hidden) {
  const auto same = [&](const grpc::Status& foreign, const grpc::Status& absent, std::string text) {
    EXPECT_EQ(foreign.error_code(), StatusCode::NOT_FOUND) << text;
    EXPECT_EQ(absent.error_code(), StatusCode::NOT_FOUND) << text;
    std::string told = absent.error_message();
    if (const auto at = told.find("absent"); at != std::string::npos) told.replace(at, 6, hidden);
    EXPECT_EQ(foreign.error_message(), told) << text;
  };
  const auto both = [&](auto ask, const std::string& text) { same(ask(hidden), ask("absent"), text); };
  both([&](const std::string& guid) { return mine.Get(guid); }, "get");
  both([&](const std::string& guid) { return mine.GetDefinition(guid); }, "definition");
  both([&](const std::string& guid) { return mine.Scale(guid, 2); }, "update");
  both([&](const std::string& guid) {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid(guid);
    v2::RemoveDesiredLRPResponse response;
    return mine.apps->RemoveDesiredLRP(Context().get(), request, &response);
  }, "remove");
  both([&](const std::string& guid) {
    v2::GetRollRequest request;
    request.set_process_guid(guid);
    v2::GetRollResponse response;
    return mine.rolls->GetRoll(Context().get(), request, &response);
  }, "get roll");
  both([&](const std::string& guid) {
    v2::ExplainRollRequest request;
    request.set_process_guid(guid);
    v2::ExplainRollResponse response;
    return mine.rolls->ExplainRoll(Context().get(), request, &response);
  }, "explain");
  both([&](const std::string& guid) {
    v2::ReadOutputRequest request;
    request.set_process_guid(guid);
    v2::ReadOutputResponse response;
    return mine.lrps->ReadOutput(Context().get(), request, &response);
  }, "output");
  both([&](const std::string& guid) {
    v2::PlanUpdateRequest request;
    request.set_process_guid(guid);
    request.mutable_update()->set_instances(3);
    v2::PlanUpdateResponse response;
    return mine.apps->PlanUpdate(Context().get(), request, &response);
  }, "plan");
  for (const std::string& guid : {hidden, std::string("absent")}) {
    v2::ChangeRollRequest pause;
    pause.set_process_guid(guid);
    v2::ChangeRollResponse paused;
    EXPECT_EQ(mine.rolls->PauseRoll(Context().get(), pause, &paused).error_code(), StatusCode::NOT_FOUND) << guid;
    v2::RetireInstancesRequest retire;
    retire.set_process_guid(guid);
    v2::RetireInstancesResponse retired;
    EXPECT_EQ(mine.lrps->RetireInstances(Context().get(), retire, &retired).error_code(), StatusCode::NOT_FOUND) << guid;
    v2::PinDefinitionRequest pin;
    pin.set_process_guid(guid);
    pin.set_definition_identifier("v1");
    v2::PinDefinitionResponse pinned;
    EXPECT_EQ(mine.definitions->PinDefinition(Context().get(), pin, &pinned).error_code(), StatusCode::NOT_FOUND) << guid;
    const auto watching = Context();
    v2::WatchRollRequest watch;
    watch.set_process_guid(guid);
    const auto stream = mine.rolls->WatchRoll(watching.get(), watch);
    v2::WatchRollResponse told;
    EXPECT_FALSE(stream->Read(&told));
    EXPECT_EQ(stream->Finish().error_code(), StatusCode::NOT_FOUND) << guid;
  }
}

TEST_F(Objects, AForeignAppIsNotThere) {
  As mine(*secure, Role::kController, "mine");
  ExpectNotThere(mine, "app-b");
  EXPECT_EQ(As(*secure, Role::kController, "other").Scale("app-b", 1).error_code(), StatusCode::OK) << "it is there";
  EXPECT_THAT(secure->running().Metrics(), HasSubstr("baton_refused_total{role=\"controller\",why=\"object\"}"));
}

// It was told to whoever asked for it, with table, key and column.
TEST_F(Objects, AForeignAppWhoseRowsCannotBeReadIsNotThereEither) {
  As admin(*secure, Role::kAdmin, "root");
  for (const auto& [guid, domain] : {std::pair("broken-b", "b"), std::pair("broken-a", "a")}) {
    ASSERT_TRUE(admin.Desire(AppIn(guid, domain, 1)).ok());
  }
  ASSERT_TRUE(OpenSession(secure->running().url())
                  ->Transact(Session::Isolation::kReadCommitted,
                             [](Session& s) {
                               s.RunScript(
                                   "UPDATE desired_lrps SET annotation = '\\xff' WHERE process_guid LIKE 'broken-%'");
                               return true;
                             })
                  .ok());
  As mine(*secure, Role::kController, "mine");
  ExpectNotThere(mine, "broken-b");
  EXPECT_THAT(mine.Definitions("broken-b"), ElementsAre());
  for (const grpc::Status& own : {mine.Get("broken-a"), mine.GetDefinition("broken-a"), mine.Scale("broken-a", 2)}) {
    EXPECT_EQ(own.error_code(), StatusCode::DATA_LOSS) << own.error_message();
    EXPECT_THAT(own.error_message(), HasSubstr("annotation"));
  }
  for (const std::string guid : {"broken-a", "broken-b"}) {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid(guid);
    v2::RemoveDesiredLRPResponse response;
    EXPECT_TRUE(admin.apps->RemoveDesiredLRP(Context().get(), request, &response).ok());
  }
}

TEST_F(Objects, ADomainThatIsNotItsOwnIsRefusedByName) {
  As mine(*secure, Role::kController, "mine");
  EXPECT_EQ(mine.Desire(AppIn("new-b", "b")).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(mine.Desire(AppIn("app-b", "b")).error_code(), StatusCode::PERMISSION_DENIED) << "whether there is one is not told";
  v2::UpsertDomainRequest upsert;
  v2::UpsertDomainResponse upserted;
  upsert.set_domain("b");
  EXPECT_EQ(mine.domains->UpsertDomain(Context().get(), upsert, &upserted).error_code(), StatusCode::PERMISSION_DENIED);
  upsert.set_domain("a");
  EXPECT_TRUE(mine.domains->UpsertDomain(Context().get(), upsert, &upserted).ok());
  EXPECT_TRUE(mine.Desire(AppIn("new-a", "a")).ok());
  // And through v1.
  v1::DesireLRPRequest old;
  old.mutable_desired_lrp()->set_process_guid("old-b");
  old.mutable_desired_lrp()->set_domain("b");
  old.mutable_desired_lrp()->set_root_fs("host:");
  old.mutable_desired_lrp()->mutable_action()->mutable_run_action()->set_path("/bin/true");
  old.mutable_desired_lrp()->mutable_action()->mutable_run_action()->set_user("vcap");
  v1::DesiredLRPLifecycleResponse answer;
  EXPECT_EQ(mine.old_apps->DesireLRP(Context().get(), old, &answer).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(As(*secure, Role::kAdmin, "root").Apps("b"), ElementsAre("app-b"));
}

// The domain is the row's as it is decided about: an app that was removed and made anew in another domain meanwhile is another's.
TEST_F(Objects, WhoseAnAppIsIsDecidedByItsRow) {
  As mine(*secure, Role::kController, "mine");
  As admin(*secure, Role::kAdmin, "root");
  ASSERT_TRUE(mine.Desire(AppIn("moves", "a")).ok());
  ASSERT_TRUE(mine.Scale("moves", 0).ok());
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("moves");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(admin.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  ASSERT_TRUE(admin.Desire(AppIn("moves", "b")).ok());
  EXPECT_EQ(mine.Scale("moves", 1).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(mine.apps->RemoveDesiredLRP(Context().get(), remove, &removed).error_code(), StatusCode::NOT_FOUND);
  EXPECT_TRUE(As(*secure, Role::kController, "other").apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
}

TEST_F(Objects, AControllerRoutesTheHostNamesThatItWasGiven) {
  As mine(*secure, Role::kController, "mine");
  As admin(*secure, Role::kAdmin, "root");
  const auto refused = mine.Desire(AppIn("routed", "a", 0, "shop.example"));
  EXPECT_EQ(refused.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("route shop.example is none of the host names that controller/mine was given"));
  ASSERT_TRUE(mine.Desire(AppIn("routed", "a", 0, "two.a.example")).ok());
  EXPECT_EQ(mine.Route("routed", R"("two.a.example","shop.example")").error_code(), StatusCode::FAILED_PRECONDITION);
  ASSERT_TRUE(admin.Route("routed", R"("two.a.example","shop.example")").ok());
  EXPECT_TRUE(mine.Route("routed", R"("shop.example","three.a.example")").ok()) << "what it has, it may keep";
}

// B13: a host name had no owner: an app of another domain got a share of the traffic, cookies and all.
TEST_F(Objects, AHostNameBelongsToTheFirstDomainThatRoutesIt) {
  As all(*secure, Role::kController, "all");
  const auto refused = all.Desire(AppIn("thief", "b", 0, "one.a.example"));
  EXPECT_EQ(refused.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("host name one.a.example belongs to another domain"));
  ASSERT_TRUE(all.Desire(AppIn("thief", "b", 0, "two.b.example")).ok());
  EXPECT_EQ(all.Route("thief", R"("two.b.example","one.a.example")").error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_TRUE(all.Desire(AppIn("sibling", "a", 0, "one.a.example")).ok()) << "the same domain";
  ASSERT_TRUE(all.Desire(AppIn("wild", "a", 0, "*.wild.example")).ok());
  EXPECT_EQ(all.Route("thief", R"("pay.wild.example")").error_code(), StatusCode::FAILED_PRECONDITION) << "it would take what the wildcard has";
  v2::PlanUpdateRequest plan;
  plan.set_process_guid("thief");
  (*plan.mutable_update()->mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["one.a.example"],"port":8080}])";
  v2::PlanUpdateResponse planned;
  EXPECT_EQ(all.apps->PlanUpdate(Context().get(), plan, &planned).error_code(), StatusCode::FAILED_PRECONDITION);
  // Until nobody has it any more.
  v2::RemoveDesiredLRPRequest remove;
  v2::RemoveDesiredLRPResponse removed;
  for (const char* guid : {"sibling", "wild"}) {
    remove.set_process_guid(guid);
    ASSERT_TRUE(all.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  }
  EXPECT_TRUE(all.Route("thief", R"("pay.wild.example")").ok());
  EXPECT_EQ(all.Route("thief", R"("one.a.example")").error_code(), StatusCode::FAILED_PRECONDITION) << "app-a has it still";
}

// Of two domains that ask at once one gets it, however their writes meet.
TEST_F(Objects, OfTwoThatAskForAHostNameAtOnceOneGetsIt) {
  for (int round = 0; round < 10; ++round) {
    const std::string host = "race-" + std::to_string(round) + ".example";
    const auto ask = [&](const std::string& domain) {
      return std::async(std::launch::async, [&, domain] {
        return As(*secure, Role::kController, "all").Desire(AppIn("race-" + domain + std::to_string(round), domain, 0, host)).ok();
      });
    };
    auto one = ask("a");
    auto two = ask("b");
    EXPECT_NE(one.get(), two.get()) << round;
  }
}

TEST_F(Objects, AControllerHearsOfItsDomainsAlone) {
  As mine(*secure, Role::kController, "mine");
  const auto context = Context();
  v2::SubscribeRequest request;
  request.set_snapshot(true);
  const auto stream = mine.events->Subscribe(context.get(), request);
  std::set<std::string> guids;
  bool complete = false;
  bool seen = false;
  v2::SubscribeResponse told;
  while (!seen && stream->Read(&told)) {
    for (const auto& app : told.snapshot().desired_lrps()) guids.insert(app.process_guid());
    for (const auto& lrp : told.snapshot().actual_lrps()) guids.insert(lrp.process_guid());
    for (const auto& roll : told.snapshot().rolls()) guids.insert(roll.process_guid());
    for (const auto& event : told.events()) {
      if (!event.process_guid().empty()) guids.insert(event.process_guid());
      seen = seen || event.process_guid() == "heard-a";
    }
    if (told.snapshot_complete() && !std::exchange(complete, true)) {
      As admin(*secure, Role::kAdmin, "root");
      ASSERT_TRUE(admin.Desire(AppIn("heard-b", "b")).ok());
      ASSERT_TRUE(admin.Desire(AppIn("heard-a", "a")).ok());
    }
  }
  EXPECT_TRUE(seen);
  EXPECT_TRUE(guids.contains("app-a"));
  EXPECT_TRUE(guids.contains("app-aa"));
  EXPECT_FALSE(guids.contains("app-b"));
  EXPECT_FALSE(guids.contains("heard-b"));
  context->TryCancel();
  (void)stream->Finish();
}

}  // namespace
}  // namespace baton
