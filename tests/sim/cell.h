// A simulated cell: runs instances as orders say, reports what becomes of them, dies, loses its link, comes back.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/app/apps/lifecycle.h"
#include "tests/sim/leadership.h"
#include "tests/sim/world.h"

namespace baton::sim {

class Cell {
 public:
  Cell(World& world, std::string id);

  const CellId& id() const { return id_; }
  bool Reachable() const { return alive_ && linked_; }
  // There is a stream of its own to the leader of each range of apps.
  bool Reaches(const Leadership& leadership) const { return Reachable() && !cut_.contains(leadership.range()); }
  int Room() const { return capacity_ - static_cast<int>(procs_.size()); }
  // As a leader knows it: of what runs for others, it knows what this cell told it last.
  int RoomKnownTo(const Leadership& leadership) const;
  void SetCapacity(int capacity) { capacity_ = capacity; }
  // What it lacks for a while. `late`: it finds out after its claim, when it starts an instance. `own_fault`: it says
  // that it could run nothing at all.
  struct Lacking {
    TimePoint until;
    bool late = false;
    bool own_fault = false;
  };
  // For this definition alone.
  void RejectFor(const DefinitionId& definition, const Lacking& lacking);
  // It is ill: it lacks what everything needs.
  void RejectAll(const Lacking& lacking);
  void RejectNothing();

  // Who gives an order.
  struct Sender {
    const Leadership& leadership;
    std::int64_t epoch = 0;
  };
  // Orders of a leader. Repeating one does no harm.
  void Run(const PlacementRequest& request, const Sender& sender);
  void Stop(const StopRequest& request, const ProcessGuid& guid, const Sender& sender);
  // A leader came (back): what is here of its apps is compared with the rows.
  void Hello(Leadership& leadership);

  void Die();
  void BreakLink();
  void Heal();
  // The stream to one leadership alone.
  void Cut(const Leadership& leadership);
  void Mend(Leadership& leadership);
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
    std::vector<std::uint32_t> ports;  // of the container
    std::uint32_t port = 0;            // of the host, for the first of these; the others follow
    State state = State::kClaiming;
    bool routable = false;
    std::string content_hash;
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
  // Nothing: it can run this.
  std::optional<Lacking> Lacks(const DefinitionId& definition) const;
  void ReportRejected(const ActualId& id, const Proc& proc, bool own_fault);
  void ReportStarted(const ActualId& id, bool routable);
  void Crash(const ActualId& id, const std::string& reason);
  void ReportGone(const ActualId& id, const Proc& proc, const std::string& crash);
  // Delivers a report when the leader is there; late or twice where the seed says so. `decide` gets its status back.
  void Report(const std::string& name, const ProcessGuid& guid, bool whole, std::function<Status(AppEdit&)> decide,
              std::function<void(const Status&)> answer);
  bool Obeys(const Sender& sender);
  int RunsFor(const Leadership& leadership) const;
  void TellRoom(const Leadership& leadership);
  bool Has(const ActualId& id, const InstanceGuid& instance) const;
  void Kill(const ActualId& id);

  World& world_;
  CellId id_;
  int capacity_ = 100;
  bool alive_ = true;
  bool linked_ = true;
  int life_ = 0;  // rises when the machine dies: what was scheduled in an older life does not happen
  int starts_ = 0;
  std::map<std::string, std::int64_t> highest_epochs_;  // by lease: orders of a lower one are refused
  std::map<DefinitionId, Lacking> lacking_;
  std::optional<Lacking> ill_;
  std::set<int> cut_;                                   // ranges whose leader it does not reach
  std::map<int, int> others_told_;                      // by range: what runs here for others, as its leader was told
  TimePoint lease_until_;
  std::map<ActualId, Proc> procs_;
};

}  // namespace baton::sim
