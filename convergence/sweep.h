// The sweeping loop: looks again at everything that somebody has to drive, whoever forgot it, and collects what nothing
// needs. On a thread of its own; it only reads, wakes and asks the collector.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "convergence/collect.h"
#include "orchestrator/app/roller.h"
#include "orchestrator/ports/collector.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/reader.h"

namespace baton {

class Sweep {
 public:
  struct Options {
    Duration interval = seconds(5);
    int history = kHistoryDefault;
  };
  Sweep(Reads& reads, Roller& roller, Collector& collector, Log& log, Metrics& metrics, Options options);
  ~Sweep();

  // Passes run while leading; the first one at once.
  void Lead();
  void Follow();
  // Ends its thread, after the pass that is under way.
  void Stop();

 private:
  void Run();
  void Pass();
  void WakeUnsettled(Reader& reader);
  void Collect(Reader& reader);

  Reads& reads_;
  Roller& roller_;
  Collector& collector_;
  Log& log_;
  Metrics& metrics_;
  Options options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool leading_ = false;
  bool now_ = false;
  bool stopping_ = false;
  int passes_ = 0;
  std::thread thread_;
};

}  // namespace baton
