#include "convergence/plan.h"

#include <map>
#include <utility>

#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/roll/rules/backoff.h"

namespace baton {
namespace {

class Finder {
 public:
  Finder(const SweepView& view, const std::set<ProcessGuid>& driven) : view_(view), driven_(driven) {
    for (const CellRecord& cell : view.cells) cells_[cell.id] = &cell;
    for (const DomainRecord& domain : view.domains) {
      if (!domain.expires_at || *domain.expires_at > view.now) fresh_.insert(domain.name);
    }
  }

  std::vector<Finding> Run() {
    for (const InstanceSight& one : view_.instances) {
      if (one.presence == Presence::kOrdinary && one.state == LrpState::kRunning) running_.insert(SlotOf(one));
    }
    Domains();
    for (const InstanceSight& one : view_.instances) Instance(one);
    for (const CellRecord& cell : view_.cells) {
      if (!cell.missing_since && cell.lease_expires_at <= view_.now) Tell(Category::kSilentCell, cell.id.str());
    }
    for (const CountSight& count : view_.counts) Count(count);
    for (const RollSight& roll : view_.open_rolls) {
      if (!driven_.contains(roll.guid)) Add(Category::kUndrivenRoll, roll.guid, roll.guid.str());
      if (roll.state == RollState::kHeld) Tell(Category::kHeldRoll, roll.guid.str() + ": " + CellsSentence(roll.reason));
    }
    for (const ProcessGuid& guid : view_.unproven) Add(Category::kUnprovenApp, guid, guid.str());
    for (const ConsumerId& gone : view_.gone_consumers) Tell(Category::kGoneConsumer, gone.str());
    findings_.insert(findings_.end(), view_.faults.begin(), view_.faults.end());
    return std::move(findings_);
  }

 private:
  using Place = std::pair<ProcessGuid, int>;
  static Place SlotOf(const InstanceSight& one) { return {one.guid, one.index}; }

  // Of no app that could do anything about it.
  void Tell(Category category, std::string what) { findings_.push_back({category, ProcessGuid(), std::move(what)}); }
  void Add(Category category, const ProcessGuid& app, std::string what) {
    findings_.push_back({category, app, std::move(what)});
  }
  void Add(Category category, const InstanceSight& one, const std::string& word = {}) {
    Add(category, one.guid, one.guid.str() + "/" + std::to_string(one.index) + (word.empty() ? "" : ": " + word));
  }

  void Domains() {
    for (const DomainRecord& domain : view_.domains) {
      if (!fresh_.contains(domain.name)) Tell(Category::kExpiredDomain, domain.name);
    }
  }

  bool CellMissing(const InstanceSight& one) const {
    const auto cell = cells_.find(one.cell);
    return !one.cell.empty() && (cell == cells_.end() || cell->second->missing_since);
  }

  void Instance(const InstanceSight& one) {
    if (one.presence == Presence::kRetiring) return Retiring(one);
    if (!one.desired) return Orphan(one);
    if (!one.present) return Add(Category::kOrphaned, one, "of an older incarnation");
    if (one.presence == Presence::kSuspect) return Suspect(one);
    if (CellMissing(one)) return Add(Category::kMissingCell, one, one.cell.str());
    if (one.presence == Presence::kEvacuating) {
      if (running_.contains(SlotOf(one))) Add(Category::kEvacuatedEnough, one);
      return;
    }
    const Duration age = view_.now - one.since;
    switch (one.state) {
      case LrpState::kUnclaimed:
        // Not with every pass: where there is no room, there are many of them.
        if (age >= kStaleUnclaimed && view_.kind != PassKind::kIncremental) Add(Category::kStaleUnclaimed, one);
        break;
      case LrpState::kClaimed:
        if (age >= kStaleClaimed) Add(Category::kStaleClaimed, one, one.cell.str());
        break;
      case LrpState::kCrashed: Crashed(one, age); break;
      case LrpState::kRunning: break;
    }
  }

  void Crashed(const InstanceSight& one, Duration age) {
    if (one.crash_count >= kCrashesGivenUp) {
      Tell(Category::kGivenUp, one.guid.str() + "/" + std::to_string(one.index));
    } else if (age >= CrashBackOff(one.crash_count)) {
      Add(Category::kRestartableCrashed, one);
    }
  }

  void Retiring(const InstanceSight& one) {
    if (CellMissing(one)) return Add(Category::kMissingCell, one, one.cell.str());
    if (one.stop_ordered_at && *one.stop_ordered_at + kOverdueStop <= view_.now) {
      return Add(Category::kOverdueStop, one, one.cell.str() + " does not report that it stopped");
    }
    if (!one.stop_ordered_at && one.drain_until && *one.drain_until + kStuckRetiring <= view_.now) {
      Add(Category::kStuckRetiring, one);
    }
  }

  void Orphan(const InstanceSight& one) {
    if (fresh_.contains(one.domain)) {
      return Add(one.presence == Presence::kSuspect ? Category::kOrphanedSuspect : Category::kOrphaned, one);
    }
    Tell(Category::kStaleDomainOrphan,
         one.guid.str() + "/" + std::to_string(one.index) + ": domain '" + one.domain + "' is not fresh");
  }

  void Suspect(const InstanceSight& one) {
    if (!CellMissing(one)) return Add(Category::kCellBack, one, one.cell.str());
    if (running_.contains(SlotOf(one))) Add(Category::kExtraSuspect, one);
  }

  void Count(const CountSight& count) {
    const std::string what = count.guid.str() + ": wants " + std::to_string(count.wanted) + ", has " +
                             std::to_string(count.rows) + ", the highest index is " + std::to_string(count.highest);
    const bool extra = count.highest >= count.wanted;
    if (extra) Add(Category::kExtraInstance, count.guid, what);
    if (count.rows < count.wanted || !extra) Add(Category::kMissingInstance, count.guid, what);
  }

  const SweepView& view_;
  const std::set<ProcessGuid>& driven_;
  std::map<CellId, const CellRecord*> cells_;
  std::set<std::string> fresh_;
  std::set<Place> running_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> FindOut(const SweepView& view, const std::set<ProcessGuid>& driven) {
  return Finder(view, driven).Run();
}

}  // namespace baton
