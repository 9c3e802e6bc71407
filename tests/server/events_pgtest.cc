// Events.Subscribe: nobody misses a change, whatever breaks off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/event_follower.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Events : public ::testing::Test {
 protected:
  void SetUp() override { service.WaitForLead(); }

  void Desire(const std::string& guid, const std::string& domain = "test") {
    auto request = RunningService::SmallApp(guid);
    request.mutable_desired_lrp()->set_domain(domain);
    ASSERT_TRUE(service.Desire(request).ok());
  }
  void Remove(const std::string& guid) {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid(guid);
    v2::RemoveDesiredLRPResponse response;
    ASSERT_TRUE(service.apps->RemoveDesiredLRP(Context().get(), request, &response).ok());
  }
  void Sql(const std::string& script) {
    const auto session = OpenSession(service.url());
    const SessionError error =
        session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(script), true; });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  grpc::Status Refusal(const v2::SubscribeRequest& request) { return EventFollower(service, request).Ended(); }

  RunningService service;
};

std::vector<std::int64_t> Sequences(const std::vector<v2::Event>& events) {
  std::vector<std::int64_t> sequences;
  for (const v2::Event& event : events) sequences.push_back(event.sequence());
  return sequences;
}

TEST_F(Events, TellsWhatEachCommitDid) {
  EventFollower follower(service, {});
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  Desire("app");
  Remove("app");
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(follower.kinds(), Contains("desired_removed")); }));
  const auto kinds = follower.kinds();
  EXPECT_THAT(std::vector(kinds.begin(), kinds.begin() + 4),
              ElementsAre("desired_created", "definition_created", "roll_opened", "roll_step"));
  EXPECT_THAT(kinds, Contains("roll_closed"));
  const auto events = follower.events();
  EXPECT_TRUE(std::ranges::is_sorted(Sequences(events)));
  for (const v2::Event& event : events) {
    EXPECT_EQ(event.process_guid(), "app");
    // The sweep may have collected the definition by now: its app is gone then, and so is what its domain is read from.
    if (event.kind() != "definition_collected") {
      EXPECT_EQ(event.domain(), "test") << event.kind();
    }
    EXPECT_GT(event.at(), 0);
  }
  EXPECT_EQ(events[0].desired_after().active_definition(), events[0].desired_after().content_hash());
}

TEST_F(Events, AStateStepComesWithItsRollAndNoOtherStepDoes) {
  v2::SubscribeRequest request;
  request.add_kinds("roll_step");
  EventFollower follower(service, request);
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  Desire("app");
  v2::ChangeRollRequest pause;
  pause.set_process_guid("app");
  pause.set_reason("lunch");
  v2::ChangeRollResponse paused;
  ASSERT_TRUE(service.rolls->PauseRoll(Context().get(), pause, &paused).ok());
  Remove("app");
  const auto states = [&] {
    std::vector<v2::RollState> told;
    for (const v2::Event& event : follower.events()) {
      if (event.has_roll()) told.push_back(event.roll().state());
    }
    return told;
  };
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(states(), Contains(v2::YIELDED)); }));
  EXPECT_THAT(states(), ElementsAre(v2::PAUSED, v2::YIELDED));
  for (const v2::Event& event : follower.events()) {
    EXPECT_EQ(event.has_roll(), event.step().kind() == "state") << event.DebugString();
    if (!event.has_roll()) continue;
    EXPECT_EQ(event.roll().roll_id(), paused.roll().roll_id());
    EXPECT_EQ(event.roll().revision(), event.step().sequence());
    EXPECT_EQ(event.roll().slots_size(), 0);
    if (event.roll().state() == v2::PAUSED) {
      EXPECT_THAT(event.roll().reason(), ::testing::HasSubstr("lunch"));
    }
  }
}

TEST_F(Events, AnInstanceIsToldBeforeAndAfterWithItsDefinition) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  v2::SubscribeRequest request;
  request.add_kinds("actual");
  request.set_process_guid("app");
  EventFollower follower(service, request);
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  Desire("app");
  const v2::RunOrder order = cell.NextRun();
  cell.Report(ScriptedCell::Claimed(order.actual_id()));
  cell.Report(ScriptedCell::Started(order.actual_id()));
  cell.Report(ScriptedCell::Crashed(order.actual_id()));
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(follower.kinds(), Contains("actual_crashed")); }));
  std::vector<std::string> told;
  for (const v2::Event& event : follower.events()) {
    told.push_back(event.actual_before().state() + ">" + event.actual_after().state());
    if (event.has_actual_after()) {
      EXPECT_EQ(event.actual_after().definition_identifier(), order.definition_identifier());
      EXPECT_EQ(event.actual_after().presence(), v2::ORDINARY);
    }
  }
  EXPECT_THAT(told, AllOf(Contains(">UNCLAIMED"), Contains("UNCLAIMED>CLAIMED"), Contains("CLAIMED>RUNNING"),
                          Contains("RUNNING>CRASHED")));
}

