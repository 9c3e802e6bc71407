#include "tools/cell/health/health_law.h"

#include <gtest/gtest.h>

#include "tests/tools/shim/shim_run.h"
#include "tools/cell/health/check_plan.h"

namespace baton::cell {
namespace {

using std::chrono::milliseconds;
using Purpose = CheckSpec::Purpose;

constexpr CheckResult kPassed{true, ""};
const CheckResult kFailed{false, "refused"};
const CheckTime kStart{};

CheckSpec Spec(Purpose purpose, milliseconds interval = milliseconds(1000)) {
  return {.purpose = purpose, .port = 61001, .interval = interval};
}

template <class Event>
bool Is(const std::optional<InstanceEvent>& event) {
  return event && std::holds_alternative<Event>(*event);
}

TEST(HealthLaw, ReadyOnlyWhenEveryCheckHasPassed) {
  HealthLaw law({Spec(Purpose::kLiveness), Spec(Purpose::kReadiness)}, false, kStart);
  EXPECT_EQ(law.TakeDue(kStart), (std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(law.OnResult(0, kPassed, kStart));
  EXPECT_FALSE(law.OnResult(1, kFailed, kStart));
  EXPECT_EQ(law.NextDue(), kStart + kStartInterval);  // only the one that has not passed
  EXPECT_EQ(law.TakeDue(kStart + kStartInterval), std::vector<std::size_t>{1});
  EXPECT_TRUE(Is<event::Ready>(law.OnResult(1, kPassed, kStart + kStartInterval)));
  EXPECT_EQ(law.last_failure(), "TCP port 61001: refused");
}

TEST(HealthLaw, WhatIsUnderWayIsNotBegunAgain) {
  HealthLaw law({Spec(Purpose::kLiveness)}, false, kStart);
  EXPECT_EQ(law.TakeDue(kStart).size(), 1u);
  EXPECT_TRUE(law.TakeDue(kStart + milliseconds(60'000)).empty());
  EXPECT_EQ(law.NextDue(), std::nullopt);
}

TEST(HealthLaw, OnceReadyEachHasItsOwnInterval) {
  HealthLaw law({Spec(Purpose::kLiveness, milliseconds(700)), Spec(Purpose::kReadiness, milliseconds(300))}, true,
                kStart);
  EXPECT_EQ(law.TakeDue(kStart).size(), 2u);
  law.OnResult(0, kPassed, kStart);
  law.OnResult(1, kPassed, kStart);
  EXPECT_EQ(law.NextDue(), kStart + milliseconds(300));
  EXPECT_EQ(law.TakeDue(kStart + milliseconds(300)), std::vector<std::size_t>{1});
  EXPECT_EQ(law.NextDue(), kStart + milliseconds(700));
}

TEST(HealthLaw, ThreeFailuresInARowAreDeathTwoAreNot) {
  HealthLaw law({Spec(Purpose::kLiveness)}, true, kStart);
  EXPECT_FALSE(law.OnResult(0, kFailed, kStart));
  EXPECT_FALSE(law.OnResult(0, kFailed, kStart));
  EXPECT_FALSE(law.OnResult(0, kPassed, kStart));  // the count begins anew
  EXPECT_FALSE(law.OnResult(0, kFailed, kStart));
  EXPECT_FALSE(law.OnResult(0, kFailed, kStart));
  const auto lost = law.OnResult(0, kFailed, kStart);
  ASSERT_TRUE(Is<event::LivenessLost>(lost));
  EXPECT_EQ(std::get<event::LivenessLost>(*lost).reason, "unhealthy: TCP port 61001: refused, 3 times in a row");
}

TEST(HealthLaw, ReadinessIsThatOfAllAndNeverDeath) {
  HealthLaw law({Spec(Purpose::kReadiness), Spec(Purpose::kReadiness)}, true, kStart);
  const auto ready = [&](std::size_t check, const CheckResult& result) {
    const auto event = law.OnResult(check, result, kStart);
    return std::get<event::ReadinessChanged>(*event).ready;
  };
  EXPECT_FALSE(ready(0, kFailed));
  EXPECT_EQ(law.NextDue(), kStart);  // check 1 never ran yet; check 0 waits only the start interval
  EXPECT_FALSE(ready(1, kPassed));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(ready(0, kFailed));
  EXPECT_EQ(law.NextDue(), kStart + kStartInterval);
  EXPECT_TRUE(ready(0, kPassed));
}

TEST(HealthLaw, StartCheckEndsWhenItPassed) {
  HealthLaw law({Spec(Purpose::kStart)}, false, kStart);
  law.TakeDue(kStart);
  EXPECT_TRUE(Is<event::Ready>(law.OnResult(0, kPassed, kStart)));
  EXPECT_EQ(law.NextDue(), std::nullopt);
  EXPECT_EQ(HealthLaw({Spec(Purpose::kStart)}, true, kStart).NextDue(), std::nullopt);
}

TEST(CheckPlan, TakesTheDefinitionsChecksOnTheHostsPorts) {
  const auto specs = ChecksOf(testing::PlanOf(R"(ports: 8080 ports: 9090 monitor { run_action { path: 'x' } }
    check_definition { checks { tcp_check { port: 8080 connect_timeout_ms: 70 interval_ms: 1 } }
                       readiness_checks { http_check { port: 9090 path: '/r' request_timeout_ms: 80 } } })"),
                              {{8080, 61001}, {9090, 61002}});
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0],
            (CheckSpec{CheckSpec::Kind::kTcp, Purpose::kLiveness, 61001, "", milliseconds(70), milliseconds(50)}));
  EXPECT_EQ(specs[1], (CheckSpec{CheckSpec::Kind::kHttp, Purpose::kReadiness, 61002, "/r", milliseconds(80),
                                 milliseconds(5000)}));
}

// What an older batond took, and what was launched before: the port was taken for one of the machine's.
TEST(CheckPlan, APortThatIsNoneOfTheAppsIsNotAsked) {
  const auto specs = ChecksOf(testing::PlanOf(R"(ports: 8080 check_definition {
    checks { tcp_check { port: 5432 } } checks { http_check { port: 22 } } readiness_checks { tcp_check { port: 8080 } } })"),
                              {{8080, 61001}});
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].port, 61001u);
}

TEST(CheckPlan, FallsBackToTheMonitorThenToTheFirstPortThenToNothing) {
  auto specs = ChecksOf(testing::PlanOf("ports: 8080 monitor { run_action { path: 'x' } }"), {{8080, 61001}});
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].kind, CheckSpec::Kind::kMonitor);
  EXPECT_EQ(specs[0].purpose, Purpose::kLiveness);
  specs = ChecksOf(testing::PlanOf("ports: 8080 ports: 9090"), {{8080, 61001}, {9090, 61002}});
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].purpose, Purpose::kStart);
  EXPECT_EQ(specs[0].port, 61001u);
  EXPECT_TRUE(ChecksOf({}, {}).empty());
}

}  // namespace
}  // namespace baton::cell
