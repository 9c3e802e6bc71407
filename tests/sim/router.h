// A simulated route consumer: learns the endpoints late, says so, and reports what has drained.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "orchestrator/model/app_state.h"
#include "tests/sim/leadership.h"
#include "tests/sim/world.h"

namespace baton::sim {

class Router {
 public:
  // Of a name that was always there; of a new one; of one that never says a word, and serves nobody.
  enum class Comes { kKnown, kLate, kMute };
  Router(World& world, std::string id, Comes comes = Comes::kKnown);

  // An app's rows changed: it will know after its lag.
  void Follow(const AppState& app);
  // A new leader: everything of its apps is told again.
  void Reconnect(const Leadership& leadership);
  // It neither hears nor says anything for so long, and sends on to what it knows; its lease runs on.
  void FallSilent(Duration duration);
  // It has had an endpoint for this start of the instance at some time: an acknowledgement of it is true.
  bool HasServed(const ActualId& id, const InstanceGuid& instance) const { return served_.contains({id, instance}); }
  const ConsumerId& id() const { return id_; }
  // An instance is being stopped: it must not be in use here any more, unless the drain timed out.
  void CheckStopped(const ActualId& id);

 private:
  void Apply(const ProcessGuid& guid, const std::map<ActualId, InstanceGuid>& serving,
             const std::map<ActualId, InstanceGuid>& draining);

  void AskAgainIfLost(Leadership& leadership, const Status& status);

  World& world_;
  ConsumerId id_;
  Comes comes_;
  std::map<ProcessGuid, std::map<ActualId, InstanceGuid>> serving_;
  std::set<std::pair<ActualId, InstanceGuid>> served_;
  std::map<ProcessGuid, std::set<std::pair<ActualId, InstanceGuid>>> acknowledged_;  // on this stream
  std::set<int> reconnecting_;                                                       // to the leaders of these ranges
  bool silent_ = false;
  std::map<ProcessGuid, int> sent_;
  std::map<ProcessGuid, int> applied_;
};

}  // namespace baton::sim
