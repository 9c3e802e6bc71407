// What routers say of instances' load, as operators see it.
#include <limits>

#include "tests/server/routers_fixture.h"

namespace baton {
namespace {

class LoadOfRouters : public Routers {
 protected:
  // The app's endpoint at that instance, with draining ones; an empty one where it is none.
  v2::Endpoint EndpointOf(const std::string& instance) {
    v2::ListEndpointsRequest request;
    request.set_process_guid("app");
    request.set_with_draining(true);
    const auto context = Context();
    const auto stream = service.routes->ListEndpoints(context.get(), request);
    v2::Endpoint found;
    for (v2::ListEndpointsResponse page; stream->Read(&page);) {
      for (const v2::Endpoint& endpoint : page.endpoints()) {
        if (endpoint.actual_id() == instance) found = endpoint;
      }
    }
    EXPECT_TRUE(stream->Finish().ok());
    return found;
  }
  // What the slot's drain waits for; empty where nothing drains.
  std::string DrainExplained() {
    v2::ExplainRollRequest request;
    request.set_process_guid("app");
    v2::ExplainRollResponse response;
    EXPECT_TRUE(service.rolls->ExplainRoll(Context().get(), request, &response).ok());
    for (const v2::Reason& reason : response.reasons()) {
      if (reason.rule() == "drain.connections") return reason.text();
    }
    return "";
  }
};

TEST_F(LoadOfRouters, TheLoadOfAnAppThatRollsIsShownAndItsDrainSaysWhatIsLeft) {
  ScriptedRouter one(service, "one");
  ScriptedRouter two(service, "two");
  DesireApp();
  const std::string old = Serve({&one, &two});
  ASSERT_TRUE(Eventually([&] { return RollIsOver(); }));
  EXPECT_FALSE(EndpointOf(old).has_sessions());
  UpdateTo("app", "v2");
  ASSERT_TRUE(one.WasToldToMeasure("app"));
  const std::string newcomer = Start(*cell);
  ASSERT_TRUE(one.WasToldToServe(newcomer));
  ASSERT_TRUE(two.WasToldToServe(newcomer));
  one.SayLoad(old, 2, 1.5);
  two.SayLoad(old, 1, 2);
  EXPECT_TRUE(Eventually([&] { return EndpointOf(old).sessions() == 3; })) << EndpointOf(old).DebugString();
  EXPECT_EQ(EndpointOf(old).requests_per_s(), 3.5);
  EXPECT_FALSE(EndpointOf(old).draining());
  EXPECT_FALSE(EndpointOf(newcomer).has_sessions()) << "no router has said anything of it";
  one.Apply();
  two.Apply();
  ASSERT_TRUE(IsHandedOver(newcomer));
  ASSERT_TRUE(one.WasToldToDrain(old));
  one.SayLoad(old, 3, 0);
  two.SayLoad(old, 0, 0);
  EXPECT_TRUE(Eventually([&] { return DrainExplained().ends_with("; 3 connections are left on 1 of 2 routers"); }))
      << DrainExplained();
  EXPECT_TRUE(EndpointOf(old).draining());
  one.SayLoad("nobody", 1, 0);
  EXPECT_TRUE(Eventually([&] { return !EndpointOf(old).has_sessions() || EndpointOf(old).sessions() == 0; }))
      << "each word is the whole of it";
  one.Drained(old);
  two.Drained(old);
  ASSERT_TRUE(cell->WasToldToStop(old));
  v2::CellReport stopped;
  stopped.set_actual_id(old);
  stopped.set_instance_guid(old + "-run");
  stopped.mutable_stopped();
  cell->Report(stopped);
  EXPECT_TRUE(one.WasToldNotToMeasure("app"));
}

// A router is not trusted with the leader's arithmetic.
TEST_F(LoadOfRouters, ALoadThatNoneCanBeEndsTheStream) {
  for (const double rate : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    ScriptedRouter odd(service, "odd");
    odd.SayLoad("i1", 0, rate);
    EXPECT_GT(odd.EndedWithHint(), 0) << rate;
  }
  ScriptedRouter odd(service, "odd");
  odd.SayLoad("i1", -1, 0);
  EXPECT_GT(odd.EndedWithHint(), 0);
}

}  // namespace
}  // namespace baton
