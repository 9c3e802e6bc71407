// What convergence looks at and what it finds, as values: narrow rows of one snapshot in, findings out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/domain.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/fleet/fleet_count.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/roll.h"

namespace baton {

// docs/reference/convergence.md says of each what it means and what to do. The first eleven are Diego's, in its order.
enum class Category {
  kExpiredDomain,
  kStaleUnclaimed,
  kRestartableCrashed,
  kMissingCell,
  kCellBack,
  kMissingInstance,
  kExtraInstance,
  kOrphaned,
  kOrphanedSuspect,
  kExtraSuspect,
  kStaleRoutes,
  kStaleClaimed,
  kEvacuatedEnough,
  kCollectableDefinition,
  kUndrivenRoll,
  kUnprovenApp,
  kStuckRetiring,
  kOverdueStop,
  kGoneConsumer,
  kStaleDomainOrphan,
  kGivenUp,
  kSilentCell,
  kCellOutOfStep,
  kBrokenReference,
  kUnreadableRow,
  kUnservedRoute,
  kHeldRoll,
};
inline constexpr int kCategories = 27;

struct CategoryInfo {
  std::string_view name;
  bool repaired;  // a pass repairs it; otherwise it is reported, and an operator has to act
};
const CategoryInfo& InfoOf(Category category);

struct Finding {
  Category category = Category::kMissingInstance;
  ProcessGuid app;   // to be looked at; empty: none
  std::string what;  // for people: an app, a cell, a domain, with a word about it
};

// An instance that does not simply run, or whose cell is missing.
struct InstanceSight {
  ProcessGuid guid;
  std::string domain;
  int index = 0;
  Presence presence = Presence::kOrdinary;
  LrpState state = LrpState::kUnclaimed;
  TimePoint since;
  CellId cell;
  int crash_count = 0;
  std::optional<TimePoint> drain_until;
  std::optional<TimePoint> stop_ordered_at;
  bool desired = false;  // its app is, in whatever incarnation
  bool present = false;  // in the same one
};

// An app whose number of ORDINARY rows is not what is wanted.
struct CountSight {
  ProcessGuid guid;
  int wanted = 0;
  int rows = 0;
  int highest = -1;  // index
};

// An open roll.
struct RollSight {
  ProcessGuid guid;
  RollState state = RollState::kRolling;
  std::string reason;  // of a HELD one
};

// How deep a pass looks.
enum class PassKind {
  kIncremental,  // what changes: open rolls and what does not simply run
  kCount,        // and the number of instances of every app
  kAudit,        // and what only a hand or a fault can have done: references, unreadable rows, routes, what cells run
};

// One snapshot.
struct SweepView {
  PassKind kind = PassKind::kIncremental;
  TimePoint now;
  std::vector<CellRecord> cells;
  std::vector<InstanceSight> instances;
  std::vector<RollSight> open_rolls;
  std::vector<DomainRecord> domains;
  std::vector<ConsumerId> gone_consumers;
  std::vector<CountSight> counts;     // kCount on
  FleetCount fleet;                   // kCount on
  std::vector<ProcessGuid> unproven;  // kAudit: no roll, and the active definition is not the healthy one
  std::vector<Finding> faults;        // kAudit: broken references, as the database names them
};

// How much may be taken for lost at once. An empty or suddenly tiny set of cells is a fault to wait out.
struct LossLimits {
  int cells_percent = 50;       // of all cells, missing within the last wait_out; one cell always may be
  int instances_max = 10'000;   // on cells that one pass declares missing; one cell always may be
  Duration wait_out = std::chrono::minutes(2);  // beyond the lease; after it the percentage no longer applies
};

struct WaitedOut {
  CellId cell;
  std::string why;
  std::optional<TimePoint> until;  // nothing: until another cell is there
};

struct CellJudgement {
  std::vector<CellId> missing;  // are to be declared so
  std::vector<WaitedOut> waited_out;
};

}  // namespace baton
