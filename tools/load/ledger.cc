#include "tools/load/ledger.h"

#include <algorithm>

#include "tools/load/serving.h"

namespace baton::load {
namespace {

constexpr std::size_t kFirstFailures = 20;

std::size_t At(RequestKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

void Ledger::Sent() {
  const std::lock_guard lock(mutex_);
  ++counts_.requests;
}

void Ledger::Answered(const AnswerRecord& answer) {
  const std::lock_guard lock(mutex_);
  AnswerRecord& kept = answers_.emplace_back(answer);
  kept.version = Keep(answer.version);
  kept.instance = Keep(answer.instance);
  ++counts_.answered;
  ++counts_.by_kind[At(answer.kind)].answered;
  ++counts_.answered_by_version[std::string(answer.version)];
  latencies_[At(answer.kind)].Add(answer.latency_ms);
  gap_.Answer(answer.at_ms);
}

void Ledger::Failed(FailureRecord failure) {
  const std::lock_guard lock(mutex_);
  ++counts_.failed;
  ++counts_.by_kind[At(failure.kind)].failed;
  failure_times_.push_back(failure.at_ms);
  if (counts_.first_failures.size() < kFirstFailures) counts_.first_failures.push_back(std::move(failure));
}

void Ledger::Reconnected() {
  const std::lock_guard lock(mutex_);
  ++counts_.reconnects;
}

void Ledger::Close(std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  gap_.Close(now_ms);
}

LoadSnapshot Ledger::Snapshot(std::int64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  LoadSnapshot snapshot = counts_;
  snapshot.longest_gap_ms = gap_.LongestMs(now_ms);
  Latencies fast = latencies_[At(RequestKind::kNew)];
  fast.Add(latencies_[At(RequestKind::kKept)]);
  snapshot.p50_ms = fast.PercentileMs(0.5);
  snapshot.p99_ms = fast.PercentileMs(0.99);
  for (std::size_t kind = 0; kind < kRequestKinds; ++kind) {
    snapshot.by_kind[kind].p50_ms = latencies_[kind].PercentileMs(0.5);
    snapshot.by_kind[kind].p99_ms = latencies_[kind].PercentileMs(0.99);
  }
  return snapshot;
}

std::optional<int> Ledger::MinServing(std::int64_t from_ms, std::int64_t to_ms) const {
  std::vector<SlotAnswer> fast;
  {
    const std::lock_guard lock(mutex_);
    const auto before = [](const AnswerRecord& answer, std::int64_t at_ms) { return answer.at_ms < at_ms; };
    auto answer = std::lower_bound(answers_.begin(), answers_.end(), from_ms, before);
    for (; answer != answers_.end() && answer->at_ms < to_ms; ++answer) {
      if (!IsSlow(answer->kind)) fast.push_back({.at_ms = answer->at_ms, .index = answer->index});
    }
  }
  return baton::load::MinServing(fast, from_ms, to_ms);
}

std::vector<AnswerRecord> Ledger::Answers() const {
  const std::lock_guard lock(mutex_);
  return answers_;
}

std::vector<std::int64_t> Ledger::FailureTimes() const {
  const std::lock_guard lock(mutex_);
  return failure_times_;
}

}  // namespace baton::load
