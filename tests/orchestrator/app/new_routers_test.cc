#include "orchestrator/app/routers/new_routers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const ConsumerId kNew("new");
const NewRouters::Steady::time_point kRoutersNow{std::chrono::hours(100)};

TEST(NewRouters, OneThatNeverAppliesCountsForNoChange) {
  NewRouters routers;
  routers.Registered(kNew, /*in_rows=*/false, kRoutersNow);
  EXPECT_THAT(routers.CountedSince(), ElementsAre(Pair(kNew, TimePoint::max())));
}

TEST(NewRouters, OneThatServesCountsForChangesThatBeginLater) {
  NewRouters routers;
  routers.Registered(kNew, /*in_rows=*/false, kRoutersNow);
  routers.Serves(kNew, TimePoint(seconds(7)));
  routers.Serves(kNew, TimePoint(seconds(9)));  // on its next stream
  EXPECT_THAT(routers.CountedSince(), ElementsAre(Pair(kNew, TimePoint(seconds(7)))));
}

TEST(NewRouters, ANameThatIsInTheRowsIsKnown) {
  NewRouters routers;
  routers.Registered(kNew, /*in_rows=*/true, kRoutersNow);
  EXPECT_THAT(routers.CountedSince(), IsEmpty());
}

TEST(NewRouters, OneThatSaidGoodbyeIsKnownForADay) {
  NewRouters routers;
  routers.Registered(kNew, /*in_rows=*/true, kRoutersNow);
  routers.Registered(kNew, /*in_rows=*/false, kRoutersNow + std::chrono::hours(23));
  EXPECT_THAT(routers.CountedSince(), IsEmpty());
  routers.Registered(kNew, /*in_rows=*/false, kRoutersNow + std::chrono::hours(48));
  EXPECT_THAT(routers.CountedSince(), ElementsAre(Pair(kNew, TimePoint::max())));
}

TEST(NewRouters, OneThatComesAgainIsAsNewAsItWas) {
  NewRouters routers;
  routers.Registered(kNew, /*in_rows=*/false, kRoutersNow);
  routers.Registered(kNew, /*in_rows=*/true, kRoutersNow + std::chrono::hours(1));
  EXPECT_THAT(routers.CountedSince(), ElementsAre(Pair(kNew, TimePoint::max())));
}

TEST(NewRouters, OneThatTheAdministratorNamesCountsAtOnce) {
  NewRouters routers;
  routers.Registered(kNew, /*in_rows=*/false, kRoutersNow);
  routers.SetTrusted({"new"});
  EXPECT_THAT(routers.CountedSince(), IsEmpty());
  routers.SetTrusted({"*"});
  EXPECT_THAT(routers.CountedSince(), ElementsAre(Pair(kNew, TimePoint::max()))) << "everybody is nobody by name";
}

}  // namespace
}  // namespace baton
