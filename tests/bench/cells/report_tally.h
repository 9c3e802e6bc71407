// What became of the reports of some cells, and how long each took from its sending to its answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "baton/v2/cells_service.pb.h"

namespace baton::bench {

class ReportTally {
 public:
  using Clock = std::chrono::steady_clock;

  void Sent(const std::string& cell, std::uint64_t report_id) { sent_[{cell, report_id}] = Clock::now(); }
  void Answered(const std::string& cell, const v2::CellReportResult& result);
  // An answer has said that an instance runs.
  void Running() { ++running_; }

  std::int64_t running() const { return running_; }
  // Its "p50 MS p99 MS answers N refused N again N unknown N": of all since it was made.
  std::string Text() const;

 private:
  std::map<std::pair<std::string, std::uint64_t>, Clock::time_point> sent_;  // not answered yet
  std::vector<double> took_;                                                 // milliseconds
  std::int64_t running_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t again_ = 0;    // to be reported again
  std::int64_t unknown_ = 0;  // answers to what was not reported, or was answered already
};

}  // namespace baton::bench
