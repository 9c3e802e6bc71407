// One leadership: a lease in the database, the range of apps that it is for, and the processes that stand for it. With
// one of them it has all apps, as in the product; several share the database, cells, routers and users.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"

namespace baton::sim {

class Leader;
class World;

class Leadership {
 public:
  Leadership(World& world, int range);
  ~Leadership();

  const std::string& lease() const { return lease_; }
  int range() const { return range_; }
  bool Has(const ProcessGuid& guid) const;
  // The one that was elected last: whom everybody talks to of these apps.
  Leader& leader() { return *leader_; }
  // It leads, as far as it knows, and answers.
  bool Answers() const;

  void Begin();
  // The leader is dead or paused: nobody renews its lease.
  void LeaseRunsOut();
  // After a pause: it leads on where its lease has not run out meanwhile. Where it has, and nobody else was elected, it
  // stands for election again.
  void RenewLease(Leader& leader);
  void RestartLater(Leader& leader);
  void CrashLeader();
  // All of its processes are gone, and none is started until Return.
  void GoAway();
  bool away() const { return away_; }
  // Whoever is down is started.
  void Return();

 private:
  void Elect();
  // Elected after nobody led for long.
  void PutTimesRight(Duration standstill);

  World& world_;
  const int range_;
  const std::string lease_;
  std::vector<std::unique_ptr<Leader>> leaders_;
  Leader* leader_ = nullptr;
  std::optional<TimePoint> lease_ends_;  // nothing: it is being renewed
  bool away_ = false;
};

}  // namespace baton::sim
