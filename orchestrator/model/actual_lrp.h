// An instance: one row with an id of its own from its creation. Its definition never changes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/route.h"

namespace baton {

enum class Presence { kOrdinary, kSurge, kSuspect, kEvacuating, kRetiring };
enum class LrpState { kUnclaimed, kClaimed, kRunning, kCrashed };

struct ModificationTag {
  std::string epoch;
  std::uint32_t index = 0;

  bool operator==(const ModificationTag&) const = default;
};

// What its cell reports for API clients to read; batond does not interpret it.
struct Labels {
  std::vector<std::string> internal_routes;        // host names inside the platform
  std::map<std::string, std::string> metric_tags;  // as resolved for this instance

  bool operator==(const Labels&) const = default;
};

struct ActualLrp {
  ActualId id;
  std::string domain;  // its app's: the instance outlives the app's row
  std::int64_t incarnation = 0;
  int index = 0;
  Presence presence = Presence::kOrdinary;
  DefinitionId definition;
  RollId roll_id;  // the roll that made it as a newcomer; empty: a repair

  LrpState state = LrpState::kUnclaimed;
  InstanceGuid instance_guid;  // both empty while UNCLAIMED or CRASHED
  CellId cell_id;
  NetInfo net_info;
  Labels labels;
  std::string zone;
  TimePoint since;  // last change of state
  // Its starts that are over, the latest last, kEndedStartsMax at most: what comes late of one of them starts nothing.
  std::vector<InstanceGuid> ended_starts;

  bool routable = false;
  std::optional<TimePoint> routable_since;  // without a break
  std::optional<TimePoint> claimed_at;      // of this start
  // When a newcomer of a roll was first ready in its slot, and so took it.
  std::optional<TimePoint> handed_over_at;
  // Since when its slot is not served, as far as this row knows; carried over to the row that replaces it.
  std::optional<TimePoint> down_since;

  int crash_count = 0;
  std::string crash_reason;
  std::string placement_error;

  // It is to be replaced although it is well (RetireInstances); of this start only.
  bool retire_asked = false;

  std::set<ConsumerId> applied_by;  // route consumers that sent requests to it can reach
  std::set<ConsumerId> drained_by;

  // From here on for RETIRING. The strategy's times are fixed in the row, because the app may be gone by then.
  std::optional<TimePoint> retiring_since;
  bool awaits_drain = false;                  // it had an endpoint when it became RETIRING
  std::optional<TimePoint> drain_not_before;  // retiring_since + drain_min
  std::optional<TimePoint> drain_until;       // retiring_since + drain_timeout
  std::optional<TimePoint> stop_ordered_at;

  ModificationTag tag;

  bool operator==(const ActualLrp&) const = default;
};

// CLAIMED or RUNNING: a process may exist on a cell.
inline bool MayRun(const ActualLrp& lrp) { return lrp.state == LrpState::kClaimed || lrp.state == LrpState::kRunning; }

// So many starts of one row take minutes, because a crashed one waits longer each time (backoff.h), and a report is
// late by seconds. A bound, because a row that crashes for days is written with all of them.
inline constexpr std::size_t kEndedStartsMax = 8;

// Ends the start that the row describes: no process of it runs. The caller sets the new state.
void EndStart(ActualLrp& row);

// One of the row's own, which is over. A cell makes a new guid for each start, so it is never claimed rightly again.
bool HasEnded(const ActualLrp& lrp, const InstanceGuid& start);

}  // namespace baton
