#include "tools/router/haproxy/load_meter.h"

#include <gmock/gmock.h>

namespace baton::router {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr LoadMeter::Time kNow{std::chrono::hours(1)};

TEST(LoadMeter, ARateNeedsTwoReadings) {
  LoadMeter meter;
  EXPECT_THAT(meter.Observe({"i1"}, {.sessions = {{"i1", 2}}, .requests = {{"i1", 100}}}, kNow),
              ElementsAre(InstanceLoad{"i1", 2, std::nullopt}));
  EXPECT_THAT(meter.Observe({"i1"}, {.sessions = {{"i1", 0}}, .requests = {{"i1", 150}}}, kNow + seconds(2)),
              ElementsAre(InstanceLoad{"i1", 0, 25.0}));
}

TEST(LoadMeter, WhereHaproxyCountsAnewThereIsNoRateOnce) {
  LoadMeter meter;
  (void)meter.Observe({"i1"}, {.sessions = {{"i1", 0}}, .requests = {{"i1", 100}}}, kNow);
  EXPECT_THAT(meter.Observe({"i1"}, {.sessions = {{"i1", 0}}, .requests = {{"i1", 4}}}, kNow + seconds(2)),
              ElementsAre(InstanceLoad{"i1", 0, std::nullopt}));
  EXPECT_THAT(meter.Observe({"i1"}, {.sessions = {{"i1", 0}}, .requests = {{"i1", 8}}}, kNow + seconds(4)),
              ElementsAre(InstanceLoad{"i1", 0, 2.0}));
}

TEST(LoadMeter, OnlyWhatIsMeasuredAndHasAServerIsTold) {
  LoadMeter meter;
  EXPECT_THAT(meter.Observe({"gone"}, {.sessions = {{"i1", 2}}, .requests = {{"i1", 100}}}, kNow), IsEmpty());
  EXPECT_THAT(meter.Observe({"i1"}, {.sessions = {{"i1", 2}}, .requests = {{"i1", 100}}}, kNow + seconds(2)),
              ElementsAre(InstanceLoad{"i1", 2, std::nullopt}))
      << "it was not looked at before";
}

}  // namespace
}  // namespace baton::router
