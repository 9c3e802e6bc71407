// How much one caller may have under way: each by its certificate, so that one that asks for too much takes nothing from the others. With
// TLS only: without, everybody is the same caller, and the limits of all of them hold.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class IdentityLimits {
 public:
  struct Most {
    int lists = 4;
    int plans = 1;              // and as many forecasts of open rolls
    int streams = 200;          // calls that last: subscriptions, watches, waits, and the streams of cells and routers
    int writes_a_second = 500;  // in the long run
    int writes_at_once = 2000;
  };
  enum class Kind { kLists, kPlans, kForecasts, kStreams };
  using Steady = std::chrono::steady_clock;
  using Slot = std::shared_ptr<void>;  // one place, until it goes

  IdentityLimits(const Most& most, Metrics& metrics) : most_(most), metrics_(metrics) {}

  // RESOURCE_EXHAUSTED with the option that says how many. `who` empty: the call is not counted.
  Result<Slot> Take(Kind kind, const std::string& who);
  Status TakeWrite(const std::string& who, Steady::time_point now);

 private:
  struct Bucket {
    double writes = 0;
    Steady::time_point at;
  };
  int MostOf(Kind kind) const;
  void Fill(Bucket& bucket, Steady::time_point now) const;

  const Most most_;
  Metrics& metrics_;
  std::mutex mutex_;
  std::map<std::pair<Kind, std::string>, int> taken_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace baton
