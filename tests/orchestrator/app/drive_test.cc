// What an order says of its instance.
#include "orchestrator/app/leader/drive.h"

#include <gtest/gtest.h>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

Duration StartTimeoutOf(Duration of_definition, std::optional<Duration> of_strategy) {
  AppMaker maker(1);
  maker.app.definitions.at({1, DefinitionId("v1")}).start_timeout = of_definition;
  maker.app.desired->active = maker.app.desired->healthy = DefinitionId("v1");
  maker.app.desired->strategy.start_timeout = of_strategy;
  AppEdit edit(maker.app, maker.moment, "test");
  const Effects effects = RunPlanner(edit);
  (void)edit.Finish();
  EXPECT_EQ(effects.to_place.size(), 1u);
  return effects.to_place.empty() ? Duration(0) : effects.to_place[0].start_timeout;
}

TEST(AnOrder, HasTheStartTimeoutOfTheStrategyElseOfTheDefinitionElseTheDefault) {
  EXPECT_EQ(StartTimeoutOf(Duration(0), std::nullopt), kDefaultStartTimeout);
  EXPECT_EQ(StartTimeoutOf(seconds(5), std::nullopt), seconds(5));
  EXPECT_EQ(StartTimeoutOf(seconds(5), seconds(7)), seconds(7));
}

}  // namespace
}  // namespace baton
