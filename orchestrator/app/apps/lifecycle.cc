#include "orchestrator/app/apps/lifecycle.h"

#include <set>

#include "orchestrator/model/names.h"
#include "orchestrator/roll/rules/backoff.h"

namespace baton {
namespace {

const ActualLrp* Find(const AppEdit& edit, const ActualId& id) {
  const auto at = edit.state().actuals.find(id);
  return at == edit.state().actuals.end() ? nullptr : &at->second;
}

Error Gone(const ActualId& id) {
  return {ErrorKind::kNotFound, "actual_id " + id.str() + " does not exist (any more)"};
}

Error NotYours(const ActualLrp& lrp, const InstanceRef& ref, std::string_view what) {
  return {ErrorKind::kFailedPrecondition,
          "actual_id " + lrp.id.str() + " cannot be " + std::string(what) + ": it is " + std::string(Name(lrp.state)) +
              " by " + (lrp.cell_id.empty() ? "nobody" : lrp.cell_id.str() + "/" + lrp.instance_guid.str()) +
              ", the report is of " + ref.cell_id.str() + "/" + ref.instance_guid.str()};
}

Error Over(const ActualLrp& lrp, const InstanceGuid& start) {
  return {ErrorKind::kFailedPrecondition, "actual_id " + lrp.id.str() + " cannot be claimed: its start " + start.str() +
                                              " is over, and another start has another instance_guid"};
}

Error LeavingError(const ActualLrp& lrp) {
  return {ErrorKind::kFailedPrecondition, "actual_id " + lrp.id.str() + " cannot be claimed: it is RETIRING"};
}

// A port that is not reported could be reached by no route, and the instance would be ready all the same; one that the
// definition does not have is another instance's, or another version's.
Status CheckPorts(const AppEdit& edit, const ActualLrp& lrp, const NetInfo& net_info) {
  const auto definition = edit.state().definitions.find({lrp.incarnation, lrp.definition});
  if (definition == edit.state().definitions.end()) {
    return Error{ErrorKind::kDataLoss, "definition " + lrp.definition.str() + " of actual_id " + lrp.id.str() +
                                           " was not read: its ports are not known"};
  }
  std::set<std::uint32_t> missing(definition->second.ports.begin(), definition->second.ports.end());
  const std::set<std::uint32_t> own = missing;
  const auto refuse = [&](const std::string& what) {
    return Error{ErrorKind::kFailedPrecondition, "actual_id " + lrp.id.str() + " cannot be started: net_info.ports " +
                                                     what + " of definition " + lrp.definition.str()};
  };
  for (const PortMapping& port : net_info.ports) {
    if (!own.contains(port.container_port)) {
      return refuse("has container_port " + std::to_string(port.container_port) + ", which is none");
    }
    missing.erase(port.container_port);
  }
  if (missing.empty()) return Done{};
  return refuse("lacks container_port " + std::to_string(*missing.begin()));
}

bool SameStart(const ActualLrp& lrp, const InstanceRef& ref) {
  return MayRun(lrp) && lrp.instance_guid == ref.instance_guid && lrp.cell_id == ref.cell_id;
}

// Since when the slot is not served: from now if this row served it, else since it last did.
void MarkDown(const AppEdit& edit, ActualLrp& row) {
  const auto& desired = edit.state().desired;
  const Duration healthy = desired ? StrategyOf(edit.state()).min_healthy_time : Duration(0);
  const bool served = row.routable_since && *row.routable_since + healthy <= edit.now();
  if (served || !row.down_since) row.down_since = edit.now();
}

// A crash of what the roll goes to is a failed attempt, before and after its hand-over.
void LogAttempt(AppEdit& edit, const ActualLrp& lrp, const std::string& reason) {
  const auto& roll = edit.state().roll;
  if (!roll || roll->incarnation != lrp.incarnation || roll->state == RollState::kHeld) return;
  const auto& definitions = edit.state().definitions;
  const auto hash = [&](const DefinitionId& id) { return definitions.at({lrp.incarnation, id}).content_hash; };
  if (hash(lrp.definition) != hash(Goal(*roll))) return;
  if (edit.state().desired && lrp.index >= edit.state().desired->instances) return;
  edit.LogStep({.kind = StepKind::kAttemptFailed,
                .index = lrp.index,
                .actual_id = lrp.id,
                .definition = lrp.definition,
                .text = reason});
}

void LogRetired(AppEdit& edit, const ActualLrp& lrp) {
  if (!edit.state().roll || lrp.presence != Presence::kRetiring || !lrp.retiring_since) return;
  edit.LogStep({.kind = StepKind::kRetired,
                .index = lrp.index,
                .actual_id = lrp.id,
                .definition = lrp.definition,
                .text = "its cell reports it gone",
                .stop_took = edit.now() - *lrp.retiring_since});
}

}  // namespace

std::string CutReason(std::string reason) {
  constexpr std::string_view kCut = "(truncated)";
  if (reason.size() <= kReasonBytesMax) return reason;
  std::size_t end = kReasonBytesMax - kCut.size();
  while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0) == 0x80) --end;  // not inside a character
  reason.resize(end);
  return reason.append(kCut);
}

