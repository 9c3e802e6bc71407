// The simulated leader: wakes, offers, orders. What it knows is forgotten with each crash; the rows are not.
#pragma once

#include <map>
#include <string>

#include "orchestrator/app/drive.h"
#include "tests/sim/world.h"

namespace baton::sim {

class Leader {
 public:
  explicit Leader(World& world) : world_(world) {}

  bool up() const { return up_; }
  void Crash();
  void Start();
  // Level: every app is looked at again.
  void Tick();
  void Wake(const ProcessGuid& guid, Duration delay);
  Status Report(const std::string& name, const ProcessGuid& guid, bool whole,
                const std::function<Status(AppEdit&)>& decide);
  Status UserCall(const std::string& name, const ProcessGuid& guid, const std::function<Status(AppEdit&)>& decide);
  ProcessGuid GuidOf(const ActualId& id) const;

 private:
  void Follow(const Driven& driven);
  void Place(const PlacementRequest& request);
  void TickLoop(int life);

  World& world_;
  bool up_ = false;
  int life_ = 0;
  std::map<ActualId, TimePoint> offers_;  // until when nobody else is asked
  std::map<ActualId, ProcessGuid> stops_;
  std::map<ProcessGuid, TimePoint> wakes_;  // the next one of each app
};

}  // namespace baton::sim
