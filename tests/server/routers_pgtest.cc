// What routers acknowledge, and how long one is waited for that says nothing: over a whole service. Every limit that
// would end a wait all the same lies far beyond a test's patience, so that a lost word is seen.
#include <optional>

#include "tests/server/routers_fixture.h"

namespace baton {
namespace {

using ::testing::SizeIs;

// A roll in the time of its acknowledgements: applied, drained and stopped. Without one of them it waits for ten
// minutes.
TEST_F(Routers, WhatIsAcknowledgedEndsEachWaitOfARoll) {
  ScriptedRouter router(service, "one");
  DesireApp();
  const std::string old = Serve({&router});
  ASSERT_TRUE(Eventually([&] { return RollIsOver(); })) << "the first start";
  UpdateTo("app", "v2");
  const std::string newcomer = Start(*cell);
  ASSERT_TRUE(router.WasToldToServe(newcomer));
  EXPECT_TRUE(IsNewcomer(newcomer)) << "the router has not applied it";
  router.Apply();
  EXPECT_TRUE(IsHandedOver(newcomer));
  ASSERT_TRUE(router.WasToldToDrain(old));
  EXPECT_FALSE(cell->HasHeardStop(old)) << "it may have connections";
  router.Drained(old);
  EXPECT_TRUE(cell->WasToldToStop(old));
  v2::CellReport stopped;
  stopped.set_actual_id(old);
  stopped.set_instance_guid(old + "-run");
  stopped.mutable_stopped();
  cell->Report(stopped);
  EXPECT_TRUE(Eventually([&] { return RollIsOver(); }));
  EXPECT_THAT(service.Instances("app"), SizeIs(1));
}

// B5: a certificate of a router, a name that was made up for the moment, and no word of what it was told.
TEST_F(Routers, OneOfANewNameHoldsUpNoRollThatIsUnderWay) {
  ScriptedRouter router(service, "one");
  DesireApp();
  (void)Serve({&router});
  ASSERT_TRUE(Eventually([&] { return RollIsOver(); }));
  UpdateTo("app", "v2");
  const std::string newcomer = Start(*cell);
  ASSERT_TRUE(router.WasToldToServe(newcomer));
  ScriptedRouter stranger(service, "stranger");
  EXPECT_TRUE(stranger.WasToldToServe(newcomer));
  router.Apply();
  EXPECT_TRUE(IsHandedOver(newcomer)) << "nobody waits for the stranger";
}

// From then on it is one of them: it serves.
TEST_F(Routers, OneOfANewNameCountsForRollsThatBeginAfterItServes) {
  ScriptedRouter router(service, "one");
  DesireApp();
  const std::string first = Serve({&router});
  ASSERT_TRUE(Eventually([&] { return RollIsOver(); }));
  ScriptedRouter late(service, "late");
  ASSERT_TRUE(late.WasToldToServe(first));
  late.Apply();
  ASSERT_TRUE(HasApplied("late", first));
  UpdateTo("app", "v2");
  const std::string newcomer = Serve({&router});
  ASSERT_TRUE(HasApplied("one", newcomer));
  EXPECT_TRUE(IsNewcomer(newcomer)) << "the other one has not applied it";
  late.Apply();
  EXPECT_TRUE(IsHandedOver(newcomer));
}

TEST_F(Routers, OneThatSaysGoodbyeIsWaitedForNoMore) {
  ScriptedRouter stays(service, "stays");
  ScriptedRouter leaves(service, "leaves");
  DesireApp();
  (void)Serve({&stays, &leaves});
  ASSERT_TRUE(Eventually([&] { return RollIsOver(); }));
  UpdateTo("app", "v2");
  const std::string newcomer = Serve({&stays});
  ASSERT_TRUE(HasApplied("stays", newcomer));
  EXPECT_TRUE(IsNewcomer(newcomer)) << "the other one has not applied it";
  leaves.SayGoodbye();
  EXPECT_TRUE(IsHandedOver(newcomer));
}

// Its machine is gone: no goodbye came, and its lease of an hour runs. Somebody who knows says so.
TEST_F(Routers, OneThatIsSaidToBeGoneIsWaitedForNoMore) {
  ScriptedRouter stays(service, "stays");
  std::optional<ScriptedRouter> dies(std::in_place, service, "dies");
  DesireApp();
  (void)Serve({&stays, &*dies});
  ASSERT_TRUE(Eventually([&] { return RollIsOver(); }));
  UpdateTo("app", "v2");
  const std::string newcomer = Serve({&stays});
  ASSERT_TRUE(HasApplied("stays", newcomer));
  ASSERT_TRUE(Eventually([&] { return Listed("dies").unacknowledged() > 0; })) << Listed("dies").DebugString();
  EXPECT_TRUE(Listed("dies").connected());
  EXPECT_EQ(Listed("stays").unacknowledged(), 0);
  EXPECT_TRUE(Listed("stays").in_step());
  dies.reset();
  ASSERT_TRUE(Eventually([&] { return !Listed("dies").connected(); }));
  EXPECT_TRUE(Listed("dies").lease_runs());
  EXPECT_TRUE(IsNewcomer(newcomer)) << "the other one has not applied it";
  EXPECT_EQ(Remove("dies").error_code(), grpc::StatusCode::OK);
  EXPECT_TRUE(IsHandedOver(newcomer));
  EXPECT_EQ(Listed("dies").consumer_id(), "");
  const grpc::Status again = Remove("dies");
  EXPECT_EQ(again.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(again.error_message(), "there is no router dies");
}

// Nobody who is there is shut out by it.
TEST_F(Routers, OneThatIsSaidToBeGoneAndIsNotComesBack) {
  ScriptedRouter there(service, "there");
  ASSERT_TRUE(Remove("there").ok());
  EXPECT_GT(there.EndedWithHint(), 0);
  EXPECT_EQ(Listed("there").consumer_id(), "");
  ScriptedRouter back(service, "there");
  EXPECT_TRUE(Listed("there").connected());
}

TEST_F(Routers, ARouteOfTwoAppsIsSaidOfEither) {
  DesireApp();
  auto other = RunningService::SmallApp("other");
  (*other.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
      R"([{"hostnames":["app.example","other.example"],"port":8080}])";
  ASSERT_TRUE(service.Desire(other).ok());
  const auto said = [&](const std::string& guid) {
    v2::ExplainRollRequest request;
    request.set_process_guid(guid);
    v2::ExplainRollResponse response;
    EXPECT_TRUE(service.rolls->ExplainRoll(Context().get(), request, &response).ok());
    std::string text;
    for (const v2::Reason& reason : response.reasons()) {
      if (reason.rule() == "route.shared") text += reason.text() + "\n";
    }
    return text;
  };
  EXPECT_TRUE(Eventually([&] { return said("app") == "its route app.example is one of other, too\n"; })) << said("app");
  EXPECT_EQ(said("other"), "its route app.example is one of app, too\n");
}

// Whoever hears nothing of when to come back takes the leader for silent, and asks others.
TEST_F(Routers, EachEndOfAStreamSaysWhenToComeBack) {
  ScriptedRouter one(service, "one");
  ScriptedRouter again(service, "one");
  EXPECT_GT(one.EndedWithHint(), 0) << "another stream of the same name";
  ScriptedRouter odd(service, "odd");
  odd.SayNothing();
  EXPECT_GT(odd.EndedWithHint(), 0) << "a message that is none";
  DesireApp();
  const std::string id = Start(*cell);
  ASSERT_TRUE(again.WasToldToServe(id));
  Sql("CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END $$; "
      "CREATE TRIGGER away BEFORE UPDATE ON actual_lrps FOR EACH ROW EXECUTE FUNCTION away()");
  again.Apply();
  EXPECT_GT(again.EndedWithHint(), 0) << "its acknowledgement could not be stored";
}

// batond --route-lease-ms
class RoutersWithLeases : public Routers {
 protected:
  static batond::ServiceOptions Brief() {
    batond::ServiceOptions options = PatientWithRouters();
    options.route_lease = seconds(2);
    options.heartbeat = milliseconds(200);
    return options;
  }
  RoutersWithLeases() : Routers(Brief()) {}
  void SetUp() override {
    Routers::SetUp();
    stays.emplace(service, "stays");
    late.emplace(service, "late");
  }

  // A newcomer that one of the two has not applied, for more than a lease in which that one was heard of.
  std::string WaitBeyondALease() {
    stays->KeepBeating();
    late->KeepBeating();
    DesireApp();
    (void)Serve({&*stays, &*late});
    EXPECT_TRUE(Eventually([&] { return RollIsOver(); }));
    UpdateTo("app", "v2");
    const std::string newcomer = Serve({&*stays});
    EXPECT_TRUE(HasApplied("stays", newcomer));
    const std::string lease = "route_consumers, actual_lrps WHERE consumer_id = 'late' AND actual_id = '" + newcomer +
                              "' AND lease_expires_at > routable_since + interval '5 seconds'";
    EXPECT_TRUE(Eventually([&] { return Exists(service.url(), lease); }))
        << "its lease is renewed while it is heard of";
    EXPECT_TRUE(IsNewcomer(newcomer));
    return newcomer;
  }

  std::optional<ScriptedRouter> stays;
  std::optional<ScriptedRouter> late;
};

TEST_F(RoutersWithLeases, OneThatIsLostIsWaitedForUntilItsLeaseEnds) {
  const std::string newcomer = WaitBeyondALease();
  late.reset();
  EXPECT_TRUE(IsHandedOver(newcomer));
}

// The first newcomer of an update has been handed over, and the old one drains: `stays` has confirmed it. A second slot
// waits for its end, so that the roll goes on and has steps.
class RoutersOfADrain : public RoutersWithLeases {
 protected:
  std::string DrainTheOldOne() {
    stays->KeepBeating();
    late->KeepBeating();
    DesireApp(/*drain_timeout_ms=*/1000, /*instances=*/2);
    for (int slot = 0; slot < 2; ++slot) (void)Serve({&*stays, &*late});
    EXPECT_TRUE(Eventually([&] { return RollIsOver(); }));
    UpdateTo("app", "v2");
    (void)Serve({&*stays, &*late});
    std::string old;
    EXPECT_TRUE(Eventually([&] {
      for (const auto& lrp : service.Instances("app")) {
        if (lrp.presence() == v2::RETIRING) old = lrp.actual_id();
      }
      return !old.empty();
    }));
    EXPECT_TRUE(stays->WasToldToDrain(old));
    stays->Drained(old);
    return old;
  }
  // Of the step in which the old one was ordered to stop.
  v2::RollStep Stop(const std::string& old) {
    EXPECT_TRUE(cell->WasToldToStop(old));
    v2::GetRollRequest request;
    request.set_process_guid("app");
    request.set_with_steps(true);
    v2::GetRollResponse response;
    EXPECT_TRUE(service.rolls->GetRoll(Context().get(), request, &response).ok());
    for (const v2::RollStep& step : response.steps()) {
      if (step.kind() == "stop_ordered") return step;
    }
    ADD_FAILURE() << response.DebugString();
    return {};
  }
  bool WaitedFor(const std::string& old, const std::string& least) {
    return Exists(service.url(), "actual_lrps WHERE actual_id = '" + old +
                                     "' AND stop_ordered_at > drain_until + interval '" + least + "'");
  }
};

TEST_F(RoutersOfADrain, OneThatIsHeardOfIsNotWaitedForBeyondDrainTimeoutAndTheStepNamesIt) {
  const std::string old = DrainTheOldOne();
  EXPECT_EQ(Stop(old).text(), "drain_timeout has passed, not confirmed by late");
}

// It beats, and does not know yet what drains.
TEST_F(RoutersOfADrain, OneThatComesBackIsHeardOfWhenItHasAppliedWhatItWasTold) {
  const std::string old = DrainTheOldOne();
  late.emplace(service, "late");
  late->KeepBeating();
  ASSERT_TRUE(Eventually([&] {
    return Exists(service.url(), "actual_lrps WHERE actual_id = '" + old +
                                     "' AND drain_until < clock_timestamp() - interval '1500 milliseconds'");
  }));
  EXPECT_FALSE(cell->HasHeardStop(old));
  late->Apply();
  EXPECT_EQ(Stop(old).text(), "drain_timeout has passed, not confirmed by late");
}

// Its HAProxy does not take the table, and it beats on: its lease never ends.
TEST_F(RoutersOfADrain, OneThatNeverAppliesWhatItWasToldIsWaitedForForTwoLeases) {
  const std::string old = DrainTheOldOne();
  late.emplace(service, "late");
  late->KeepBeating();
  EXPECT_EQ(Stop(old).text(), "drain_timeout has passed, not confirmed by late");
}

TEST_F(RoutersOfADrain, OneThatIsSilentIsWaitedForUntilItsLeaseEnds) {
  const std::string old = DrainTheOldOne();
  late->FallSilent();
  EXPECT_EQ(Stop(old).text(), "its connections have drained");
  EXPECT_TRUE(WaitedFor(old, "500 milliseconds")) << "its lease ran on, and it may have sent requests there";
}

TEST_F(RoutersOfADrain, AWordOfMoreThanTenThousandDrainedOnesEndsTheStream) {
  const auto context = Context();
  const auto stream = service.routes->Connect(context.get());
  v2::RouteConsumerMessage message;
  message.mutable_hello()->set_protocol_version(1);
  message.mutable_hello()->set_consumer_id("talker");
  ASSERT_TRUE(stream->Write(message));
  for (int i = 0; i < 10'001; ++i) message.mutable_drained()->add_actual_ids("a");
  stream->Write(message);
  for (v2::RouteMessage heard; stream->Read(&heard);) continue;
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), ::testing::HasSubstr("drained.actual_ids has 10001 entries, at most 10000"));
}

TEST_F(RoutersWithLeases, OneThatHangsIsWaitedForUntilItsLeaseEnds) {
  const std::string newcomer = WaitBeyondALease();
  late->FallSilent();
  EXPECT_TRUE(IsHandedOver(newcomer));
}

}  // namespace
}  // namespace baton
