#include "tests/sim/leadership.h"

#include <utility>

#include "tests/sim/leader.h"
#include "tests/sim/oracle.h"
#include "tests/sim/range.h"
#include "tests/sim/standstill.h"
#include "tests/sim/world.h"

namespace baton::sim {

Leadership::Leadership(World& world, int range)
    : world_(world), range_(range),
      lease_(world.options().partitions == 1 ? "batond" : "batond/" + std::to_string(range + 1)) {
  for (const char* number : {"-1", "-2"}) leaders_.push_back(std::make_unique<Leader>(world, *this, lease_ + number));
  leader_ = leaders_.front().get();
}

Leadership::~Leadership() = default;

bool Leadership::Has(const ProcessGuid& guid) const { return RangeOf(guid, world_.options().partitions) == range_; }

bool Leadership::Answers() const { return leader_->up() && !leader_->paused(); }

void Leadership::Begin() {
  lease_ends_ = world_.now();
  Elect();
}

void Leadership::LeaseRunsOut() {
  lease_ends_ = world_.now() + world_.Ms(1200, 2500);
  world_.After(*lease_ends_ - world_.now() + world_.Ms(10, 300), [this] { Elect(); });
}

void Leadership::RenewLease(Leader& leader) {
  if (&leader != leader_ || !leader.up() || leader.epoch() != world_.database().epoch(lease_)) return Elect();
  if (!lease_ends_ || world_.now() < *lease_ends_) return lease_ends_.reset();
  leader.StepDown();
  Elect();
}

void Leadership::RestartLater(Leader& leader) {
  world_.After(world_.Ms(200, 6000), [this, &leader] {
    if (leader.alive() || away_) return;
    world_.Note(leader.name() + " is started");
    leader.Restart();
    Elect();
  });
}

void Leadership::CrashLeader() {
  if (!leader_->up()) return;
  Leader& leader = *leader_;
  leader.Crash();
  RestartLater(leader);
}

void Leadership::GoAway() {
  away_ = true;
  for (const auto& leader : leaders_) {
    if (leader->alive()) leader->Crash();
  }
}

void Leadership::Return() {
  away_ = false;
  for (const auto& leader : leaders_) {
    if (!leader->alive()) leader->Restart();
  }
  if (!leader_->up() && !lease_ends_) lease_ends_ = world_.now();
  Elect();
}

void Leadership::Elect() {
  if (!lease_ends_ || world_.now() < *lease_ends_) return;
  for (const auto& candidate : leaders_) {
    const bool may = candidate->alive() && !candidate->paused() && !(candidate.get() == leader_ && leader_->up());
    if (!may) continue;
    if (!world_.database().TryElect(lease_)) return world_.After(milliseconds(100), [this] { Elect(); });
    if (world_.options().partitions > 1) PutTimesRight(world_.now() - *lease_ends_);
    lease_ends_.reset();
    Leader* before = std::exchange(leader_, candidate.get());
    if (before != leader_) before->Abandon();
    return leader_->Lead(world_.database().epoch(lease_));
  }
}

// No time has passed for the apps of this range. For all others it has: somebody looked after them all the while.
void Leadership::PutTimesRight(Duration standstill) {
  if (standstill < kStandstill) return;
  for (auto& [guid, app] : world_.store().apps()) {
    if (!Has(guid) && !world_.Planted(Bug::kElectionShiftsAllApps)) continue;
    const int served = world_.oracle().Served(app);
    ShiftTimes(app, standstill, world_.now());
    app.quiet.Forget();  // the real store reads all rows for another leadership
    if (!Has(guid) && world_.oracle().Served(app) < served) {
      world_.Broken("I1: the election for " + lease_ + " took the health of an instance of " + guid.str() + " away");
    }
  }
}

}  // namespace baton::sim
