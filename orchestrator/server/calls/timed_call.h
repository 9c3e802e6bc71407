// How long a call takes and whether it fails, by its name: baton_call_seconds and baton_call_errors_total.
#pragma once

#include <chrono>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class TimedCall {
 public:
  // `name`: "update_desired_lrp"; it begins now.
  TimedCall(Metrics& metrics, const char* name) : metrics_(&metrics), name_(name) {}

  // Once, with its answer. Gives the seconds that it took.
  double End(const Status& status) const {
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    metrics_->Observe("baton_call_seconds", took, name_);
    if (!status) metrics_->Count("baton_call_errors_total", name_);
    return took;
  }

 private:
  Metrics* metrics_;
  const char* name_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace baton
