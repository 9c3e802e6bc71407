#include "orchestrator/app/key_rotation.h"

#include <utility>

namespace baton {
namespace {

constexpr auto kTellEvery = std::chrono::seconds(10);

Error NotLeading() { return {ErrorKind::kUnavailable, "this batond does not lead at the moment", seconds(1)}; }

}  // namespace

KeyRotation::KeyRotation(KeyStore& store, Log& log, Metrics& metrics, Options options)
    : store_(store), log_(log), metrics_(metrics), options_(options), thread_([this] { Run(); }) {}

KeyRotation::~KeyRotation() { Stop(); }

void KeyRotation::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void KeyRotation::Lead() {
  const std::lock_guard lock(mutex_);
  leading_ = now_ = true;
  wake_.notify_all();
}

void KeyRotation::Follow() {
  const std::lock_guard lock(mutex_);
  leading_ = false;
}

void KeyRotation::Wake() {
  const std::lock_guard lock(mutex_);
  now_ = true;
  wake_.notify_all();
}

void KeyRotation::Look(bool count, Answer answer) { Ask({.count = count, .answer = std::move(answer)}); }

void KeyRotation::Rotate(Answer answer) { Ask({.rotate = true, .answer = std::move(answer)}); }

void KeyRotation::Ask(Asked asked) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      asked_.push_back(std::move(asked));
      return wake_.notify_all();
    }
  }
  asked.answer(NotLeading());
}

void KeyRotation::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_until(lock, leading_ ? due_ : Steady::now() + options_.look,
                     [this] { return stopping_ || now_ || !asked_.empty(); });
    const auto asked = std::exchange(asked_, {});
    const bool leading = leading_ && !stopping_;
    const bool now = std::exchange(now_, false);
    lock.unlock();
    for (const Asked& one : asked) leading ? AnswerTo(one) : one.answer(NotLeading());
    if (leading && (now || Steady::now() >= due_)) Work();
    lock.lock();
  }
  for (const Asked& one : std::exchange(asked_, {})) one.answer(NotLeading());
}

void KeyRotation::AnswerTo(const Asked& asked) {
  if (asked.rotate) {
    Status begun = store_.Reload();
    if (begun && state_ == RotationState::kStuck) begun = store_.BeginAgain();
    if (!begun) {
      log_.Warn("keys_not_read", {{"error", begun.error().message}});
      return asked.answer(begun.error());
    }
    due_ = {};
    since_rows_ = -1;
  }
  const auto view = store_.Look(asked.count);
  asked.answer(view ? Result<Report>(Report{*view, rows_per_s_, last_error_}) : Result<Report>(view.error()));
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
  const bool tell = changed || (progress.state == RotationState::kWorking && now >= told_ + kTellEvery);
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
