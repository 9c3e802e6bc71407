// Whatever an operator says, in whatever order, while pages are worked on and others write: the record goes by the law,
// everything else agrees with it, and no app is lost. A seed replays it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tests/upgrade/writing_process.h"

namespace baton::testing {
namespace {

constexpr int kWordsSaid = 60;

// Where a step may come to: what is ready is switched within it, or given up.
std::set<UpgradeState> ByAStep(UpgradeState from) {
  std::set<UpgradeState> reached = {from};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const UpgradeState state : std::set<UpgradeState>(reached)) {
      for (const UpgradeEvent event : {UpgradeEvent::kAllReady, UpgradeEvent::kGiveUp, UpgradeEvent::kDone}) {
        if (const auto next = Advance(state, event)) reached.insert(*next);
      }
    }
  }
  return reached;
}

class Words {
 public:
  explicit Words(std::uint64_t seed) : random_(seed) {
    MakeWaiting(url_);
    EXPECT_TRUE(Elect().ok());
  }

  void Say() {
    const UpgradeState before = State();
    const int instances = 20 + Upto(50);
    PgUpgrade& upgrade = process_->leads.upgrade();
    const auto by_word = [&](const char* word, UpgradeEvent event, const Status& said) {
      const UpgradeState after = State();
      const auto next = Advance(before, event);
      EXPECT_TRUE(after == before || (said.ok() && next && after == *next))
          << word << " leads from " << Name(before) << " to " << Name(after);
      if (after != before) met.insert(after);
    };
    switch (Upto(10)) {
      case 0: {
        const UpgradeWish wish{.shards = Upto(4), .keep_old = Upto(4) > 0};
        return by_word("begin", UpgradeEvent::kBegin, upgrade.Begin(wish));
      }
      case 1: return by_word("rollback", UpgradeEvent::kRollBack, upgrade.RollBack());
      case 2:  // the end of it all: not too soon
        if (Upto(4) > 0) return;
        return by_word("finish", UpgradeEvent::kFinish, upgrade.Finish());
      case 3: return Write();
      case 4:
        if (State() != UpgradeState::kNone && SomebodyScales(url_, "app-4", instances)) scaled_ = instances;
        return;
      case 5: EXPECT_TRUE(Elect().ok()); return;
      default: {
        (void)upgrade.Step(6 + Upto(18));
        const UpgradeState after = State();
        EXPECT_TRUE(ByAStep(before).contains(after)) << "a step leads from " << Name(before) << " to " << Name(after);
        met.insert(after);
      }
    }
  }

  void Agrees() {
    const UpgradeState state = State();
    ASSERT_EQ(Wrong(url_), "");
    const auto mode = process_->leads.mode();
    ASSERT_EQ(Name(mode->state), Name(state));
    ASSERT_EQ(mode->one_definition, SourceCounts(state));
    if (state != UpgradeState::kNone) {
      ASSERT_EQ(Psql(url_, "SELECT own FROM legacy.tracking"), Syncs(state) ? "t\n" : "f\n") << Name(state);
    }
    ASSERT_EQ(Psql(url_, "SELECT count(*), max(modification_tag_index) FILTER (WHERE process_guid = 'app-0') FROM desired_lrps"),
              "6|" + std::to_string(acknowledged_) + "\n")
        << "an app, or a write, is lost";
    // What others have written is theirs until the next look at it.
    if (scaled_ && !SourceCounts(state)) {
      ASSERT_EQ(Psql(url_, "SELECT instances FROM desired_lrps WHERE process_guid = 'app-4'"), std::to_string(*scaled_) + "\n");
    }
  }

  std::set<UpgradeState> met;

 private:
  int Upto(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  UpgradeState State() {
    const auto view = process_->leads.upgrade().Look();
    EXPECT_TRUE(view.ok()) << view.error().message;
    return view ? view->state : UpgradeState::kNone;
  }
  Status Elect() {
    process_.reset();
    process_ = std::make_unique<WritingProcess>(url_);
    return process_->Lead();
  }
  void Write() {
    const Status written = process_->Annotate(ProcessGuid("app-0"), "annotation " + std::to_string(acknowledged_));
    EXPECT_TRUE(written.ok()) << written.error().message;
    ++acknowledged_;
  }

  std::mt19937_64 random_;
  const std::string url_ = FreshDatabase();
  std::unique_ptr<WritingProcess> process_;
  int acknowledged_ = 0;  // as app-0's tag, which begins with 0
  std::optional<int> scaled_;
};

TEST(UpgradeWords, NoOrderOfThemLeadsAwayFromTheLaw) {
  const char* const seed = std::getenv("SIM_SEED");
  const bool all = std::getenv("BATON_EACH_STATEMENT") != nullptr;
  const std::uint64_t first = seed ? std::stoull(seed) : 1;
  std::set<UpgradeState> met;
  for (std::uint64_t at = first; at < first + (seed ? 1 : all ? 100 : 4) && !::testing::Test::HasFailure(); ++at) {
    SCOPED_TRACE("SIM_SEED=" + std::to_string(at));
    Words words(at);
    for (int said = 0; said < kWordsSaid && !::testing::Test::HasFailure(); ++said) {
      words.Say();
      words.Agrees();
    }
    met.merge(words.met);
  }
  EXPECT_GE(met.size(), seed ? 1u : 5u) << "NONE, WAITING, SYNCING, SWITCHED, SYNCING_BACK";
}

}  // namespace
}  // namespace baton::testing
