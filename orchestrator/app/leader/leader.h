// Everything that a leading batond does, put together: it loads what it keeps in memory, then takes calls, drives apps,
// cells and routers, until it is deposed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "orchestrator/app/apps/host_owners.h"
#include "orchestrator/app/cells/cells.h"
#include "orchestrator/app/leader/loop.h"
#include "orchestrator/app/leader/roll_traces.h"
#include "orchestrator/app/leader/roller.h"
#include "orchestrator/app/leader/routed_copy.h"
#include "orchestrator/app/leader/verdicts.h"
#include "orchestrator/app/routers/routes.h"

namespace baton {

class Leader final : public CommitListener {
 public:
  struct Timing {
    Cells::Timing cells;
    RouteBook::Timing routes;
  };
  // `auctioneer` null: batond places instances by itself.
  Leader(Store& store, Reads& reads, RoutedCopy::MakeApps make_apps, Registry& registry, VerdictClient& verdict_client,
         Auctioneer* auctioneer, Log& log, Metrics& metrics, Timing timing);
  ~Leader() override;

  // From the election's thread. Another one leads: what this one would have to know is read already, if it may lead. Again does
  // nothing.
  void StandBy(bool may_lead);
  // `keep_copy`: what was read while it stood by may be completed. `ready` is called when what has to be known is loaded: from
  // then on calls may be taken.
  void Lead(std::int64_t epoch, StoreIdentity store, bool keep_copy, std::function<void()> ready);
  void Follow();
  // Nothing runs any more afterwards. Once is enough.
  void Stop();

  // From any thread: what an operator decides of a domain (Registry::SetEgress). It holds here when `done` is called, on the
  // loop.
  void SetEgress(const std::string& domain, std::optional<UnenforcedEgress> unenforced, const AuditEntry& audited,
                 Registry::EgressAnswer done);
  // From any thread: what holds. `done` is called on the loop.
  void Egress(std::function<void(const EgressPolicy&)> done);

  void OnCommitted(const Committed& committed) override;
  // Told of every commit at once, on a thread of the store: brief. Before the first call.
  void OnEvents(std::function<void()> told) { on_events_ = std::move(told); }
  // Told of every commit, on the loop: the app's guid. For watchers.
  void SetWatcher(std::function<void(const ProcessGuid&)> watcher) { watcher_ = std::move(watcher); }

  Loop& loop() { return loop_; }
  Roller& roller() { return roller_; }
  Cells& cells() { return cells_; }
  RouteBook& routes() { return routes_; }
  HostOwners& hosts() { return hosts_; }

 private:
  void Begin(std::int64_t epoch, const std::function<void()>& ready);
  void LoadEgress(int life, std::function<void()> loaded);

  Registry& registry_;
  Log& log_;
  Metrics& metrics_;
  Timing timing_;
  Loop loop_;
  Roller roller_;
  Cells cells_;
  RouteBook routes_;
  HostOwners hosts_;
  RollTraces traces_;
  Verdicts verdicts_;
  int life_ = 0;
  std::atomic<bool> leads_{false};
  StoreIdentity store_;
  std::function<void(const ProcessGuid&)> watcher_;
  std::function<void()> on_events_;
  RoutedCopy copy_;  // the last: its thread uses the others
};

}  // namespace baton
