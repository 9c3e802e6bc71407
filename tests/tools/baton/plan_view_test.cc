// A plan as people read it.
#include "tools/baton/views/plan_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v2::PlanUpdateResponse Roll(int steps) {
  v2::PlanUpdateResponse plan;
  plan.set_opens_roll(true);
  plan.set_restarts(3);
  plan.set_source_definition("v1");
  plan.set_target_definition("v2");
  for (int i = 0; i < steps; ++i) {
    v2::PlannedStep& step = *plan.add_steps();
    step.set_at_ms(1000 * i);
    step.set_kind("surged");
    step.set_index(i);
    step.set_text("beside the old instance");
  }
  plan.set_takes_ms(41000);
  plan.set_ends(v2::COMPLETED);
  plan.set_start_ms(400);
  plan.set_stop_ms(1200);
  plan.set_measured(12);
  plan.set_peak_instances(4);
  plan.set_peak_memory_mb(128);
  plan.set_least_served(3);
  return plan;
}

TEST(PlanText, SaysThatAnOpenRollGoesBack) {
  v2::PlanUpdateResponse plan = Roll(2);
  plan.set_opens_roll(false);
  plan.set_ends(v2::ROLLED_BACK);
  const std::string text = PlanText("shop", plan, false);
  EXPECT_THAT(
      text, HasSubstr("the open roll of app shop would go back from v2 to v1; 3 running instances are started anew\n"));
  EXPECT_THAT(text, HasSubstr("ROLLED_BACK and nothing old left after 41.0 s"));
}

TEST(PlanText, SaysWhatWouldBeDoneAndWhatItTakes) {
  v2::PlanUpdateResponse plan = Roll(2);
  v2::PlannedChange& change = *plan.add_changes();
  change.set_field("annotation");
  change.set_after("\"new\"");
  plan.add_warnings("no route leads to port 9090 of v2");
  const std::string text = PlanText("hello", plan, false);
  EXPECT_THAT(text, HasSubstr("app hello would roll from v1 to v2; 3 running instances are started anew\n"));
  EXPECT_THAT(text, HasSubstr("  annotation (not there) -> \"new\"\n"));
  EXPECT_THAT(text, HasSubstr("+1.0 s"));
  EXPECT_THAT(text, HasSubstr("COMPLETED and nothing old left after 41.0 s"));
  EXPECT_THAT(text, HasSubstr("starts take 0.4 s, stops 1.2 s: the medians of 12 starts of its last rolls"));
  EXPECT_THAT(text, HasSubstr("4 instances, 128 MiB"));
  EXPECT_THAT(text, HasSubstr("warning: no route leads to port 9090 of v2\n"));
}

TEST(PlanText, ALongOneIsCutInTheMiddleUnlessAllIsAskedFor) {
  EXPECT_THAT(PlanText("hello", Roll(100), false), HasSubstr("84 more: -o wide"));
  EXPECT_THAT(PlanText("hello", Roll(100), true), Not(HasSubstr("more")));
  EXPECT_THAT(PlanText("hello", Roll(16), false), Not(HasSubstr("more")));
}

TEST(PlanText, NothingAndNoEndAreSaid) {
  EXPECT_EQ(PlanText("hello", {}, false), "app hello is as asked: nothing would change\n");
  v2::PlanUpdateResponse stuck = Roll(1);
  stuck.clear_takes_ms();
  stuck.set_measured(0);
  EXPECT_THAT(PlanText("hello", stuck, false), HasSubstr("not by itself"));
  EXPECT_THAT(PlanText("hello", stuck, false), HasSubstr("guesses"));
}

}  // namespace
}  // namespace baton::cli
