// What a batond that takes no calls tells who asks.
#include "orchestrator/server/serving/serving_state.h"

#include <gtest/gtest.h>

#include "tests/fakes/silent_log.h"
#include "tools/metrics/prometheus_metrics.h"

namespace baton {
namespace {

class ServingStateTest : public ::testing::Test {
 protected:
  static std::optional<LeaseView> LeaseFor(Duration remaining) {
    return LeaseView{.epoch = 7, .holder = "one", .address = "one:1", .running = true, .remaining = remaining};
  }
  // In the state that it is in.
  Error Refusal(const std::optional<LeaseView>& leader) {
    const Status taken = state_.Check(leader);
    EXPECT_FALSE(taken);
    return taken ? Error{} : taken.error();
  }

  SilentLog log_;
  PrometheusMetrics metrics_{MetricsTable()};
  ServingState state_{log_, metrics_};
};

TEST_F(ServingStateTest, AStandbyNamesTheLeader) {
  state_.Tell(ServingEvent::kAnotherKnown);
  const Error refused = Refusal(LeaseFor(seconds(2)));
  EXPECT_EQ(refused.kind, ErrorKind::kUnavailable);
  EXPECT_EQ(refused.leader, "one:1");
  EXPECT_EQ(refused.retry_after, milliseconds(250));
}

// Its leader may have died: who asks is not told to wait for longer than the lease runs on, and not to ask without pause.
TEST_F(ServingStateTest, NobodyWaitsPastTheEndOfALease) {
  state_.Tell(ServingEvent::kAnotherKnown);
  EXPECT_EQ(Refusal(LeaseFor(milliseconds(120))).retry_after, milliseconds(120));
  EXPECT_EQ(Refusal(LeaseFor(milliseconds(1))).retry_after, milliseconds(50));
}

TEST_F(ServingStateTest, ItIsAskedAgainSoonerWhereItIsAboutToLead) {
  state_.Tell(ServingEvent::kElected);
  EXPECT_EQ(Refusal({}).retry_after, milliseconds(100));
  state_.Tell(ServingEvent::kMayServe);
  EXPECT_EQ(Refusal({}).retry_after, milliseconds(100));
  state_.Tell(ServingEvent::kLoaded);
  EXPECT_TRUE(state_.Check({}));
}

TEST_F(ServingStateTest, AMigrationTakesItsTime) {
  state_.Tell(ServingEvent::kElected);
  state_.Tell(ServingEvent::kMustMigrate);
  EXPECT_EQ(Refusal({}).retry_after, seconds(2));
}

}  // namespace
}  // namespace baton
