// What is bounded before anything of a call is done.
#include <gmock/gmock.h>

#include "orchestrator/server/calls/call_slots.h"
#include "orchestrator/server/cells/cell_messages.h"
#include "tools/metrics/prometheus_metrics.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

TEST(CallSlots, OneTooManyIsRefusedUntilAnotherIsOver) {
  PrometheusMetrics metrics(MetricsTable());
  CallSlots slots(2, "lists");
  auto one = slots.Take(metrics);
  {
    const auto two = slots.Take(metrics);
    ASSERT_TRUE(one && two);
    const auto three = slots.Take(metrics);
    ASSERT_FALSE(three);
    EXPECT_EQ(three.error().kind, ErrorKind::kResourceExhausted);
    EXPECT_TRUE(three.error().retry_after);
    EXPECT_THAT(three.error().message, HasSubstr("2 lists are under way"));
  }
  const CallSlots::Slot kept = *std::move(one);
  EXPECT_TRUE(slots.Take(metrics));
  const auto two = slots.Take(metrics);
  EXPECT_TRUE(two);
  EXPECT_FALSE(slots.Take(metrics)) << "the one that moved is still taken";
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_calls_refused_total{why=\"lists\"} 2"));
}

TEST(CellHello, HasTenThousandInstancesAtMost) {
  v2::CellHello hello;
  hello.set_protocol_version(1);
  hello.set_cell_id("cell-1");
  for (int i = 0; i < 10'000; ++i) {
    auto& one = *hello.add_instances();
    one.set_actual_id("i" + std::to_string(i));
    one.set_instance_guid(one.actual_id());
    one.set_process_guid("app");
  }
  EXPECT_TRUE(GreetingFrom(hello)) << GreetingFrom(hello).error().message;
  *hello.add_instances() = hello.instances(0);
  const auto greeting = GreetingFrom(hello);
  ASSERT_FALSE(greeting);
  EXPECT_THAT(greeting.error().message, HasSubstr("instances has 10001 entries, at most 10000"));
}

}  // namespace
}  // namespace baton
