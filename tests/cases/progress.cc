// Done, late, failed.
#include <cmath>

#include "orchestrator/app/apps/lifecycle.h"
#include "tests/cases/kinds.h"
#include "tests/cases/table.h"

namespace baton::cases {
namespace {

struct Status {
  int total = 0, updated = 0, available = 0;
};
Status StatusIn(const Json& given) {
  return {given.at("total").get<int>(), given.at("updated").get<int>(), given.at("available").get<int>()};
}

// Old ones are counted as available before new ones: the new ones have to prove themselves.
void LayStatus(Table& table, const Status& s) {
  const int old = s.total - s.updated;
  const int old_up = std::min(old, s.available);
  const int new_up = std::min(s.updated, s.available - old_up);
  table.Lay({{"v1", old_up, old - old_up}}, {"v2", new_up, s.updated - new_up});
}

// A roll that has been open for so long without a slot being newly proven; its newcomer is being started.
struct Clock {
  explicit Clock(const Json& given) : table({{"desired", 1}, {"max_surge", 1}}) {
    table.Put(0, Presence::kOrdinary, "v1", true);
    ActualLrp& lrp = table.Put(0, Presence::kSurge, "v2", false);
    lrp.roll_id = table.maker().app.roll->id;
    table.strategy().on_failure = OnFailure::kHold;
    table.strategy().start_timeout = std::chrono::hours(1000);
    const Json& deadline = given.at("deadline_s");
    const double s = deadline.is_number() ? deadline.get<double>() : 1e8;  // "inf": three years
    const double since = given.at("since_progress_s").is_number() ? given["since_progress_s"].get<double>() : 0;
    Roll& roll = *table.maker().app.roll;
    table.strategy().progress_deadline = milliseconds(std::llround(s * 1000));
    roll.deadline = table.maker().moment.now + milliseconds(std::llround((s - since) * 1000));
  }
  Table table;
};

}  // namespace

Answer Complete(const Case& one) {
  Table table(one.given);
  LayStatus(table, StatusIn(one.given.at("status")));
  table.Plan();
  return {.ours = {{"complete", table.Completed()}}};
}

// Progress is a slot that is newly proven.
Answer ProgressCase(const Case& one) {
  const Status before = StatusIn(one.given.at("before"));
  const Status after = StatusIn(one.given.at("after"));
  const auto updated = [](const Status& s) {
    Json given = {{"desired", std::max(s.total, 1)}};
    Table table(given);
    const int new_up = std::min(s.updated, s.available);
    const int old_up = s.available - new_up;
    table.Lay({{"v1", old_up, s.total - s.updated - old_up}}, {"v2", new_up, s.updated - new_up});
    return Progress(table.maker().app, table.maker().moment).updated;
  };
  const bool fewer_old = after.total - after.updated < before.total - before.updated;
  return {.ours = {{"progressing", updated(after) > updated(before)}},
          .rule = fewer_old ? "progress_deadline: progress is a slot newly proven; the clock stands for stops" : ""};
}

Answer Deadline(const Case& one) {
  const std::string last = one.given.value("last_reason", "");
  Clock clock(one.given);
  Roll& roll = *clock.table.maker().app.roll;
  if (one.given.value("status", "") == "paused") roll.state = RollState::kPaused;
  if (last.find("imedOut") != std::string::npos || last.find("DeadlineExceeded") != std::string::npos) {
    roll.state = RollState::kHeld;
  }
  if (last.find("Available") != std::string::npos) clock.table.maker().app.roll.reset();  // it is done
  clock.table.Plan();
  return {.ours = {{"timed_out", clock.table.LastState() == RollState::kHeld}}};
}

Answer DeadlineTimer(const Case& one) {
  const Json& given = one.given;
  if (given.value("complete", false) || given.at("since_progress_s").is_null()) {  // no roll is open
    AppMaker idle(1);
    idle.app.desired->healthy = idle.app.desired->active;
    idle.RunAll("v2");
    const auto wake = idle.PlanNow().wake_up_at;
    return {.ours = {{"wake_in_s", wake ? 0 : -1}}};
  }
  Clock clock(given);
  const TimePoint now = clock.table.maker().moment.now;
  clock.table.Plan();
  if (clock.table.LastState() == RollState::kHeld) return {.ours = {{"wake_in_s", 0}}};  // it reacted at once
  const auto wake = clock.table.plan().wake_up_at;
  return {.ours = {{"wake_in_s", wake ? static_cast<int>(Millis(*wake - now) / 1000) : -1}}};
}

// "failed": it goes on no more; "revert": back to the last proven one.
Answer FailReaction(const Case& one) {
  const Json& given = one.given;
  Table table({{"desired", 2}, {"max_surge", 1}});
  AppMaker& maker = table.maker();
  const bool equal = given.value("stable_equals_current", false);
  // What runs with the same content is kept, not restarted: then there is no old one left.
  for (int i = 0; i < 2 && !equal; ++i) table.Put(i, Presence::kOrdinary, "v1", true);
  table.strategy().max_failures = 1;  // nobody else tries again by himself
  table.strategy().on_failure = given.value("auto_revert", false) ? OnFailure::kRollback : OnFailure::kHold;
  Roll& roll = *maker.app.roll;
  roll.proved_at.reset();
  if (!given.value("stable_version", given.value("is_revert", false))) {
    maker.app.definitions.at({1, DefinitionId("v1")}).proven_at.reset();
  }
  if (equal) maker.app.definitions.at({1, DefinitionId("v1")}).content_hash = "v2";
  const bool is_revert = given.value("is_revert", false);
  ActualLrp& lrp = table.Put(0, equal ? Presence::kOrdinary : Presence::kSurge, "v2", false);
  lrp.roll_id = roll.id;
  for (int i = 0; i < IntIn(given, "unhealthy", 0); ++i) {
    AppEdit edit(maker.app, maker.moment, "cell");
    (void)DecideCrash(edit, {lrp.id, lrp.instance_guid, lrp.cell_id}, "it crashed");
    (void)edit.Finish();
  }
  if (is_revert) table.strategy().on_failure = OnFailure::kHold;  // a roll back to a proven one that fails in its turn
  table.Plan();
  const RollState state = table.LastState();
  const bool failed = state == RollState::kHeld || state == RollState::kRollingBack || state == RollState::kRolledBack;
  const bool revert = failed && state != RollState::kHeld;
  return {.ours = {{"status", failed ? "failed" : "running"}, {"revert", revert}}};
}

}  // namespace baton::cases
