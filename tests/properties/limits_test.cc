// Percentages and limits of a strategy, for any numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orchestrator/model/strategy.h"

namespace baton {
namespace {

IntOrPercent AnyAmount() { return {*rc::gen::inRange(0, 1001), *rc::gen::arbitrary<bool>()}; }

RC_GTEST_PROP(Limits, APercentageIsRoundedToOneSideOfTheTruth, ()) {
  const IntOrPercent amount{*rc::gen::inRange(0, 1001), true};
  const int instances = *rc::gen::inRange(0, 100001);
  const std::int64_t exact = std::int64_t{amount.value} * instances;  // hundredths
  const std::int64_t up = amount.RoundedUp(instances);
  const std::int64_t down = amount.RoundedDown(instances);
  RC_ASSERT(down * 100 <= exact && exact < (down + 1) * 100);
  RC_ASSERT((up - 1) * 100 < exact && exact <= up * 100);
}

RC_GTEST_PROP(Limits, SomethingCanAlwaysBeChangedAndNothingIsUnlimited, ()) {
  Strategy strategy;
  strategy.mode = *rc::gen::element(Mode::kRolling, Mode::kRecreate);
  strategy.max_surge = AnyAmount();
  strategy.max_unavailable = AnyAmount();
  strategy.max_in_flight = AnyAmount();
  const int instances = *rc::gen::inRange(0, 100001);
  const Limits limits = ResolveLimits(strategy, instances);
  RC_ASSERT(limits.max_surge > 0 || limits.max_unavailable > 0);
  RC_ASSERT(limits.max_surge >= 0 && limits.max_unavailable >= 0);
  RC_ASSERT(limits.max_in_flight >= 1);
  if (strategy.mode == Mode::kRecreate) {
    RC_ASSERT(limits.max_surge == 0);
    RC_ASSERT(limits.max_in_flight == 1);
  } else if (strategy.max_unavailable.RoundedDown(instances) == 0) {
    RC_ASSERT(limits.max_unavailable == 0);  // zero downtime is not rounded away
  }
}

}  // namespace
}  // namespace baton
