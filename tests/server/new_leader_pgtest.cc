// What a leader knows of apps that were there before it led.
#include <gtest/gtest.h>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_router.h"

namespace baton {
namespace {

batond::ServiceOptions ThatCountsOften() {
  batond::ServiceOptions options;
  options.converge_every = milliseconds(100);
  options.count_every = milliseconds(400);
  return options;
}

// It read of no app how many instances are wanted, nor whether it rolls: until the app's next commit nobody was told of its
// routes that nothing serves, and no router measured its instances.
TEST(NewLeader, KnowsWhatIsWantedOfAnAppAndWhetherItRolls) {
  const std::string url = MigratedDatabase();
  {
    RunningService first(url);
    first.WaitForLead();
    auto request = RunningService::SmallApp("lonely");  // and no cell takes it
    (*request.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["lonely.example"],"port":8080}])";
    ASSERT_TRUE(first.Desire(request).ok());
  }
  RunningService next(url, ThatCountsOften());
  next.WaitForLead();
  ScriptedRouter router(next, "router-1");
  EXPECT_TRUE(router.WasToldToMeasure("lonely"));
  EXPECT_TRUE(Eventually([&] { return next.Metrics().find("baton_routes_unserved 1") != std::string::npos; })) << next.Metrics();
}

}  // namespace
}  // namespace baton
