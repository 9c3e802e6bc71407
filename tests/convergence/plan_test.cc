// What a pass finds: one case a category, and that what is as it should be is none.
#include "convergence/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "orchestrator/model/convergence/report.h"

namespace baton {
namespace {

const TimePoint kPlanNow(std::chrono::hours(1000));
const ProcessGuid kApp("app");

InstanceSight Sight(Presence presence, LrpState state, Duration age = seconds(0)) {
  InstanceSight one;
  one.guid = kApp;
  one.domain = "cf";
  one.presence = presence;
  one.state = state;
  one.since = kPlanNow - age;
  one.desired = one.present = true;
  if (state == LrpState::kClaimed || state == LrpState::kRunning) one.cell = CellId("here");
  return one;
}

SweepView View(std::vector<InstanceSight> instances = {}) {
  SweepView view;
  view.kind = PassKind::kAudit;
  view.now = kPlanNow;
  view.instances = std::move(instances);
  CellRecord here, lost;
  here.id = CellId("here");
  here.lease_expires_at = kPlanNow + seconds(5);
  lost.id = CellId("lost");
  lost.missing_since = lost.lease_expires_at = kPlanNow - seconds(5);
  view.cells = {here, lost};
  return view;
}

std::vector<std::string> Found(const SweepView& view, const std::set<ProcessGuid>& driven = {}) {
  std::vector<std::string> names;
  for (const Finding& finding : FindOut(view, driven)) {
    names.push_back(std::string(InfoOf(finding.category).name) + (finding.app.empty() ? "" : " " + finding.app.str()));
  }
  return names;
}

struct Case {
  std::string what;
  SweepView view;
  std::vector<std::string> found;
};

SweepView With(const std::function<void(SweepView&)>& change) {
  SweepView view = View();
  change(view);
  return view;
}
InstanceSight But(InstanceSight one, const std::function<void(InstanceSight&)>& change) {
  change(one);
  return one;
}

std::vector<Case> InstanceCases() {
  using P = Presence;
  using S = LrpState;
  const auto at = [](const char* cell) { return [=](InstanceSight& one) { one.cell = CellId(cell); }; };
  return {
      {"nothing", View(), {}},
      {"placed a moment ago", View({Sight(P::kOrdinary, S::kUnclaimed, seconds(29))}), {}},
      {"placed by nobody", View({Sight(P::kOrdinary, S::kUnclaimed, seconds(30))}), {"stale_unclaimed app"}},
      {"starts", View({Sight(P::kSurge, S::kClaimed, seconds(10))}), {}},
      {"claimed for ever", View({Sight(P::kSurge, S::kClaimed, seconds(60))}), {"stale_claimed app"}},
      {"crashed twice",
       View({But(Sight(P::kOrdinary, S::kCrashed), [](auto& o) { o.crash_count = 2; })}),
       {"restartable_crashed app"}},
      {"backs off", View({But(Sight(P::kOrdinary, S::kCrashed, seconds(59)), [](auto& o) { o.crash_count = 4; })}), {}},
      {"has backed off",
       View({But(Sight(P::kOrdinary, S::kCrashed, seconds(60)), [](auto& o) { o.crash_count = 4; })}),
       {"restartable_crashed app"}},
      {"given up",
       View({But(Sight(P::kOrdinary, S::kCrashed, seconds(9999)), [](auto& o) { o.crash_count = 200; })}),
       {"given_up"}},
      {"on a missing cell", View({But(Sight(P::kOrdinary, S::kRunning), at("lost"))}), {"missing_cell app"}},
      {"on a cell that nobody knows",
       View({But(Sight(P::kOrdinary, S::kRunning), at("unknown"))}),
       {"missing_cell app"}},
      {"its cell is away", View({But(Sight(P::kSuspect, S::kRunning), at("lost"))}), {}},
      {"its cell is away, and it is replaced",
       View({But(Sight(P::kSuspect, S::kRunning), at("lost")), Sight(P::kOrdinary, S::kRunning)}),
       {"extra_suspect app"}},
      {"its cell is back", View({Sight(P::kSuspect, S::kRunning)}), {"cell_back app"}},
      {"serves on", View({Sight(P::kEvacuating, S::kRunning), Sight(P::kOrdinary, S::kClaimed)}), {}},
      {"serves on beside its replacement",
       View({Sight(P::kEvacuating, S::kRunning), Sight(P::kOrdinary, S::kRunning)}),
       {"evacuated_enough app"}},
      {"drains", View({But(Sight(P::kRetiring, S::kRunning), [](auto& o) { o.drain_until = kPlanNow; })}), {}},
      {"drained long ago",
       View({But(Sight(P::kRetiring, S::kRunning), [](auto& o) { o.drain_until = kPlanNow - kStuckRetiring; })}),
       {"stuck_retiring app"}},
      {"stops",
       View({But(Sight(P::kRetiring, S::kRunning), [](auto& o) { o.stop_ordered_at = kPlanNow - seconds(59); })}),
       {}},
      {"does not stop",
       View({But(Sight(P::kRetiring, S::kRunning), [](auto& o) { o.stop_ordered_at = kPlanNow - seconds(60); })}),
       {"overdue_stop app"}},
      {"of an older incarnation",
       View({But(Sight(P::kOrdinary, S::kRunning), [](auto& o) { o.present = false; })}),
       {"orphaned app"}},
  };
}

std::vector<Case> OtherCases() {
  using P = Presence;
  const InstanceSight orphan =
      But(Sight(P::kOrdinary, LrpState::kRunning), [](auto& one) { one.desired = one.present = false; });
  const auto fresh = [](SweepView& view) { view.domains = {{"cf", kPlanNow + seconds(1)}}; };
  const auto seen = [](SweepView& view, const InstanceSight& one) { view.instances = {one}; };
  return {
      {"nobody's, in a domain that is not fresh", View({orphan}), {"stale_domain_orphan"}},
      {"nobody's, in a fresh one", With([&](auto& v) { seen(v, orphan), fresh(v); }), {"orphaned app"}},
      {"nobody's, in one that is fresh for ever",
       With([&](auto& v) {
         seen(v, orphan), v.domains = {{"cf", std::nullopt}};
       }),
       {"orphaned app"}},
      {"nobody's, and its cell is away",
       With([&](auto& v) { seen(v, But(orphan, [](auto& one) { one.presence = Presence::kSuspect; })), fresh(v); }),
       {"orphaned_suspect app"}},
      {"nobody's, its cell is away, and nobody says that it is not wanted",
       View({But(orphan, [](auto& one) { one.presence = Presence::kSuspect; })}),
       {"stale_domain_orphan"}},
      {"a domain's time is over",
       With([](auto& v) {
         v.domains = {{"cf", kPlanNow}};
       }),
       {"expired_domain"}},
      {"too few",
       With([](auto& v) {
         v.counts = {{kApp, 3, 2, 1}};
       }),
       {"missing_instance app"}},
      {"too many",
       With([](auto& v) {
         v.counts = {{kApp, 3, 4, 3}};
       }),
       {"extra_instance app"}},
      {"too few and too many",
       With([](auto& v) {
         v.counts = {{kApp, 3, 2, 5}};
       }),
       {"extra_instance app", "missing_instance app"}},
      {"a roll that nobody drives",
       With([](auto& v) {
         v.open_rolls = {{kApp, RollState::kPaused, ""}};
       }),
       {"undriven_roll app"}},
      {"a roll that waits for a person, and nobody drives it either",
       With([](auto& v) {
         v.open_rolls = {{kApp, RollState::kHeld, "slot 0 crashed"}};
       }),
       {"undriven_roll app", "held_roll"}},
      {"never proven", With([](auto& v) { v.unproven = {kApp}; }), {"unproven_app app"}},
      {"a router is gone", With([](auto& v) { v.gone_consumers = {ConsumerId("r")}; }), {"gone_consumer"}},
      {"a cell is silent", With([](auto& v) { v.cells[0].lease_expires_at = kPlanNow; }), {"silent_cell"}},
      {"what the database names",
       With([](auto& v) {
         v.faults = {{Category::kBrokenReference, ProcessGuid(), "x names y"}};
       }),
       {"broken_reference"}},
  };
}

// It is logged, and shown to whoever may look: what the app wrote before it died stays where it is sealed.
TEST(Findings, AHeldRollSaysWhatItsCellSaysAndNotWhatItsAppWrote) {
  const auto held = With([](auto& v) { v.open_rolls = {{kApp, RollState::kHeld, "slot 0 failed: exit status 3\nPASSWORD=hunter2"}}; });
  const auto found = FindOut(held, {kApp});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what, "app: slot 0 failed: exit status 3");
}

TEST(Findings, EachCategoryHasItsCase) {
  std::set<std::string> met;
  for (const auto& cases : {InstanceCases(), OtherCases()}) {
    for (const Case& one : cases) {
      const auto found = Found(one.view);
      EXPECT_EQ(found, one.found) << one.what;
      for (const std::string& name : found) met.insert(name.substr(0, name.find(' ')));
    }
  }
  // Found by the sweep itself, or by the database: tests/server/convergence_pgtest.cc, cell_audit_pgtest.cc.
  for (const char* elsewhere :
       {"stale_routes", "cell_out_of_step", "collectable_definition", "unreadable_row", "unserved_route"}) {
    met.insert(elsewhere);
  }
  for (int i = 0; i < kCategories; ++i) {
    EXPECT_TRUE(met.contains(std::string(InfoOf(static_cast<Category>(i)).name)))
        << InfoOf(static_cast<Category>(i)).name << " has no case";
  }
}

TEST(Findings, ARollThatIsDrivenIsNone) {
  EXPECT_TRUE(Found(With([](auto& v) { v.open_rolls = {{kApp, RollState::kRolling, ""}}; }), {kApp}).empty());
}

TEST(Findings, WhatWaitsForRoomIsNotAskedForWithEveryPass) {
  SweepView view = View({Sight(Presence::kOrdinary, LrpState::kUnclaimed, seconds(3600))});
  view.kind = PassKind::kIncremental;
  EXPECT_TRUE(Found(view).empty());
}

TEST(Findings, EachCategoryIsExplainedToOperators) {
  std::ifstream file(BATON_SOURCE_DIR "/docs/reference/convergence.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (int i = 0; i < kCategories; ++i) {
    const CategoryInfo& info = InfoOf(static_cast<Category>(i));
    const std::string begin = "\n| `" + std::string(info.name) + "` | ";
    const std::size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos) << info.name << " is not in docs/reference/convergence.md";
    const std::string row = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
    EXPECT_NE(row.find(info.repaired ? "| by itself" : "| by you"), std::string::npos) << row;
  }
}

TEST(Report, KeepsWhatThePassDidNotLookFor) {
  SweepReport report;
  Note(report, PassKind::kCount, kPlanNow, {{Category::kMissingInstance, kApp, "app: wants 3"}});
  Note(report, PassKind::kIncremental, kPlanNow + seconds(5), {});
  const CategoryReport& missing = report.categories.at(static_cast<std::size_t>(Category::kMissingInstance));
  EXPECT_EQ(missing.found, 1);
  EXPECT_EQ(missing.looked_at, kPlanNow);
  Note(report, PassKind::kCount, kPlanNow + seconds(30), {});
  EXPECT_EQ(missing.found, 0);
  EXPECT_EQ(missing.found_total, 1);
}

}  // namespace
}  // namespace baton
