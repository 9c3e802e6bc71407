#include "orchestrator/app/leader/upgrade.h"

#include <algorithm>
#include <utility>

namespace baton {
namespace {

constexpr auto kNoteInterval = milliseconds(500);

}  // namespace

Upgrade::Upgrade(Upgrader& upgrader, Log& log, Metrics& metrics, Options options)
    : upgrader_(upgrader), log_(log), metrics_(metrics), options_(options),
      loop_([this](const std::vector<Asked>& asked, bool at_once) { return Turn(asked, at_once); }) {}

Ticker::Wait Upgrade::Turn(const std::vector<Asked>& asked, bool at_once) {
  if (at_once) due_ = {};
  for (const Asked& one : asked) AnswerTo(one);
  if (Steady::now() >= due_) Work();
  return due_ - Steady::now();
}

void Upgrade::AnswerTo(const Asked& asked) {
  Status done = Done{};
  switch (asked.wish) {
    case Wish::kLook: break;
    case Wish::kBegin: done = upgrader_.Begin(asked.how); break;
    case Wish::kRollBack: done = upgrader_.RollBack(); break;
    case Wish::kFinish: done = upgrader_.Finish(); break;
  }
  if (asked.wish != Wish::kLook) {
    due_ = {};
    last_error_.clear();
  }
  if (!done) return asked.answer(done.error());
  auto view = upgrader_.Look();
  if (view) {
    view->rows_per_s = rows_per_s_;
    view->rows_total = std::max(rows_at_first_, view->rows_left);
    view->last_error = last_error_;
  }
  asked.answer(view);
}

void Upgrade::Work() {
  const auto began = Steady::now();
  const auto more = upgrader_.Step(options_.page_rows);
  const auto now = Steady::now();
  if (!more) {
    if (more.error().message != last_error_) log_.Warn("upgrade_step_failed", {{"error", more.error().message}});
    last_error_ = more.error().message;
    due_ = now + options_.look;
    return Note();
  }
  last_error_.clear();
  due_ = *more ? now + std::chrono::duration_cast<Steady::duration>((now - began) * ((1 - options_.share) / options_.share))
               : now + options_.look;
  if (!*more || now >= noted_ + kNoteInterval) Note();
}

void Upgrade::Note() {
  const auto view = upgrader_.Look();
  if (!view) return;
  const auto now = noted_ = Steady::now();
  if (std::exchange(state_, view->state) != view->state || view->rows_left > rows_left_) {
    rows_at_first_ = view->rows_left;
    since_ = now;
  }
  rows_left_ = view->rows_left;
  const double took = std::chrono::duration<double>(now - since_).count();
  if (took > 0 && rows_left_ > 0) rows_per_s_ = static_cast<double>(rows_at_first_ - rows_left_) / took;
  const auto pending = std::ranges::count_if(view->shards, [](const UpgradeShard& shard) { return !shard.ready; });
  for (int i = 0; i < kUpgradeStates; ++i) {
    const auto state = static_cast<UpgradeState>(i);
    metrics_.Set("baton_upgrade_state", state == view->state ? 1 : 0, std::string(Name(state)));
  }
  metrics_.Set("baton_upgrade_shards_pending", static_cast<double>(pending), {});
  metrics_.Set("baton_upgrade_rows_left", static_cast<double>(view->rows_left), {});
  metrics_.Set("baton_upgrade_write_stop_seconds", static_cast<double>(view->write_stop_ms) / 1000, {});
}

}  // namespace baton
