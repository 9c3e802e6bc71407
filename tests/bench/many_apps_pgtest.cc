// The benchmark's many apps are copies of one that batond itself has made: what batond refuses of it ends half of the
// benchmark.
#include "tests/bench/many_apps.h"

#include <gtest/gtest.h>

#include "tests/bench/shapes.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"

namespace baton::bench {
namespace {

TEST(ManyApps, AreMadeOfOneThatRuns) {
  const std::string url = MigratedDatabase();
  MakeTemplate(url, LightApp("template"));
  RunningService service(url);
  service.WaitForLead();
  const auto instances = service.Instances("template");
  ASSERT_EQ(instances.size(), 1u);
  EXPECT_EQ(instances[0].state(), "RUNNING");
}

}  // namespace
}  // namespace baton::bench
