// The outcome of every request. Written by the load's thread, read by any.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/load/gap.h"
#include "tools/load/latencies.h"
#include "tools/load/record.h"
#include "tools/load/snapshot.h"

namespace baton::load {

class Ledger {
 public:
  // A request is due.
  void Sent();
  // The texts of `answer` are copied. Answers come in the order of their times.
  void Answered(const AnswerRecord& answer);
  void Failed(FailureRecord failure);
  void Reconnected();
  // No further request is due.
  void Close(std::int64_t now_ms);

  LoadSnapshot Snapshot(std::int64_t now_ms) const;
  // Over the answers of fast requests; see serving.h.
  std::optional<int> MinServing(std::int64_t from_ms, std::int64_t to_ms) const;
  std::vector<AnswerRecord> Answers() const;
  std::vector<std::int64_t> FailureTimes() const;

 private:
  std::string_view Keep(std::string_view text) { return *texts_.emplace(text).first; }

  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> texts_;
  std::vector<AnswerRecord> answers_;
  std::vector<std::int64_t> failure_times_;
  LoadSnapshot counts_;  // without what is computed from the members below
  std::array<Latencies, kRequestKinds> latencies_;
  Gap gap_;
};

}  // namespace baton::load