Status DecideClaim(AppEdit& edit, const InstanceRef& ref) {
  const ActualLrp* lrp = Find(edit, ref.id);
  if (!lrp) return Gone(ref.id);
  if (SameStart(*lrp, ref)) {
    // A repeated claim, whose first answer was lost. The instance has not started and is no longer wanted.
    const bool leaves = lrp->presence == Presence::kRetiring && lrp->state == LrpState::kClaimed;
    return leaves ? Status(LeavingError(*lrp)) : Status(Done{});
  }
  if (HasEnded(*lrp, ref.instance_guid)) return Over(*lrp, ref.instance_guid);
  if (lrp->state != LrpState::kUnclaimed || lrp->presence == Presence::kRetiring) return NotYours(*lrp, ref, "claimed");
  ActualLrp& row = edit.Change(ref.id);
  row.state = LrpState::kClaimed;
  row.instance_guid = ref.instance_guid;
  row.cell_id = ref.cell_id;
  row.since = edit.now();
  row.claimed_at = edit.now();
  row.placement_error.clear();
  return Done{};
}

Status DecideStart(AppEdit& edit, const StartReport& report) {
  const ActualLrp* lrp = Find(edit, report.ref.id);
  if (!lrp) return Gone(report.ref.id);
  if (!SameStart(*lrp, report.ref)) return NotYours(*lrp, report.ref, "started");
  if (Status status = CheckPorts(edit, *lrp, report.net_info); !status) return status;
  ActualLrp& row = edit.Change(report.ref.id);
  if (row.state != LrpState::kRunning) {
    row.state = LrpState::kRunning;
    row.since = edit.now();
  }
  // Another address is another endpoint: nobody has applied it yet. Of what is no endpoint routers are not told, and would
  // not apply it again.
  if (!SameEndpoints(row.net_info, report.net_info)) row.applied_by.clear();
  row.net_info = report.net_info;
  row.labels = report.labels;
  row.zone = report.zone;
  if (report.routable == row.routable) return Done{};
  if (!report.routable) MarkDown(edit, row);
  row.routable = report.routable;
  row.routable_since = report.routable ? std::optional<TimePoint>(edit.now()) : std::nullopt;
  row.applied_by.clear();
  return Done{};
}

Status DecideCrash(AppEdit& edit, const InstanceRef& ref, const std::string& reason) {
  const ActualLrp* lrp = Find(edit, ref.id);
  if (!lrp) return Gone(ref.id);
  if (!SameStart(*lrp, ref)) return NotYours(*lrp, ref, "crashed");
  if (lrp->presence != Presence::kOrdinary && lrp->presence != Presence::kSurge) {
    LogRetired(edit, *lrp);
    edit.Remove(ref.id);  // it was on its way out, or another holds its slot
    return Done{};
  }
  const std::string text = CutReason(reason);
  LogAttempt(edit, *lrp, text);
  ActualLrp& row = edit.Change(ref.id);
  const bool ran_long = row.state == LrpState::kRunning && edit.now() - row.since >= kCrashReset;
  row.crash_count = ran_long ? 1 : row.crash_count + 1;
  row.crash_reason = text;
  MarkDown(edit, row);
  row.state = LrpState::kCrashed;
  row.since = edit.now();
  EndStart(row);
  return Done{};
}

Status DecideStopped(AppEdit& edit, const InstanceRef& ref) {
  const ActualLrp* lrp = Find(edit, ref.id);
  if (!lrp) return Gone(ref.id);
  const bool same = SameStart(*lrp, ref) || (ref.instance_guid.empty() && MayRun(*lrp) && lrp->cell_id == ref.cell_id);
  if (!same) return NotYours(*lrp, ref, "removed");
  LogRetired(edit, *lrp);
  edit.Remove(ref.id);
  return Done{};
}

Status DecideForgotten(AppEdit& edit, const InstanceRef& ref) {
  const ActualLrp* lrp = Find(edit, ref.id);
  if (!lrp) return Gone(ref.id);
  if (!SameStart(*lrp, ref)) return NotYours(*lrp, ref, "forgotten");
  if (lrp->presence != Presence::kOrdinary && lrp->presence != Presence::kSurge) {
    LogRetired(edit, *lrp);
    edit.Remove(ref.id);
    return Done{};
  }
  ActualLrp& row = edit.Change(ref.id);
  MarkDown(edit, row);
  row.state = LrpState::kUnclaimed;
  row.since = edit.now();
  EndStart(row);
  return Done{};
}

Status DecidePlacementError(AppEdit& edit, const ActualId& id, const std::string& error) {
  const ActualLrp* lrp = Find(edit, id);
  if (!lrp) return Gone(id);
  if (lrp->state != LrpState::kUnclaimed) {
    return Error{ErrorKind::kFailedPrecondition,
                 "actual_id " + id.str() + " cannot be failed: it is " + std::string(Name(lrp->state))};
  }
  edit.Change(id).placement_error = CutReason(error);
  return Done{};
}

Status DecideRouteApplied(AppEdit& edit, const ActualId& id, const InstanceGuid& instance, const ConsumerId& consumer) {
  const ActualLrp* lrp = Find(edit, id);
  if (!lrp) return Gone(id);
  // An acknowledgement for an ended start, or for one that is no longer routable, does not count for this start.
  if (lrp->instance_guid != instance || !lrp->routable) return Done{};
  edit.Change(id).applied_by.insert(consumer);
  return Done{};
}

Status DecideRouteDrained(AppEdit& edit, const ActualId& id, const ConsumerId& consumer) {
  const ActualLrp* lrp = Find(edit, id);
  if (!lrp) return Gone(id);
  if (lrp->presence != Presence::kRetiring) return Done{};
  edit.Change(id).drained_by.insert(consumer);
  return Done{};
}

}  // namespace baton
