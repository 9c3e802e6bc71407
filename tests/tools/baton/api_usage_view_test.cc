// When an older version may go, as an operator and a script see it.
#include "tools/baton/views/api_usage_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace baton::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kUsageSecond = 1'000'000'000;
constexpr std::int64_t kDay = 86'400 * kUsageSecond;
constexpr std::int64_t kUsageNow = 1'795'000'000 * kUsageSecond;

class ApiUsageView : public ::testing::Test {
 protected:
  ApiUsageView() {
    usage.set_stored(true);
    usage.set_counted_since(kUsageNow - 100 * kDay);
    for (const char* api : {"v1", "v2"}) usage.add_versions()->set_api_version(api);
    usage.mutable_versions(0)->set_deprecated(true);
  }
  void Called(const std::string& api, const std::string& caller, std::int64_t ago, const std::string& method = "Ping.Ping") {
    v2::ApiUsage& one = *usage.add_usage();
    one.set_api_version(api);
    one.set_method(method);
    one.set_caller(caller);
    one.set_calls(3);
    one.set_first_at(kUsageNow - 50 * kDay);
    one.set_last_at(kUsageNow - ago);
  }
  bool V1IdleFor(int days) const { return IdleFor(days, usage, /*deprecated_only=*/true, kUsageNow); }

  v2::GetApiUsageResponse usage;
};

TEST_F(ApiUsageView, NamesThoseWhoCallLatelyTheLastOneFirst) {
  Called("v1", "curl", kDay);
  Called("v1", "capi", 3 * kUsageSecond);
  Called("v1", "capi", kDay, "DesiredLRPs.DesireLRP");
  Called("v1", "gone", 8 * kDay);
  EXPECT_THAT(Words(usage, kUsageNow),
              HasSubstr("v1 (deprecated): 2 callers in the last 7 days (capi, curl); last call 3s ago\n"));
}

TEST_F(ApiUsageView, NamesNoMoreThanFive) {
  for (int i = 0; i < 7; ++i) Called("v1", "caller-" + std::to_string(i), (i + 1) * kUsageSecond);
  EXPECT_THAT(Words(usage, kUsageNow), HasSubstr("7 callers in the last 7 days (caller-0, caller-1, caller-2, "
                                                 "caller-3, caller-4,\n  ...); last call 1s ago\n"));
}

// Its last line was of 103 columns and more, with whatever names callers have.
TEST_F(ApiUsageView, NoLineIsLongerThanATable) {
  for (int i = 0; i < 5; ++i)
    Called("v1", "controller/a-controller-with-a-long-name-" + std::to_string(i), (i + 1) * kUsageSecond);
  usage.set_stored(false);
  std::istringstream lines(Words(usage, kUsageNow));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(ApiUsageView, SaysSinceWhenNobodyCallsAndWhoWasTheLast) {
  Called("v1", "capi", 31 * kDay);
  Called("v1", "curl", 40 * kDay);
  Called("v2", "ann@host", kUsageSecond);
  EXPECT_THAT(Words(usage, kUsageNow),
              HasSubstr("v1 (deprecated): nobody since 2026-10-18 11:06:40 UTC (31d); the last was capi\n"));
  EXPECT_THAT(Words(usage, kUsageNow), HasSubstr("v2: 1 caller in the last 7 days (ann@host); last call 1s ago\n"));
}

TEST_F(ApiUsageView, WithoutACallItSaysSinceWhenCallsAreCounted) {
  EXPECT_THAT(Words(usage, kUsageNow),
              HasSubstr("v1 (deprecated): nobody since calls are counted, 2026-08-10 11:06:40 UTC (100d)\n"));
  usage.set_counted_since(0);
  EXPECT_THAT(Words(usage, kUsageNow), HasSubstr("v1 (deprecated): no call was counted yet\n"));
}

TEST_F(ApiUsageView, ListsEachCallAndSaysWhereNothingIsStored) {
  Called("v1", "ca\x1bpi", 3 * kUsageSecond);
  EXPECT_THAT(Words(usage, kUsageNow), HasSubstr("API  METHOD     CALLER  CALLS  FIRST                    LAST\n"
                                                 "v1   Ping.Ping  ca?pi   3      2026-09-29 11:06:40 UTC  3s ago\n"));
  EXPECT_THAT(Words(usage, kUsageNow), Not(HasSubstr("Not stored")));
  usage.set_stored(false);
  EXPECT_THAT(Words(usage, kUsageNow), HasSubstr("Not stored yet"));
}

TEST_F(ApiUsageView, IdleIsWhatNobodyCalledForSoLong) {
  Called("v1", "capi", 31 * kDay);
  Called("v2", "ann@host", kUsageSecond);
  EXPECT_TRUE(V1IdleFor(30));
  EXPECT_FALSE(V1IdleFor(32));
  EXPECT_FALSE(IdleFor(30, usage, /*deprecated_only=*/false, kUsageNow)) << "v2 is in use";
}

TEST_F(ApiUsageView, WhatWasNotCountedForSoLongIsNotKnownToBeIdle) {
  EXPECT_TRUE(V1IdleFor(99));
  EXPECT_FALSE(V1IdleFor(101));
  usage.set_counted_since(0);
  EXPECT_FALSE(V1IdleFor(1));
}

}  // namespace
}  // namespace baton::cli
