#include "orchestrator/routing/measured_apps.h"

#include <gmock/gmock.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ProcessGuid App(std::size_t number) { return ProcessGuid("app-" + std::to_string(number)); }

TEST(MeasuredApps, AnAppIsMeasuredWhileItsRollIsOpen) {
  MeasuredApps apps;
  EXPECT_THAT(apps.Set(App(1), true).measured, ElementsAre(App(1)));
  EXPECT_TRUE(apps.Set(App(1), true).empty()) << "it is already";
  EXPECT_THAT(apps.Set(App(1), false).unmeasured, ElementsAre(App(1)));
  EXPECT_TRUE(apps.Set(App(1), false).empty());
  EXPECT_THAT(apps.measured(), IsEmpty());
}

TEST(MeasuredApps, SoManyAtATimeAndAnotherFollowsOneThatIsThrough) {
  MeasuredApps apps;
  for (std::size_t i = 0; i < MeasuredApps::kMost; ++i) (void)apps.Set(App(i), true);
  EXPECT_TRUE(apps.Set(App(9001), true).empty());
  EXPECT_TRUE(apps.Set(App(9002), true).empty());
  EXPECT_TRUE(apps.Set(App(9001), false).empty()) << "it was not measured";
  EXPECT_EQ(apps.Set(App(7), false), (MeasuredApps::Change{.measured = {App(9002)}, .unmeasured = {App(7)}}));
  EXPECT_THAT(apps.measured(), SizeIs(MeasuredApps::kMost));
  EXPECT_EQ(apps.Set(App(8), false), (MeasuredApps::Change{.measured = {}, .unmeasured = {App(8)}}));
}

}  // namespace
}  // namespace baton