TEST_F(Events, WhoResumesMissesNothingAndIsToldNothingTwice) {
  Desire("one");
  std::vector<v2::Event> told;
  std::int64_t sequence = 0;
  {
    EventFollower follower(service, EventFollower::After(0));
    ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
    told = follower.events();
    sequence = follower.sequence();
  }
  Desire("two");
  Remove("one");
  EventFollower resumed(service, EventFollower::After(sequence));
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(resumed.kinds(), Contains("desired_removed")); }));
  EventFollower all(service, EventFollower::After(0));
  ASSERT_TRUE(Eventually([&] { return all.caught_up() && all.sequence() >= resumed.sequence(); }));
  for (const v2::Event& event : resumed.events()) told.push_back(event);
  auto whole = Sequences(all.events());
  const auto pieces = Sequences(told);
  whole.resize(std::min(whole.size(), pieces.size()));
  EXPECT_EQ(pieces, whole);
}

// `baton events` ends there: it left out what had been committed a moment before, while the hub had not read it.
TEST_F(Events, CaughtUpIsWhoWasToldAllThatWasCommittedWhenItAsked) {
  EventFollower earlier(service, {});
  ASSERT_TRUE(Eventually([&] { return earlier.caught_up(); }));
  const auto holder = OpenSession(service.url());
  std::optional<EventFollower> follower;
  const SessionError error = holder->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    // As an INSERT does that is not committed yet: whoever comes later waits behind it.
    s.RunScript(
        "SET LOCAL idle_in_transaction_session_timeout = 0;"
        "LOCK TABLE events IN ROW EXCLUSIVE MODE; SELECT nextval(pg_get_serial_sequence('events', 'sequence'))");
    Desire("app");
    follower.emplace(service, EventFollower::After(0));
    EXPECT_TRUE(Eventually([&] { return follower->answers() > 0; }));
    EXPECT_FALSE(follower->caught_up());
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  ASSERT_TRUE(Eventually([&] { return follower->caught_up(); }));
  EXPECT_THAT(follower->kinds(), Contains("desired_created"));
}

TEST_F(Events, ASnapshotWithWhatFollowedIsWhatIs) {
  ScriptedCell cell(service, "one");
  cell.Hello();
  for (int i = 0; i < 20; ++i) Desire("app-" + std::to_string(i));
  auto busy = std::async(std::launch::async, [&] {
    for (int i = 0; i < 20; ++i) {
      Remove("app-" + std::to_string(i));
      Desire("more-" + std::to_string(i));
    }
  });
  EventFollower follower(service, EventFollower::Snapshot());
  busy.get();
  ASSERT_TRUE(Eventually([&] { return follower.complete(); }));
  const auto is = [&] {
    std::map<std::string, std::string> rows;
    for (int i = 0; i < 20; ++i) {
      for (const std::string& guid : {"app-" + std::to_string(i), "more-" + std::to_string(i)}) {
        for (const auto& lrp : service.Instances(guid)) rows[lrp.actual_id()] = lrp.SerializeAsString();
      }
    }
    return rows;
  };
  EXPECT_TRUE(Eventually([&] {
    std::map<std::string, std::string> told;
    for (const auto& [id, lrp] : follower.actuals()) told[id] = lrp.SerializeAsString();
    return told == is();
  }));
  EXPECT_EQ(follower.apps().size(), 20u);
}

TEST_F(Events, FiltersTakeWhatTheySay) {
  v2::SubscribeRequest of_app, of_domain, of_kind;
  of_app.set_process_guid("a");
  of_domain.set_domain("other");
  of_kind.add_kinds("definition");
  of_kind.add_kinds("desired_removed");
  EventFollower app(service, of_app), domain(service, of_domain), kind(service, of_kind);
  ASSERT_TRUE(Eventually([&] { return app.caught_up() && domain.caught_up() && kind.caught_up(); }));
  Desire("a");
  Desire("b", "other");
  Remove("b");
  ASSERT_TRUE(Eventually([&] {
    return ::testing::Value(kind.kinds(), Contains("desired_removed")) &&
           ::testing::Value(domain.kinds(), Contains("desired_removed")) && !app.kinds().empty();
  }));
  for (const v2::Event& event : app.events()) EXPECT_EQ(event.process_guid(), "a");
  for (const v2::Event& event : domain.events()) EXPECT_EQ(event.process_guid(), "b");
  EXPECT_THAT(domain.kinds(), Contains("actual_removed")) << "also of an app that is gone";
  EXPECT_THAT(kind.kinds(), Each(::testing::AnyOf("definition_created", "definition_collected", "desired_removed")));
}

