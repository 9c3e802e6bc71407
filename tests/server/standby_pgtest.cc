// Two batonds on one database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/server/serving/server.h"
#include "tests/fakes/logged_lines.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"
#include "tests/server/two_routed_apps.h"
#include "tools/client/hints.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v2::PingResponse KnowsItsLeader(RunningService& standby, const RunningService& leader) {
  v2::PingResponse ping;
  EXPECT_TRUE(Eventually([&] {
    return standby.admin->Ping(Context().get(), {}, &ping).ok() && ping.leader_address() == leader.address();
  }));
  return ping;
}

TEST(Standby, NamesTheLeaderAndLeadsWhenItResigns) {
  batond::ServiceOptions options;
  options.leader_lease = std::chrono::minutes(2);  // whoever waits for its end waits longer than this test does
  RunningService leader({}, options);
  leader.WaitForLead();
  RunningService standby(leader.url(), options);
  v2::PingResponse ping = KnowsItsLeader(standby, leader);
  EXPECT_FALSE(ping.available());
  EXPECT_FALSE(standby.Serving());
  const auto context = Context();
  v2::DesireLRPResponse response;
  const grpc::Status refused = standby.apps->DesireLRP(context.get(), RunningService::SmallApp("app"), &response);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(refused.error_message(), HasSubstr(leader.address()));
  EXPECT_EQ(context->GetServerTrailingMetadata().count("baton-retry-after-ms"), 1u);
  EXPECT_EQ(HintsIn(*context).leader, leader.address());

  ASSERT_TRUE(leader.Desire(RunningService::SmallApp("app")).ok());
  const std::int64_t epoch = ping.epoch();
  leader.Stop();
  standby.WaitForLead();
  ASSERT_TRUE(standby.admin->Ping(Context().get(), {}, &ping).ok());
  EXPECT_GT(ping.epoch(), epoch);
  EXPECT_EQ(standby.Desire(RunningService::SmallApp("app")).error_code(), grpc::StatusCode::ALREADY_EXISTS)
      << "what the first leader took is there";
}

// How many apps it read after its election, each time that it led.
std::vector<int> ReadByLeader(const LoggedLines& log) {
  std::vector<int> read;
  for (const LoggedLines::Line& line : log.With({{"event", "apps_loaded"}})) read.push_back(std::stoi(line.at("read")));
  return read;
}

bool HasCopy(RunningService& standby) {
  return Eventually([&] { return standby.Metrics().find("\nbaton_standby_copy 1") != std::string::npos; });
}

// An app of another domain wants this name.
grpc::StatusCode Route(RunningService& leader, const std::string& guid, const std::string& hostname) {
  auto app = RunningService::SmallApp(guid, 0);
  app.mutable_desired_lrp()->set_domain("domain-of-" + guid);
  (*app.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
      R"([{"hostnames":[")" + hostname + R"("],"port":8080}])";
  return leader.Desire(app).error_code();
}

// What it has read of all apps while it stood by is what it leads with: whose the host names are, and what serves them.
TEST(Standby, LeadsWithWhatItHasReadAndWhatWasWrittenSince) {
  constexpr int kOthers = 40;
  LoggedLines first_log, second_log;
  batond::ServiceOptions options;
  RunningService first({}, options, {}, &first_log);
  first.WaitForLead();
  EXPECT_THAT(ReadByLeader(first_log), ElementsAre(0));
  for (int i = 0; i < kOthers; ++i) {
    ASSERT_TRUE(first.Desire(RunningService::SmallApp("other-" + std::to_string(i), 0)).ok());
  }
  ScriptedCell cell(first, "one");
  cell.Hello();
  RouteTwoApps(first, cell);
  RunningService second(first.url(), options, {}, &second_log);
  ASSERT_TRUE(HasCopy(second));
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("app-61001");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(first.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  first.Stop();
  second.WaitForLead();
  ASSERT_THAT(ReadByLeader(second_log), ElementsAre(::testing::Lt(kOthers))) << "not all of them again";
  EXPECT_EQ(PortServing(second, "a61002.example"), 61002U);
  EXPECT_EQ(PortServing(second, "a61001.example"), 0U) << "its app is gone: it drains";
  EXPECT_EQ(Route(second, "thief", "a61002.example"), grpc::StatusCode::FAILED_PRECONDITION) << "the name is another domain's";
  EXPECT_EQ(Route(second, "heir", "a61001.example"), grpc::StatusCode::OK) << "whose name it was let go of it";
}

// Who led, and stands by again, has missed what the next one wrote.
TEST(Standby, WhoLedBeforeReadsAnew) {
  LoggedLines log;
  RunningService service({}, {}, {}, &log);
  service.WaitForLead();
  ASSERT_EQ(Route(service, "early", "early.example"), grpc::StatusCode::OK);
  EXPECT_EQ(Route(service, "thief", "early.example"), grpc::StatusCode::FAILED_PRECONDITION);
  const auto sql = [&](const std::string& script) {
    const SessionError error = OpenSession(service.url())->Transact(
        Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(script), true; });
    ASSERT_TRUE(error.ok()) << error.detail;
  };
  sql("UPDATE leases SET epoch = epoch + 1, holder = 'another', expires_at = now() + interval '8 seconds'; "
      "SET LOCAL session_replication_role = replica; DELETE FROM desired_lrps WHERE process_guid = 'early'; "
      "INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), 'desired_removed', 'early', 1, '')");
  ASSERT_TRUE(HasCopy(service));
  ASSERT_TRUE(Eventually([&] { return ReadByLeader(log).size() == 2; }));
  service.WaitForLead();
  EXPECT_EQ(Route(service, "heir", "early.example"), grpc::StatusCode::OK);
}

// Lists, streams and bidirectional streams too: whoever asks a standby is told whom to ask instead.
TEST(Standby, EachKindOfCallIsToldWhoLeads) {
  RunningService leader;
  leader.WaitForLead();
  RunningService standby(leader.url());
  (void)KnowsItsLeader(standby, leader);
  const auto expect_named = [&](const char* what, grpc::ClientContext& context, const grpc::Status& status) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE) << what;
    EXPECT_EQ(HintsIn(context).leader, leader.address()) << what;
  };
  const auto list = Context();
  expect_named("list", *list, standby.apps->ListDesiredLRPs(list.get(), {})->Finish());
  const auto endpoints = Context();
  expect_named("endpoints", *endpoints, standby.routes->ListEndpoints(endpoints.get(), {})->Finish());
  const auto events = Context();
  expect_named("events", *events, standby.events->Subscribe(events.get(), {})->Finish());
  const auto watch = Context();
  v2::WatchRollRequest roll;
  roll.set_process_guid("app");
  expect_named("watch", *watch, standby.rolls->WatchRoll(watch.get(), roll)->Finish());
  const auto cell = Context();
  expect_named("cell", *cell, standby.cells->Connect(cell.get())->Finish());
  const auto router = Context();
  expect_named("router", *router, standby.routes->Connect(router.get())->Finish());
}

