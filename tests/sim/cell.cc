#include "tests/sim/cell.h"

#include <algorithm>

#include "orchestrator/app/cells/rejection.h"
#include "tests/sim/leader.h"
#include "tests/sim/oracle.h"
#include "tests/sim/router.h"

namespace baton::sim {
namespace {

constexpr Duration kLease = seconds(10);

}  // namespace

Cell::Cell(World& world, std::string id) : world_(world), id_(std::move(id)) {}

bool Cell::Has(const ActualId& id, const InstanceGuid& instance) const {
  const auto at = procs_.find(id);
  return at != procs_.end() && at->second.instance_guid == instance;
}

void Cell::StartHeartbeats() { Heartbeat(); }

void Cell::Heartbeat() {
  const auto hears = [&](const auto& leadership) { return Reaches(*leadership) && leadership->Answers(); };
  if (std::ranges::any_of(world_.leaderships(), hears)) {
    world_.RenewCell(id_, kLease);
    lease_until_ = world_.now() + kLease;
  }
  for (const auto& leadership : world_.leaderships()) {
    if (!world_.options().stale_rooms && hears(leadership)) TellRoom(*leadership);
  }
  // A RECREATE instance is stopped by the cell itself when its lease has run out: nobody else can know.
  if (alive_ && lease_until_ + seconds(30) < world_.now() && world_.options().recreate) procs_.clear();
  world_.After(milliseconds(1000), [this] { Heartbeat(); });
}

// Epochs of two leases cannot be compared.
bool Cell::Obeys(const Sender& sender) {
  const bool mixed = world_.Planted(Bug::kOneEpochForAllLeases);
  std::int64_t& highest = highest_epochs_[mixed ? "" : sender.leadership.lease()];
  highest = std::max(highest, sender.epoch);
  return sender.epoch == highest;
}

int Cell::RunsFor(const Leadership& leadership) const {
  return static_cast<int>(
      std::ranges::count_if(procs_, [&](const auto& entry) { return leadership.Has(entry.second.guid); }));
}

void Cell::TellRoom(const Leadership& leadership) {
  others_told_[leadership.range()] = static_cast<int>(procs_.size()) - RunsFor(leadership);
}

int Cell::RoomKnownTo(const Leadership& leadership) const {
  const auto others = others_told_.find(leadership.range());
  return capacity_ - RunsFor(leadership) - (others == others_told_.end() ? 0 : others->second);
}

void Cell::Run(const PlacementRequest& request, const Sender& sender) {
  if (!Reaches(sender.leadership) || !Obeys(sender) || procs_.contains(request.id)) return;
  world_.CountOrder(Room() > 0);
  if (Room() <= 0 && !world_.Planted(Bug::kCellTrustsOrders)) return;
  Proc proc;
  proc.guid = request.guid;
  proc.instance_guid = InstanceGuid(id_.str() + "/" + std::to_string(++starts_));
  proc.definition = request.definition.id;
  proc.index = request.index;
  proc.ports = request.definition.ports;
  proc.port = static_cast<std::uint32_t>(20000 + 4 * starts_);
  const auto& desired = world_.store().app(request.guid).desired;
  proc.content_hash = request.definition.content_hash;
  proc.recreate = desired && desired->strategy.mode == Mode::kRecreate;
  if (const auto lacking = Lacks(proc.definition); lacking && !lacking->late) {
    proc.instance_guid = InstanceGuid();
    return ReportRejected(request.id, proc, lacking->own_fault);
  }
  procs_[request.id] = proc;
  ReportClaim(request.id);
}

void Cell::RejectFor(const DefinitionId& definition, const Lacking& lacking) {
  world_.Note(id_.str() + " rejects " + definition.str() + " for a while");
  lacking_[definition] = lacking;
}

void Cell::RejectAll(const Lacking& lacking) {
  world_.Note(id_.str() + " rejects everything for a while");
  ill_ = lacking;
}

void Cell::RejectNothing() {
  lacking_.clear();
  ill_.reset();
}

std::optional<Cell::Lacking> Cell::Lacks(const DefinitionId& definition) const {
  if (ill_ && ill_->until > world_.now()) return ill_;
  const auto at = lacking_.find(definition);
  if (at == lacking_.end() || at->second.until <= world_.now()) return std::nullopt;
  return at->second;
}

void Cell::ReportRejected(const ActualId& id, const Proc& proc, bool own_fault) {
  const InstanceRef ref = Ref(id, proc);
  const Asked asked{proc.guid, proc.content_hash};
  Report(
      "reject", proc.guid, true, [ref](AppEdit& edit) { return DecideRejected(edit, ref, "it lacks something"); },
      [this, id, asked, own_fault](const Status&) {
        Leader& leader = world_.LeaderOf(asked.guid);
        if (leader.up()) leader.Rejected(asked, id_, id, own_fault);
      });
}

// A report of one start of an instance changes nothing of another (I31).
Cell::Decide Cell::OfThisStart(const InstanceRef& ref, Decide decide) {
  return [this, ref, decide = std::move(decide)](AppEdit& edit) {
    const auto row = edit.state().actuals.find(ref.id);
    const bool anothers = row != edit.state().actuals.end() && row->second.instance_guid != ref.instance_guid;
    const Status status = decide(edit);
    if (anothers && status && edit.HasChanges()) {
      world_.Broken("I31: a report of " + ref.instance_guid.str() + " changed " + ref.id.str() +
                    ", which is another start");
    }
    return status;
  };
}

void Cell::ReportClaim(const ActualId& id) {
  const InstanceRef ref = Ref(id, procs_.at(id));
  Report(
      "claim", procs_.at(id).guid, false, [ref](AppEdit& edit) { return DecideClaim(edit, ref); },
      [this, ref](const Status& status) {
        if (!Has(ref.id, ref.instance_guid)) return;
        Proc& proc = procs_.at(ref.id);
        Leader& leader = world_.LeaderOf(proc.guid);
        if (status && leader.up()) leader.Claimed({proc.guid, proc.content_hash}, id_);
        if (!status) {
          procs_.erase(ref.id);
        } else if (proc.state == State::kClaiming) {
          Start(ref.id);
        }
      });
}

void Cell::Start(const ActualId& id) {
  Proc& proc = procs_.at(id);
  const InstanceGuid instance = proc.instance_guid;
  const int life = life_;
  const auto later = [&](Duration delay, auto what) {
    world_.After(delay, [this, id, instance, life, what] {
      if (life_ == life && Has(id, instance) && procs_.at(id).state != State::kStopping) what();
    });
  };
  if (const auto lacking = Lacks(proc.definition)) {  // nothing of it has run when it is found out
    return later(world_.Ms(10, 1000), [this, id, own_fault = lacking->own_fault] {
      const Proc rejected = procs_.at(id);
      procs_.erase(id);
      ReportRejected(id, rejected, own_fault);
    });
  }
  world_.Note(id_.str() + " starts " + id.str() + " " + proc.instance_guid.str());
  world_.oracle().BeforeStart(proc.guid, proc.index);
  proc.state = State::kStarting;
  const Behaviour behaviour = BehaviourOf(proc.definition);
  const Duration start = behaviour == Behaviour::kSlow ? world_.Ms(4000, 8000) : world_.Ms(100, 1500);
  if (behaviour == Behaviour::kCrashes) {
    later(start, [this, id] { Crash(id, "exit status 1"); });
    return;
  }
  if (behaviour == Behaviour::kNeverReady) {
    later(seconds(20), [this, id] { Crash(id, "start timeout"); });
    return;
  }
  later(start, [this, id] {
    procs_.at(id).state = State::kRunning;
    ReportStarted(id, true);
  });
  // Within a second of being routable; the simulation's apps need 2 s of health.
  if (behaviour == Behaviour::kCrashesLater)
    later(start + world_.Ms(100, 900), [this, id] { Crash(id, "exit status 3"); });
  // With the report of its start and the routers' word it is let in some 100 ms after those 2 s.
  if (behaviour == Behaviour::kDies) later(start + world_.Ms(2200, 3500), [this, id] { Crash(id, "exit status 4"); });
}

void Cell::ReportStarted(const ActualId& id, bool routable) {
  Proc& proc = procs_.at(id);
  proc.routable = routable;
  StartReport report;
  report.ref = Ref(id, proc);
  report.routable = routable;
  report.net_info.address = id_.str();
  for (std::size_t i = 0; i < proc.ports.size(); ++i) {
    report.net_info.ports.push_back({proc.ports[i], proc.port + static_cast<std::uint32_t>(i)});
  }
  Report("start", proc.guid, false,
         OfThisStart(report.ref, [report](AppEdit& edit) { return DecideStart(edit, report); }),
         [this, ref = report.ref](const Status& status) {
           if (!Has(ref.id, ref.instance_guid)) return;
           const Proc& started = procs_.at(ref.id);
           Leader& leader = world_.LeaderOf(started.guid);
           if (status && leader.up()) leader.Started({started.guid, started.content_hash}, id_);
           if (!status) procs_.erase(ref.id);
         });
}

void Cell::Crash(const ActualId& id, const std::string& reason) {
  const Proc proc = procs_.at(id);
  procs_.erase(id);
  ReportGone(id, proc, reason);
}

void Cell::ReportGone(const ActualId& id, const Proc& proc, const std::string& crash) {
  const InstanceRef ref = Ref(id, proc);
  if (crash.empty()) {
    Report("stopped", proc.guid, true, OfThisStart(ref, [ref](AppEdit& edit) { return DecideStopped(edit, ref); }),
           nullptr);
  } else {
    Report("crash", proc.guid, true,
           OfThisStart(ref, [ref, crash](AppEdit& edit) { return DecideCrash(edit, ref, crash); }), nullptr);
  }
}

void Cell::Stop(const StopRequest& request, const ProcessGuid& guid, const Sender& sender) {
  if (!Reaches(sender.leadership) || !Obeys(sender)) return;
  const auto at = procs_.find(request.id);
  if (at == procs_.end() || at->second.instance_guid != request.instance_guid) {
    Proc gone;  // unknown here: it is gone, and that is what is reported
    gone.instance_guid = request.instance_guid;
    gone.guid = guid;
    ReportGone(request.id, gone, "");
    return;
  }
  if (at->second.state == State::kStopping) return;
  at->second.state = State::kStopping;
  for (const auto& router : world_.routers()) router->CheckStopped(request.id);
  const InstanceGuid instance = request.instance_guid;
  const int life = life_;
  world_.After(world_.Ms(50, 2000), [this, id = request.id, instance, life] {
    if (life_ == life && Has(id, instance)) Kill(id);
  });
}

void Cell::Kill(const ActualId& id) {
  const Proc proc = procs_.at(id);
  procs_.erase(id);
  ReportGone(id, proc, "");
}

void Cell::Report(const std::string& name, const ProcessGuid& guid, bool whole, std::function<Status(AppEdit&)> decide,
                  std::function<void(const Status&)> answer) {
  const int life = life_;
  const auto deliver = [this, name, guid, whole, decide, answer, life] {
    if (!Reaches(world_.LeadershipOf(guid)) ||
        !world_.LeaderOf(guid).up()) {  // repeated until it is answered, unless the machine died
      world_.After(world_.Ms(200, 1000), [this, name, guid, whole, decide, answer, life] {
        if (life_ == life) Report(name, guid, whole, decide, answer);
      });
      return;
    }
    world_.LeaderOf(guid).Report(name, guid, whole, decide, [=, this](const Status& status) {
      if (!status && status.error().kind == ErrorKind::kUnavailable) {  // the leader says RETRY, or is gone
        world_.After(world_.Ms(200, 1000), [this, name, guid, whole, decide, answer, life] {
          if (life_ == life) Report(name, guid, whole, decide, answer);
        });
        return;
      }
      if (answer && life_ == life) answer(status);
    });
  };
  world_.After(world_.Ms(1, 50), deliver);
  if (world_.options().late_reports && !world_.calm() && world_.rng().Percent(15)) {  // once more, much later
    world_.After(world_.Ms(1000, 20000), [this, name, guid, whole, decide] {
      if (world_.LeaderOf(guid).up()) world_.LeaderOf(guid).Report(name + " (late)", guid, whole, decide);
    });
  }
}

void Cell::Hello(Leadership& leadership) {
  if (!Reaches(leadership) || !Obeys({leadership, leadership.leader().epoch()})) return;
  TellRoom(leadership);
  world_.RenewCell(id_, kLease);
  lease_until_ = world_.now() + kLease;
  // What the rows say runs here, and does not.
  for (auto& [guid, app] : world_.store().apps()) {
    if (!leadership.Has(guid)) continue;
    for (const auto& [id, lrp] : std::map<ActualId, ActualLrp>(app.actuals)) {
      if (!MayRun(lrp) || lrp.cell_id != id_ || Has(id, lrp.instance_guid)) continue;
      const InstanceRef ref{id, lrp.instance_guid, id_};
      leadership.leader().Report("forgotten", guid, true, [ref](AppEdit& edit) { return DecideForgotten(edit, ref); });
    }
  }
  // What is here and is nobody's.
  for (const auto& [id, proc] : std::map<ActualId, Proc>(procs_)) {
    if (!leadership.Has(proc.guid)) continue;
    const auto app = world_.store().apps().find(proc.guid);
    const auto row = app->second.actuals.find(id);
    const bool known = row != app->second.actuals.end() &&
                       (row->second.instance_guid == proc.instance_guid || proc.state == State::kClaiming);
    if (!known) {
      procs_.erase(id);
    } else if (proc.state == State::kClaiming) {
      ReportClaim(id);
    } else if (proc.state == State::kRunning) {
      ReportStarted(id, proc.routable);
    }
  }
}

void Cell::Drain(bool on) {
  world_.Note(id_.str() + (on ? " drains" : " drains no more"));
  world_.store().moment().cells[id_].draining = on;
  for (const auto& leadership : world_.leaderships()) {
    if (leadership->leader().up()) leadership->leader().Tick();
  }
}

bool Cell::Drains() const { return world_.store().moment().Draining(id_); }

void Cell::Die() {
  world_.Note(id_.str() + " dies with " + std::to_string(procs_.size()) + " instances");
  alive_ = false;
  ++life_;
  procs_.clear();
}

void Cell::BreakLink() {
  world_.Note(id_.str() + " loses its link");
  linked_ = false;
}

void Cell::Heal() {
  if (Reachable()) return;
  world_.Note(id_.str() + " is back");
  world_.MetByAll(Happening::kCellReturns);
  alive_ = true;
  linked_ = true;
  for (const auto& leadership : world_.leaderships()) {
    if (leadership->leader().up()) Hello(*leadership);
  }
}

void Cell::Cut(const Leadership& leadership) {
  world_.Note(id_.str() + " loses its stream to " + leadership.lease());
  cut_.insert(leadership.range());
}

void Cell::Mend(Leadership& leadership) {
  if (cut_.erase(leadership.range()) == 0) return;
  world_.Note(id_.str() + " reaches " + leadership.lease() + " again");
  if (leadership.leader().up()) Hello(leadership);
}

}  // namespace baton::sim