TEST_F(Events, OfACellWhatIsOrWasOnIt) {
  ScriptedCell one(service, "one");
  one.Hello();
  Desire("app");
  const v2::RunOrder order = one.NextRun();
  EventFollower all(service, EventFollower::After(0));  // "now" may begin with what is still on its way to followers
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(all.kinds(), Contains("actual_created")); }));
  v2::SubscribeRequest here, elsewhere;
  here.set_cell_id("one");
  elsewhere.set_cell_id("two");
  EventFollower follower(service, here), other(service, elsewhere);
  ASSERT_TRUE(Eventually([&] { return follower.caught_up() && other.caught_up(); }));
  one.Report(ScriptedCell::Claimed(order.actual_id()));
  one.Report(ScriptedCell::Started(order.actual_id()));
  one.Report(ScriptedCell::Crashed(order.actual_id()));  // it was on it; afterwards it is on none
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(follower.kinds(), Contains("actual_crashed")); }));
  ScriptedCell two(service, "two");
  two.Hello();
  ASSERT_TRUE(Eventually([&] { return !other.kinds().empty(); }));
  EXPECT_THAT(other.kinds(), ElementsAre("cell_registered"));
  for (const v2::Event& event : follower.events()) {
    const auto on = [](const v2::ActualLRP& lrp) { return lrp.instance_key().cell_id() == "one"; };
    EXPECT_TRUE(on(event.actual_before()) || on(event.actual_after())) << event.ShortDebugString();
  }
}

TEST_F(Events, CellsAndDomainsAreToldToo) {
  v2::SubscribeRequest request;
  request.add_kinds("cell");
  request.add_kinds("domain");
  EventFollower follower(service, request);
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  ScriptedCell cell(service, "one");
  cell.Hello();
  v2::UpsertDomainRequest fresh;
  fresh.set_domain("cf");
  fresh.set_ttl_s(1);
  v2::UpsertDomainResponse stored;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(service.domains->UpsertDomain(Context().get(), fresh, &stored).ok());
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(follower.kinds(), Contains("domain_fresh")); }));
  v2::ChangeCellRequest drain;
  drain.set_cell_id("one");
  v2::ChangeCellResponse drained;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(service.cells->DrainCell(Context().get(), drain, &drained).ok());
  ASSERT_TRUE(service.cells->UndrainCell(Context().get(), drain, &drained).ok());
  ASSERT_TRUE(Eventually([&] {
    v2::ConvergenceRequest run;
    run.set_run(true);
    v2::ConvergenceResponse report;
    (void)service.admin->Convergence(Context().get(), run, &report);
    return ::testing::Value(follower.kinds(), Contains("domain_expired"));
  }));
  EXPECT_THAT(follower.kinds(), ::testing::UnorderedElementsAre("cell_registered", "domain_fresh", "cell_draining",
                                                                "cell_undrained", "domain_expired"));
}

// A subscriber without news cannot tell it from a stream that is dead.
TEST_F(Events, WhoHasNoNewsIsToldSoEveryThreeSeconds) {
  EventFollower follower(service, EventFollower::After(0));
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  const auto began = std::chrono::steady_clock::now();
  const int answers = follower.answers();
  ASSERT_TRUE(Eventually([&] { return follower.answers() >= answers + 2; }));
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::seconds(3)) << "it is told the same all the time";
}

TEST_F(Events, ALeadersEndIsToldAndTheNextOneGoesOn) {
  auto first = std::make_unique<RunningService>(service.url());
  Desire("before");
  EventFollower follower(service, EventFollower::After(0));
  ASSERT_TRUE(Eventually([&] { return follower.caught_up() && !follower.events().empty(); }));
  const std::int64_t sequence = follower.sequence();
  const auto told = follower.events();
  service.Stop();
  EXPECT_EQ(follower.Ended().error_code(), StatusCode::UNAVAILABLE);
  first->WaitForLead();
  ASSERT_TRUE(first->Desire(RunningService::SmallApp("after")).ok());
  EventFollower next(*first, EventFollower::After(sequence));
  ASSERT_TRUE(Eventually([&] { return ::testing::Value(next.kinds(), Contains("desired_created")); }));
  EventFollower all(*first, EventFollower::After(0));
  ASSERT_TRUE(Eventually([&] { return all.caught_up() && all.sequence() >= next.sequence(); }));
  auto pieces = Sequences(told);
  for (const auto one : Sequences(next.events())) pieces.push_back(one);
  auto whole = Sequences(all.events());
  whole.resize(std::min(whole.size(), pieces.size()));
  EXPECT_EQ(pieces, whole);
}