// What the leader before has ordered the next one does not know, and takes nobody's word for it (decision 0037).
TEST(Standby, AClaimThatIsUnderWayWhenTheLeaderChangesIsRefusedAndItsInstanceOrderedAgain) {
  batond::ServiceOptions options;
  options.claim = std::chrono::hours(1);  // whoever waits for its end waits longer than this test does
  RunningService leader({}, options);
  leader.WaitForLead();
  RunningService standby(leader.url(), options);
  (void)KnowsItsLeader(standby, leader);
  ASSERT_TRUE(leader.Desire(RunningService::SmallApp("app")).ok());
  std::string id;
  {
    ScriptedCell cell(leader, "cell-1");
    cell.Hello();
    id = cell.NextRun().actual_id();
  }
  leader.Stop();
  standby.WaitForLead();
  ScriptedCell cell(standby, "cell-1");
  v2::CellInstance& there = *cell.hello().add_instances();
  there.set_actual_id(id);
  there.set_instance_guid(id + "-run");
  there.set_process_guid("app");
  there.set_state(v2::CellInstance::CLAIMING);
  cell.KeepBeating();
  cell.Hello();
  if (cell.Report(ScriptedCell::Claimed(id)).outcome() == v2::CellReportResult::REFUSED) {  // else it was ordered a moment before
    EXPECT_FALSE(cell.HasHeardStop(id));
    EXPECT_EQ(cell.NextRun().actual_id(), id);
    ASSERT_EQ(cell.Report(ScriptedCell::Claimed(id, "-again")).outcome(), v2::CellReportResult::APPLIED);
    ASSERT_EQ(cell.Report(ScriptedCell::Started(id, "-again")).outcome(), v2::CellReportResult::APPLIED);
  } else {
    ASSERT_EQ(cell.Report(ScriptedCell::Started(id)).outcome(), v2::CellReportResult::APPLIED);
  }
  const auto instances = standby.Instances("app");
  ASSERT_EQ(instances.size(), 1U);
  EXPECT_EQ(instances[0].state(), "RUNNING");
  EXPECT_EQ(instances[0].crash_count(), 0);
  EXPECT_EQ(instances[0].placement_error(), "");
  v2::GetRollRequest get;
  get.set_process_guid("app");
  get.set_with_steps(true);
  v2::GetRollResponse got;
  ASSERT_TRUE(standby.rolls->GetRoll(Context().get(), get, &got).ok());
  for (const auto& step : got.steps()) EXPECT_NE(step.kind(), "attempt_failed") << step.ShortDebugString();
}

TEST(Standby, ALeaseFromBeforeTheClockWasPutBackKeepsNobodyFromLeading) {
  const std::string url = MigratedDatabase();
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    return s.RunScript("INSERT INTO leases VALUES ('batond', 7, 'gone', '', now(), now() + interval '1 hour')"), true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  RunningService service(url);
  service.WaitForLead();
  v2::PingResponse ping;
  ASSERT_TRUE(service.admin->Ping(Context().get(), {}, &ping).ok());
  EXPECT_EQ(ping.epoch(), 8);
}

TEST(Standby, OnlyLoopbackIsListenedOn) {
  for (const char* open : {"0.0.0.0:1", "[::]:1", "192.168.1.1:1", "example.com:1", "127.example.com:1", "127.1:1"}) {
    const Status status = CheckLoopback("--listen", open);
    ASSERT_FALSE(status) << open;
    EXPECT_THAT(status.error().message, HasSubstr("without TLS")) << open;
  }
  for (const char* odd : {"", "127.0.0.1", "127.0.0.1:", ":1"}) {
    EXPECT_FALSE(CheckLoopback("--listen", odd)) << odd;
    EXPECT_FALSE(CheckHostAndPort("--listen", odd)) << odd;
  }
  EXPECT_TRUE(CheckHostAndPort("--listen", "0.0.0.0:1")) << "with --tls";
  for (const char* fine : {"127.0.0.1:1", "localhost:1", "[::1]:1"})
    EXPECT_TRUE(CheckLoopback("--listen", fine)) << fine;
}

}  // namespace
}  // namespace baton
