// What each slot waits for, in the planner's own words.
#include <algorithm>
#include <string>
#include <vector>

#include "orchestrator/roll/drain.h"
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/backoff.h"
#include "orchestrator/roll/rules/handed_over.h"
#include "orchestrator/roll/rules/route_floor.h"
#include "orchestrator/roll/rules/stages.h"

namespace baton {
namespace {

std::string Ms(Duration duration) { return std::to_string(Millis(duration)) + " ms"; }

// A user name, a password or a token may be in it: not before '@', not after '?'.
std::string WithoutSecrets(const std::string& url) {
  const std::size_t host = url.find("://") + 3;
  const std::size_t path = std::min(url.find('/', host), url.size());
  const std::size_t at = url.rfind('@', path);
  const std::string from = at == std::string::npos || at < host ? url.substr(host) : url.substr(at + 1);
  return url.substr(0, host) + from.substr(0, from.find('?'));
}

constexpr std::size_t kRoutesNamed = 3;

class Explainer {
 public:
  explicit Explainer(SlotBoard& board) : board_(board) {}

  void Roll() {
    const baton::Roll* roll = board_.roll();
    if (!roll) return;
    if (roll->state == RollState::kPaused) {
      if (roll->stage_since) AtStage(*roll);
      if (roll->paused_by_hand) {
        const std::string text = roll->stage_since ? "it is paused by hand, too" : roll->reason;
        Say(rule::kPaused, -1, text, roll->clock_stopped_at, std::nullopt, "resume");
      }
    } else if (roll->state == RollState::kHeld) {
      Say(rule::kHeld, -1, roll->reason, roll->clock_stopped_at, std::nullopt, "retry, cancel, or another definition");
    }
  }

  void OneSlot(const Slot& slot) {
    for (const ActualLrp* old : slot.retiring) Retiring(*old);
    BackOff(slot);
    Watched(slot);
    Unproven(slot);
    Starting(slot, slot.surge);
    if (!board_.Ready(slot.ordinary)) Starting(slot, slot.ordinary);
    if (slot.evacuating) Evacuating(slot, *slot.evacuating);
    if (slot.suspect) {
      Say(rule::kCellLost, slot.index, "its cell " + slot.suspect->cell_id.str() + " is lost", slot.suspect->since,
          std::nullopt, "its replacement is ready, or the cell is back");
    }
  }

  // What had to be made although the ceiling is reached, and what was left by scaling down.
  void AboveCeiling() {
    int lost = 0;
    int going = 0;
    for (const auto& [index, slot] : board_.slots()) {
      if (index >= board_.instances()) continue;
      lost += slot.suspect ? 1 : 0;
      going += slot.evacuating ? 1 : 0;
    }
    const int all = board_.counted() + lost + going;
    const int most = board_.instances() + board_.limits().max_surge;
    if (all <= most || lost + going + board_.stopping() == 0) return;
    Say(rule::kAboveCeiling, -1,
        std::to_string(all) + " instances are up or stopping, " + std::to_string(all - most) + " more than " +
            std::to_string(board_.instances()) + " + " + std::to_string(board_.limits().max_surge) + ": " +
            std::to_string(lost) + " are on cells that are lost, " + std::to_string(going) +
            " serve until their replacements are ready, " + std::to_string(board_.stopping()) + " stop",
        std::nullopt, std::nullopt, "those are gone");
  }

