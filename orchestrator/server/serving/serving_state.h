// Where this process is (serving_law.h), for all its threads: told what happens, it says what is taken, and what callers
// are told meanwhile.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/lease.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/server/serving/serving_law.h"

namespace baton {

class ServingState {
 public:
  ServingState(Log& log, Metrics& metrics);

  // Whether it changed anything. `why`: for the log and for callers; replaces what was said before.
  bool Tell(ServingEvent event, const std::string& why = {});
  // What it is busy with, for callers: progress.
  void Say(const std::string& what);
  // Called after each change, on the thread that told. Before the first event.
  void OnChange(std::function<void(Serving)> changed) { changed_ = std::move(changed); }

  Serving state() const;
  std::string text() const;
  // Nothing is wrong where calls are taken; else UNAVAILABLE with what it is about, and when to ask again.
  Status Check(const std::optional<LeaseView>& leader) const;

 private:

  Log& log_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  Serving state_ = Serving::kElecting;
  std::string text_;
  std::function<void(Serving)> changed_;
};

}  // namespace baton
