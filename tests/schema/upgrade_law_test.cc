// The law of online upgrades, a second time by hand, and what must hold of any such law.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "schema/online/law.h"
#include "tools/law/law_print.h"

namespace baton {
namespace {

using S = UpgradeState;
using E = UpgradeEvent;

struct UpgradeRow {
  S from;
  E event;
  S to;
};
const UpgradeRow kUpgradeRows[] = {
    {S::kNone, E::kFound, S::kWaiting},           {S::kWaiting, E::kBegin, S::kSyncing},
    {S::kSyncing, E::kAllReady, S::kSwitching},   {S::kSyncing, E::kRollBack, S::kWaiting},
    {S::kSwitching, E::kGiveUp, S::kSyncing},     {S::kSwitching, E::kRollBack, S::kWaiting},
    {S::kSwitching, E::kDone, S::kSwitched},      {S::kSwitched, E::kRollBack, S::kSyncingBack},
    {S::kSwitched, E::kFinish, S::kNone},         {S::kSyncingBack, E::kAllReady, S::kSwitchingBack},
    {S::kSyncingBack, E::kBegin, S::kSwitched},   {S::kSwitchingBack, E::kGiveUp, S::kSyncingBack},
    {S::kSwitchingBack, E::kBegin, S::kSwitched}, {S::kSwitchingBack, E::kDone, S::kWaiting},
};

std::vector<UpgradeRow> All() {
  std::vector<UpgradeRow> all;
  for (int s = 0; s < kUpgradeStates; ++s) {
    for (int e = 0; e < kUpgradeEvents; ++e) {
      if (const auto to = Advance(static_cast<S>(s), static_cast<E>(e))) all.push_back({static_cast<S>(s), static_cast<E>(e), *to});
    }
  }
  return all;
}

TEST(UpgradeLaw, EachRowAndNoOther) {
  for (const UpgradeRow& row : kUpgradeRows)
    EXPECT_EQ(Advance(row.from, row.event), row.to) << Name(row.from) << " " << Name(row.event);
  EXPECT_EQ(All().size(), std::size(kUpgradeRows));
}

// The layout that counts changes with `done` alone, and that only while writes stop.
TEST(UpgradeLaw, OnlyTheEndOfASwitchChangesWhatCounts) {
  for (const UpgradeRow& row : All()) {
    if (row.from == S::kNone || row.to == S::kNone) continue;
    const bool changes = SourceCounts(row.from) != SourceCounts(row.to);
    EXPECT_EQ(changes, row.event == E::kDone) << Name(row.from) << " " << Name(row.event);
    EXPECT_TRUE(!changes || Switches(row.from)) << Name(row.from);
  }
}

// Nobody is stuck: from each state the operator's words alone, and work that succeeds, lead to the end and back.
TEST(UpgradeLaw, FromEachStateThereIsAWayToTheEndAndToTheBeginning) {
  for (int s = 1; s < kUpgradeStates; ++s) {
    std::set<S> reached = {static_cast<S>(s)};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const UpgradeRow& row : All()) {
        if (reached.contains(row.from) && row.from != S::kNone) reached.insert(row.to);
      }
    }
    EXPECT_TRUE(reached.contains(S::kNone) && reached.contains(S::kWaiting)) << Name(static_cast<S>(s));
  }
}

TEST(UpgradeLaw, WordsAreReadBack) {
  for (int s = 0; s < kUpgradeStates; ++s) EXPECT_EQ(ParseUpgradeState(Name(static_cast<S>(s))), static_cast<S>(s));
  EXPECT_FALSE(ParseUpgradeState("DONE"));
}

TEST(UpgradeLaw, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_UPGRADE_LAW_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintUpgradeLaw())
      << "refresh it: build/bin/baton-law upgrade > docs/generated/upgrade-law.md";
}

}  // namespace
}  // namespace baton
