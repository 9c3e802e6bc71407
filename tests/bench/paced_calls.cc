#include "tests/bench/paced_calls.h"

#include <algorithm>

namespace baton::bench {
namespace {

double Ms(PacedCalls::Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

PacedCalls::PacedCalls(std::chrono::microseconds pace, Start start)
    : pace_(pace), start_(std::move(start)), thread_([this] { Run(); }) {}

PacedCalls::~PacedCalls() { Stop(); }

void PacedCalls::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void PacedCalls::Run() {
  std::unique_lock lock(mutex_);
  auto next = Clock::now();
  while (true) {
    if (stopping_ && again_.empty()) {
      if (under_way_ == 0) return;
      changed_.wait(lock);
      continue;
    }
    const bool old = !again_.empty() && (stopping_ || again_.begin()->first <= next);
    const auto due = old ? again_.begin()->first : next;
    if (Clock::now() < due) {
      changed_.wait_until(lock, due);
      continue;
    }
    int number = static_cast<int>(calls_.size());
    if (old) {
      number = again_.extract(again_.begin()).mapped();
    } else {
      calls_.push_back({.due = due, .taken = {}});
      next += pace_;
    }
    ++calls_[static_cast<std::size_t>(number)].asked;
    ++under_way_;
    lock.unlock();
    start_(number, [this, number](auto again) { Answered(number, again); });
    lock.lock();
  }
}

void PacedCalls::Answered(int number, std::optional<std::chrono::milliseconds> again) {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  --under_way_;
  if (again) {
    again_.emplace(now + *again, number);
  } else {
    calls_[static_cast<std::size_t>(number)].taken = now;
  }
  changed_.notify_all();
}

PacedCalls::Figures PacedCalls::Of(Clock::time_point from, Clock::time_point to) {
  Figures figures;
  std::vector<double> took;
  std::vector<Clock::time_point> answers;
  const std::lock_guard lock(mutex_);
  for (const Call& call : calls_) {
    if (call.due < from || call.due >= to || !call.taken) continue;
    ++figures.calls;
    figures.asked_again += call.asked - 1;
    took.push_back(Ms(*call.taken - call.due));
    answers.push_back(*call.taken);
  }
  if (took.empty()) return figures;
  std::ranges::sort(took);
  std::ranges::sort(answers);
  figures.p50_ms = took[took.size() / 2];
  figures.p99_ms = took[took.size() * 99 / 100];
  figures.most_ms = took.back();
  for (std::size_t i = 1; i < answers.size(); ++i) figures.gap_ms = std::max(figures.gap_ms, Ms(answers[i] - answers[i - 1]));
  return figures;
}

}  // namespace baton::bench