TEST_F(Events, WhatCannotBeResumedIsToBeListedAgain) {
  Desire("app");
  EventFollower follower(service, EventFollower::After(0));
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  const std::int64_t newest = follower.sequence();
  Sql("DELETE FROM events WHERE sequence < " + std::to_string(newest));
  const grpc::Status old = Refusal(EventFollower::After(1));
  EXPECT_EQ(old.error_code(), StatusCode::OUT_OF_RANGE);
  EXPECT_THAT(old.error_message(), AllOf(HasSubstr("after_sequence is 1"), HasSubstr("list again")));
  const grpc::Status future = Refusal(EventFollower::After(newest + 1000));
  EXPECT_EQ(future.error_code(), StatusCode::OUT_OF_RANGE);
  EXPECT_THAT(future.error_message(), AllOf(HasSubstr("newest"), HasSubstr("list again")));
  EventFollower kept(service, EventFollower::After(newest - 1));
  EXPECT_TRUE(Eventually([&] {  // it, and what may have come since
    const auto sequences = Sequences(kept.events());
    return !sequences.empty() && sequences.front() == newest;
  }));
}

TEST_F(Events, BadRequestsAreRefusedByName) {
  v2::SubscribeRequest unknown;
  unknown.add_kinds("actuals");
  const grpc::Status kind = Refusal(unknown);
  EXPECT_EQ(kind.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(kind.error_message(), AllOf(HasSubstr("'actuals'"), HasSubstr("actual_crashed"), HasSubstr("crashed")));
  EXPECT_EQ(Refusal(EventFollower::After(-1)).error_code(), StatusCode::INVALID_ARGUMENT);
  v2::SubscribeRequest name;
  name.set_process_guid("a b");
  EXPECT_EQ(Refusal(name).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(Events, OneThatCannotBeReadIsToldAsSuch) {
  EventFollower follower(service, {});
  ASSERT_TRUE(Eventually([&] { return follower.caught_up(); }));
  Sql("INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), 'actual_changed', 'x', 1, 'rubbish')");
  ASSERT_TRUE(Eventually([&] { return follower.events().size() == 1; }));
  EXPECT_TRUE(follower.events()[0].unreadable());
  EXPECT_EQ(follower.events()[0].process_guid(), "x");
}

// 40 MB of events while one subscriber does not read: it is cut off, and the other one gets all of them.
TEST_F(Events, WhoReadsTooSlowlyIsCutOffAndNobodyElseIs) {
  EventFollower quick(service, {});
  grpc::ClientContext context;
  const auto slow = service.events->Subscribe(&context, {});
  v2::SubscribeResponse answer;
  ASSERT_TRUE(slow->Read(&answer));
  ASSERT_TRUE(Eventually([&] { return quick.caught_up(); }));
  constexpr std::size_t kEvents = 40'000;
  Sql("INSERT INTO events (at, kind, process_guid, incarnation, payload) SELECT now(), 'actual_changed', 'x', 1, "
      "'BT\\001\\000'::bytea || '\\022\\200\\010'::bytea || convert_to(repeat('a', 1024), 'UTF8') "
      "FROM generate_series(1, " + std::to_string(kEvents) + ")");
  ASSERT_TRUE(Eventually([&] { return quick.count() == kEvents || quick.over(); }, std::chrono::seconds(60)));
  ASSERT_EQ(quick.count(), kEvents) << (quick.over() ? quick.Ended().error_message() : "it goes on");
  std::int64_t last = answer.sequence();
  while (slow->Read(&answer)) last = answer.sequence();
  const grpc::Status end = slow->Finish();
  EXPECT_EQ(end.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(end.error_message(), HasSubstr("resume after sequence " + std::to_string(last)));
  EventFollower resumed(service, EventFollower::After(last));
  EXPECT_TRUE(Eventually([&] { return resumed.caught_up(); }, std::chrono::seconds(60)));
  EXPECT_EQ(resumed.sequence(), quick.sequence());
}

}  // namespace
}  // namespace baton
