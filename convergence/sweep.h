// The convergence loop, on a thread of its own. Each pass finds apps that need a decision and that no event has woken,
// judges silent cells, and collects unreferenced rows. It reads and wakes; others write.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "orchestrator/app/leader/leader.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/model/convergence/report.h"
#include "orchestrator/ports/collector.h"
#include "orchestrator/ports/convergence_passes.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/registry.h"
#include "orchestrator/roll/rules/collect.h"

namespace baton {

class Sweep final : public ConvergencePasses {
 public:
  struct Options {
    Duration interval = seconds(5);
    Duration count_every = seconds(30);
    Duration audit_every = std::chrono::minutes(10);
    int history = kHistoryDefault;
    Duration audit_kept = std::chrono::hours(24 * 90);
    LossLimits losses;
  };
  Sweep(Reads& reads, Leader& leader, Registry& registry, Collector& collector, Log& log, Metrics& metrics,
        Options options);

  // Passes run while leading; the first one at once, and it is an audit: everything that is on its way is taken up.
  void Lead();
  void Follow();
  // Ends its thread, after the page of rows that it is at.
  void Stop() { ticker_.Stop(); }

  // From any thread. A pass begins at once, or when the one that runs is over.
  void RunSoon() { ticker_.Wake(); }
  // An audit; `done` gets its report, on the sweep's thread, or at once where this process does not lead. UNAVAILABLE:
  // it failed, or was broken off as this process leads no more.
  void RunNow(Answer done) override;
  SweepReport report() const override;

 private:
  using Steady = std::chrono::steady_clock;
  Ticker::Wait Tick();
  PassKind NextKind(Steady::time_point now);
  // The reign that the pass is of: what is left of it is the next leader's.
  bool Over() const;
  std::set<ProcessGuid> OpenRolls();
  void Pass(PassKind kind);
  // Runs on a reading thread, and waits for it.
  Status Read(const std::function<Status(Reader&)>& body);
  void Wake(const SweepView& view, const std::vector<Finding>& findings, bool all);
  void Judge(const SweepView& view);
  void Audit(std::vector<Finding>& findings);
  void AuditCells(std::set<ProcessGuid> unread, std::vector<Finding>& findings);
  // Those of them that rows, which are read for it, and cells have otherwise. `ask`: these cells are asked what they
  // have.
  Result<CellAudit::Rows> Differing(const CellAudit::Rows& suspects, bool ask);
  void FindUnservedRoutes(std::vector<Finding>& findings);
  void Collect(PassKind kind, std::vector<Finding>& findings);
  // Whether nothing of that is left.
  bool DeleteOld();
  bool Delete(const std::vector<Collector::Unneeded>& unneeded);
  void Publish(PassKind kind, TimePoint now, const std::vector<Finding>& findings, double took_ms);
  void Failed(const Status& status);

  Reads& reads_;
  Leader& leader_;
  Registry& registry_;
  Collector& collector_;
  Log& log_;
  Metrics& metrics_;
  const Options options_;
  bool first_ = true;     // of this reign
  bool counted_ = false;  // gauges tell of it
  Steady::time_point next_count_{};
  Steady::time_point next_audit_{};
  Steady::time_point next_collect_{};
  Steady::time_point next_tidying_{};

  std::map<std::pair<ProcessGuid, Route>, Steady::time_point> unserved_;  // at the last look, and since which one
  std::set<std::pair<ProcessGuid, Route>> told_;      // of them, those that were logged

  mutable std::mutex mutex_;
  bool leading_ = false;
  bool anew_ = false;
  std::vector<Answer> asked_;
  SweepReport report_;
  Ticker ticker_;
};

}  // namespace baton
