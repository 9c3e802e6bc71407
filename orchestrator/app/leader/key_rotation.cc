#include "orchestrator/app/leader/key_rotation.h"

#include <algorithm>
#include <map>
#include <utility>

namespace baton {
namespace {

constexpr auto kTellInterval = std::chrono::seconds(10);

}  // namespace

KeyRotation::KeyRotation(KeyStore& store, Log& log, Metrics& metrics, Options options)
    : store_(store), log_(log), metrics_(metrics), options_(options),
      loop_([this](const std::vector<Asked>& asked, bool at_once) { return Turn(asked, at_once); }) {}

Ticker::Wait KeyRotation::Turn(const std::vector<Asked>& asked, bool at_once) {
  AnswerTo(asked);
  if (at_once || Steady::now() >= due_) Work();
  return due_ - Steady::now();
}

// All who came meanwhile are answered by one reading of the key file, which costs a tenth of a second, and one look each.
void KeyRotation::AnswerTo(const std::vector<Asked>& asked) {
  const Status begun = std::ranges::any_of(asked, &Asked::rotate) ? Begin() : Status(Done{});
  std::map<bool, Result<KeysView>> views;  // with counts, and without
  for (const Asked& one : asked) {
    if (one.rotate && !begun) {
      one.answer(begun.error());
      continue;
    }
    auto view = views.find(one.count);
    if (view == views.end()) view = views.emplace(one.count, store_.Look(one.count)).first;
    one.answer(view->second ? Result<Report>(Report{*view->second, rows_per_s_, last_error_})
                            : Result<Report>(view->second.error()));
  }
}

Status KeyRotation::Begin() {
  Status begun = store_.Reload();
  if (begun && state_ == RotationState::kStuck) begun = store_.BeginAgain();
  if (!begun) {
    log_.Warn("keys_not_read", {{"error", begun.error().message}});
    return begun;
  }
  due_ = {};
  since_rows_ = -1;
  return begun;
}

void KeyRotation::Work() {
  const auto began = Steady::now();
  if (const Status enough = store_.Replenish(); !enough) return Failed(enough.error());
  if (state_ == RotationState::kStuck && began >= again_) {
    if (const Status begun = store_.BeginAgain(); !begun) return Failed(begun.error());
  }
  const auto progress = store_.Step(options_.page_rows);
  if (!progress) return Failed(progress.error());
  last_error_.clear();
  Note(*progress);
  const auto now = Steady::now();
  if (progress->state == RotationState::kWorking) {
    due_ = now + std::chrono::duration_cast<Steady::duration>((now - began) * ((1 - options_.share) / options_.share));
  } else {
    due_ = now + options_.look;
  }
}

void KeyRotation::Note(const RotationProgress& progress) {
  const auto now = Steady::now();
  const bool changed = progress.state != std::exchange(state_, progress.state);
  if (progress.state == RotationState::kWorking) {
    if (since_rows_ < 0 || progress.rows_done < since_rows_) since_rows_ = progress.rows_done, since_ = now;
    const double took = std::chrono::duration<double>(now - since_).count();
    if (took > 0) rows_per_s_ = static_cast<double>(progress.rows_done - since_rows_) / took;
  } else {
    since_rows_ = -1;
  }
  if (progress.state == RotationState::kStuck && changed) again_ = now + options_.again;
  const std::int64_t left = progress.state == RotationState::kDone ? 0 : progress.rows_total - progress.rows_done;
  metrics_.Set("baton_key_rotation_rows_left", static_cast<double>(left));
  metrics_.Set("baton_key_rotation_unfinished", progress.state == RotationState::kDone ? 0 : 1);
  metrics_.Set("baton_blobs_quarantined", progress.state == RotationState::kDone ? 0 : static_cast<double>(progress.faults));
  const bool tell = changed || (progress.state == RotationState::kWorking && now >= told_ + kTellInterval);
  if (progress.state == RotationState::kDone || !tell) return;
  told_ = now;
  log_.Write(progress.state == RotationState::kStuck ? LogLevel::kError : LogLevel::kInfo, "key_rotation",
             {{"state", progress.state == RotationState::kStuck ? "stuck" : "working"},
              {"target", progress.target.empty() ? "plain" : progress.target},
              {"rows_done", progress.rows_done},
              {"rows_left", left},
              {"faults", progress.faults},
              {"rows_per_s", rows_per_s_}});
}

void KeyRotation::Failed(const Error& error) {
  if (error.message != last_error_) log_.Warn("key_rotation_failed", {{"error", error.message}});
  last_error_ = error.message;
  due_ = Steady::now() + options_.look;
}

}  // namespace baton
