// A simulated cell: runs instances as orders say, reports what becomes of them, dies, loses its link, comes back.
#pragma once

#include <map>
#include <string>

#include "orchestrator/app/lifecycle.h"
#include "tests/sim/world.h"

namespace baton::sim {

class Cell {
 public:
  Cell(World& world, std::string id);

  const CellId& id() const { return id_; }
  bool Reachable() const { return alive_ && linked_; }
  int Room() const { return capacity_ - static_cast<int>(procs_.size()); }
  void SetCapacity(int capacity) { capacity_ = capacity; }

  // Orders of the leader. Repeating one does no harm.
  void Run(const PlacementRequest& request, std::int64_t epoch);
  void Stop(const StopRequest& request, const ProcessGuid& guid, std::int64_t epoch);
  // The leader came (back): what is here is compared with the rows.
  void Hello();

  void Die();
  void BreakLink();
  void Heal();
  void StartHeartbeats();
  // By an operator: what runs here is to go elsewhere.
  void Drain(bool on);
  bool Drains() const;

  enum class State { kClaiming, kStarting, kRunning, kStopping };
  struct Proc {
    ProcessGuid guid;
    InstanceGuid instance_guid;
    DefinitionId definition;
    int index = 0;
    std::uint32_t port = 0;
    State state = State::kClaiming;
    bool routable = false;
    bool recreate = false;  // its app was RECREATE when it was ordered
  };
  const std::map<ActualId, Proc>& procs() const { return procs_; }

 private:
  InstanceRef Ref(const ActualId& id, const Proc& proc) const { return {id, proc.instance_guid, id_}; }
  using Decide = std::function<Status(AppEdit&)>;
  Decide OfThisStart(const InstanceRef& ref, Decide decide);
  void Heartbeat();
  void ReportClaim(const ActualId& id);
  void Start(const ActualId& id);
  void ReportStarted(const ActualId& id, bool routable);
  void Crash(const ActualId& id, const std::string& reason);
  void ReportGone(const ActualId& id, const Proc& proc, const std::string& crash);
  // Delivers a report when the leader is there; late or twice where the seed says so. `decide` gets its status back.
  void Report(const std::string& name, const ProcessGuid& guid, bool whole, std::function<Status(AppEdit&)> decide,
              std::function<void(const Status&)> answer);
  bool Obeys(std::int64_t epoch);
  bool Has(const ActualId& id, const InstanceGuid& instance) const;
  void Kill(const ActualId& id);

  World& world_;
  CellId id_;
  int capacity_ = 100;
  bool alive_ = true;
  bool linked_ = true;
  int life_ = 0;  // rises when the machine dies: what was scheduled in an older life does not happen
  int starts_ = 0;
  std::int64_t highest_epoch_ = 0;  // orders of a lower one are refused
  TimePoint lease_until_;
  std::map<ActualId, Proc> procs_;
};

}  // namespace baton::sim
