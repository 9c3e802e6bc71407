// Orders: which of them go out, and which are over.
#include "orchestrator/app/cells/placer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fakes/on_loop.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/waiting_store.h"

namespace baton {
namespace {

class PlacerTest : public ::testing::Test {
 protected:
  PlacerTest() {
    CellRecord cell;
    cell.id = kCell;
    cell.capacity = {.memory_mb = 1000, .disk_mb = 1000, .containers = 10};
    cell.stacks = {"preloaded:cflinuxfs4"};
    request_.definition.root_fs = cell.stacks.front();
    OnLoop(loop_, [&] {
      roller_.Lead();
      placer_.Open(cell, Duration(0));
    });
    request_.id = ActualId("a1");
    request_.guid = ProcessGuid("app");
  }
  ~PlacerTest() override { loop_.Stop(); }

  // How many cells were held off.
  class Held final : public Metrics {
   public:
    void Count(std::string_view name, std::string_view, double by) override {
      if (name == "baton_cells_held_off_total") cells += by;
    }
    void Set(std::string_view, double, std::string_view) override {}
    void Observe(std::string_view, double, std::string_view) override {}
    double cells = 0;  // of the loop alone
  };

  const CellId kCell{"cell-1"};
  SilentLog log_;
  Held metrics_;
  WaitingStore store_;
  Loop loop_;
  Roller roller_{store_, loop_, log_, metrics_, [](const Effects&) {}};
  int orders_ = 0;  // of the loop alone
  Placer placer_{
      roller_, loop_, nullptr, log_, metrics_, std::chrono::hours(1), [this](const CellId&, const RunInstance&) {
        ++orders_;
      }};
  PlacementRequest request_;
};

TEST_F(PlacerTest, WhatWasDecidedBeforeAClaimWasHeardOfIsDecidedAnew) {
  const auto before = Loop::Steady::now();
  OnLoop(loop_, [&] {
    placer_.Place(request_, before);
    EXPECT_EQ(orders_, 1);
    placer_.Claimed(kCell, request_.id);
    placer_.Place(request_, before);  // a pass that saw the row UNCLAIMED, and is followed late
    EXPECT_EQ(orders_, 1);
  });
  OnLoop(loop_, [&] {
    ASSERT_EQ(store_.commands.size(), 1u);
    EXPECT_EQ(store_.commands.front()->header().name, "plan");
  });
}

TEST_F(PlacerTest, WhatIsUnclaimedAgainAfterItsClaimIsOrderedAgain) {
  OnLoop(loop_, [&] {
    placer_.Place(request_, Loop::Steady::now());
    placer_.Claimed(kCell, request_.id);
  });
  OnLoop(loop_, [&] {
    placer_.Place(request_, Loop::Steady::now());  // its end was not heard from its cell
    EXPECT_EQ(orders_, 2);
    EXPECT_TRUE(store_.commands.empty());
  });
}

// A leader before this one gave the order. Whoever is told of the refusal forgets this one's order as well, and was asked again after
// --claim-ms, as one that does not answer.
TEST_F(PlacerTest, WhatIsOrderedWhileAClaimIsRefusedIsOrderedAgain) {
  OnLoop(loop_, [&] {
    placer_.Place(request_, Loop::Steady::now());
    placer_.ClaimRefused(kCell, request_.id);
    EXPECT_FALSE(placer_.HasOrdered(kCell, request_.id));
  });
  OnLoop(loop_, [&] {
    ASSERT_EQ(store_.commands.size(), 1U);
    EXPECT_EQ(store_.commands.front()->header().name, "plan") << "at once";
    placer_.Place(request_, Loop::Steady::now());
    EXPECT_EQ(orders_, 2);
    EXPECT_TRUE(placer_.open_orders().IsOf(request_.id, kCell));
    EXPECT_EQ(metrics_.cells, 0) << "nobody left anything unanswered";
  });
}

// A claim of a cell that was not asked, refused or not, dropped the order of the one that was, which then claimed in vain.
TEST_F(PlacerTest, WhatAnotherCellSaysDropsNoOrder) {
  const CellId other("cell-2");
  OnLoop(loop_, [&] {
    placer_.Place(request_, Loop::Steady::now());
    EXPECT_TRUE(placer_.open_orders().IsOf(request_.id, kCell));
    EXPECT_FALSE(placer_.open_orders().IsOf(request_.id, other));
    placer_.Claimed(other, request_.id);
    placer_.Rejected(other, request_.id, "no", Lack::kOther);
    placer_.Ended(other, request_.id);
    placer_.Release(other, request_.id);
    EXPECT_TRUE(placer_.HasOrdered(kCell, request_.id));
    placer_.Claimed(kCell, request_.id);
    EXPECT_FALSE(placer_.open_orders().IsOf(request_.id, kCell));
    const auto before = Loop::Steady::now() - std::chrono::hours(1);
    placer_.Ended(other, request_.id);
    placer_.Release(other, request_.id);
    placer_.Place(request_, before);  // that it is starting is known still
    EXPECT_EQ(orders_, 1);
  });
}

// Issue 21: a cell's first connect said "was lost 0 times lately" where the database's clock was behind by a moment.
TEST_F(PlacerTest, ACellThatWasNeverLostIsNotHeldOff) {
  CellRecord cell;
  cell.id = CellId("cell-2");
  OnLoop(loop_, [&] {
    placer_.Open(cell, -milliseconds(3));
    EXPECT_EQ(placer_.HeldOff(cell.id), "");
    EXPECT_EQ(metrics_.cells, 0);
  });
  cell.losses = 2;
  OnLoop(loop_, [&] {
    placer_.Open(cell, -milliseconds(3));
    EXPECT_NE(placer_.HeldOff(cell.id), "");
    EXPECT_EQ(metrics_.cells, 1);
  });
}

// Not only when somebody looks anyway, seconds later.
TEST_F(PlacerTest, WhatWaitsIsLookedAtAtOnceWhenAnOperatorDecides) {
  request_.definition.needs = {"egress_rules"};
  OnLoop(loop_, [&] {
    placer_.Place(request_, Loop::Steady::now());
    EXPECT_EQ(orders_, 0);
  });
  const auto plans = [&] { return store_.Count("plan"); };
  OnLoop(loop_, [&] {
    EXPECT_EQ(plans(), 0);
    EgressPolicy policy;
    policy.Set(request_.domain, UnenforcedEgress::kWarn);
    placer_.SetEgress(policy);
  });
  OnLoop(loop_, [&] { EXPECT_EQ(plans(), 1); });
}

}  // namespace
}  // namespace baton