  // Routes that the active definition does not serve, which a caller accepted. While other definitions serve them,
  // who looks at the app alone sees nothing amiss.
  void Unroutable() {
    const auto& bound = board_.Bound(board_.desired().active);
    if (bound.all || board_.instances() == 0) return;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < bound.by_route.size(); ++place) {
      if (bound.by_route[place] == 0) places.push_back(place);
    }
    std::string routes;
    for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), kRoutesNamed); ++i) {
      const std::size_t place = places[i];
      routes += (routes.empty() ? "" : ", ") + Name(board_.desired().routes.mapped[place].route) + " (" +
                std::to_string(SlotsServing(board_, place)) + " of " + std::to_string(board_.instances()) +
                " slots serve it)";
    }
    if (places.size() > kRoutesNamed) routes += ", and " + std::to_string(places.size() - kRoutesNamed) + " more";
    const std::string active = board_.desired().active.str();
    Say(rule::kUnroutable, -1, active + " has no port for " + routes, std::nullopt, std::nullopt,
        (places.size() == 1 ? "it is mapped to a port of " : "each is mapped to a port of ") + active +
            ", or unmapped");
  }

 private:
  // Beside an old one it was a newcomer as any other; that one is gone.
  void Unproven(const Slot& slot) {
    const bool forward = board_.Moves() || (board_.roll() && board_.roll()->state == RollState::kPaused);
    const bool holds = forward && board_.CanSurge() && board_.IsNewcomer(slot.ordinary) && MayRun(*slot.ordinary);
    if (!holds || board_.roll()->source.empty() || board_.Ready(slot.ordinary)) return;
    Say(rule::kUnproven, slot.index, "it holds its slot unproven, because the old one is gone", slot.ordinary->since,
        std::nullopt, "it is ready: only then its definition has proof");
  }

  // It took its slot, crashed since, and is ready again.
  void Watched(const Slot& slot) {
    const baton::Roll* roll = board_.roll();
    const bool forward = roll && roll->state != RollState::kRollingBack && roll->state != RollState::kQueued;
    if (!forward || slot.index >= board_.instances() || IsSteady(board_, slot)) return;
    const auto until = SteadyAt(board_, slot);
    if (!until) return;
    const SlotLog& log = board_.Log(slot.index);
    const Duration wanted = SteadyTime(board_.strategy(), log.late_failures);
    Say(rule::kSteady, slot.index,
        "it crashed " + std::to_string(log.late_failures) + " times after it had taken its slot, the last: " +
            log.last_failure + "; it must stay ready for " + Ms(wanted),
        *until - wanted, until, "it stays ready for so long");
  }

  void Say(std::string_view id, int index, std::string text, std::optional<TimePoint> since,
           std::optional<TimePoint> until, std::string unblocks) {
    board_.plan().reasons.push_back({id, index, std::move(text), since, until, std::move(unblocks)});
    if (until) board_.plan().WakeAt(*until);
  }

  void Evacuating(const Slot& slot, const ActualLrp& old) {
    const std::string cell = old.cell_id.str();
    const std::string who = board_.CellDrains(old) ? "the instance on " + cell + ", which drains,"
                                                   : "the instance on " + cell + ", which was asked to go,";
    const ActualLrp* next = slot.ordinary;
    const bool nowhere = next && next->state == LrpState::kUnclaimed && !next->placement_error.empty();
    Say(rule::kEvacuating, slot.index,
        who + (nowhere ? " stays: no cell takes its replacement: " + next->placement_error
                       : " serves until its replacement is ready"),
        std::nullopt, std::nullopt,
        nowhere ? "a cell takes the new instance of slot " + std::to_string(slot.index)
                : "the new instance of slot " + std::to_string(slot.index) + " is ready");
  }

  void AtStage(const baton::Roll& roll) {
    const Stage* stage = NextStage(board_);
    if (stage && !stage->verdict_url.empty()) {
      return Say(rule::kVerdict, -1,
                 "it waits at " + StageName(board_) + " for the verdict of " + WithoutSecrets(stage->verdict_url) +
                     ": " + (roll.verdict.empty() ? "nothing was heard yet" : roll.verdict),
                 roll.stage_since, std::nullopt, "a verdict, or a promotion");
    }
    const bool ends = stage && stage->wait;
    Say(rule::kStage, -1, "it waits at " + StageName(board_), roll.stage_since,
        ends ? std::optional<TimePoint>(*roll.stage_since + *stage->wait) : std::nullopt,
        ends ? "its wait passes, or a promotion" : "a promotion");
  }

  void Retiring(const ActualLrp& old) {
    if (old.stop_ordered_at) {
      const bool overdue = board_.Overdue(old);
      Say(overdue ? rule::kOverdue : rule::kStopping, old.index,
          "the old instance on " + old.cell_id.str() + " was ordered to stop", old.stop_ordered_at, std::nullopt,
          overdue ? "its cell reports it gone, or the cell's lease ends" : "its cell reports it gone");
    } else if (old.awaits_drain) {
      const Moment& moment = board_.edit().moment();
      const std::size_t confirmed = moment.consumers.size() - Unconfirmed(old, moment).size();
      const std::string awaited = AwaitedRouters(old, moment);
      Say(rule::kDraining, old.index,
          "the old instance drains: " + std::to_string(confirmed) + " of " + std::to_string(moment.consumers.size()) +
              " routers report no more connections" + (awaited.empty() ? "" : ", " + awaited),
          old.retiring_since, old.drain_until > moment.now ? old.drain_until : std::nullopt,
          "every router reports it drained, or drain_timeout passes and each silent router is heard of or its lease ends");
    }
  }

  void BackOff(const Slot& slot) {
    const auto until = board_.BackOffUntil(slot.index);
    if (!board_.roll() || slot.index >= board_.instances()) return;
    const SlotLog& log = board_.Log(slot.index);
    const std::string attempts = std::to_string(log.failed_attempts) + " failed attempts";
    if (board_.GivenUp(slot.index)) {
      Say(rule::kGap, slot.index, attempts + ": given up, its old instance stays", log.last_failure_at, std::nullopt,
          "another definition");
    } else if (until && (board_.Moves() || board_.roll()->state == RollState::kPaused)) {
      Say(rule::kBackOff, slot.index, attempts + ", the next one waits " + Ms(*until - board_.now()),
          log.last_failure_at, until, "the back-off passes");
    }
  }

  void Starting(const Slot& slot, const ActualLrp* lrp) {
    if (!lrp || board_.Ready(lrp)) return;
    const Strategy& strategy = board_.strategy();
    if (lrp->state == LrpState::kUnclaimed) {
      if (board_.WaitsForSlot(slot, *lrp)) return;  // Retiring has said it
      Say(rule::kPlacing, slot.index,
          lrp->placement_error.empty() ? "it waits for a cell to claim it" : lrp->placement_error, lrp->since,
          std::nullopt, "a cell takes it");
    } else if (lrp->state == LrpState::kCrashed) {
      const TimePoint until = lrp->since + CrashBackOff(lrp->crash_count);
      if (!board_.IsNewcomer(lrp) && lrp->crash_count < kCrashesGivenUp && until > board_.now()) {
        Say(rule::kCrashBackOff, slot.index,
            "it crashed " + std::to_string(lrp->crash_count) + " times: " + lrp->crash_reason, lrp->since, until,
            "the back-off passes");
      }
    } else if (!lrp->routable || !lrp->routable_since) {
      const bool ran = lrp->state == LrpState::kRunning;
      Say(ran ? rule::kNotRoutable : rule::kStarting, slot.index,
          std::string(ran ? "it runs and is not routable" : "it starts") + " on " + lrp->cell_id.str() +
              "; start_timeout is " + Ms(board_.StartTimeout(*lrp)),
          lrp->claimed_at, std::nullopt, "its readiness checks pass");
    } else if (*lrp->routable_since + strategy.min_healthy_time > board_.now()) {
      Say(rule::kMinHealthy, slot.index, "it is routable; min_healthy_time is " + Ms(strategy.min_healthy_time),
          lrp->routable_since, *lrp->routable_since + strategy.min_healthy_time, "min_healthy_time passes");
    } else if (const std::uint32_t port = board_.UnmappedPort(*lrp)) {
      Say(rule::kUnmapped, slot.index,
          "a route leads to its port " + std::to_string(port) + ", which its cell has not mapped", lrp->routable_since,
          std::nullopt, "it is started anew, or the route leads elsewhere");
    } else if (!board_.AppliedByAll(*lrp)) {
      const std::vector<ConsumerId> counted = board_.CountedRouters(*lrp);
      const auto have = std::ranges::count_if(counted, [&](const ConsumerId& id) { return lrp->applied_by.contains(id); });
      Say(rule::kUnapplied, slot.index,
          std::to_string(have) + " of " + std::to_string(counted.size()) + " routers have its endpoint", lrp->routable_since,
          std::nullopt, "every registered router has applied it");
    }
  }

  SlotBoard& board_;
};

}  // namespace

void ExplainWaiting(SlotBoard& board) {
  Explainer explainer(board);
  explainer.Roll();
  explainer.AboveCeiling();
  explainer.Unroutable();
  for (const auto& [index, slot] : board.slots()) explainer.OneSlot(slot);
}

}  // namespace baton
