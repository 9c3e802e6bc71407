#include "tests/sim/world.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "convergence/cells.h"
#include "orchestrator/base/check.h"
#include "orchestrator/model/names.h"
#include "orchestrator/roll/planner.h"
#include "orchestrator/roll/rules/collect.h"
#include "tests/sim/cell.h"
#include "tests/sim/leader.h"
#include "tests/sim/leadership.h"
#include "tests/sim/oracle.h"
#include "tests/sim/range.h"
#include "tests/sim/router.h"
#include "tests/sim/user.h"

namespace baton::sim {
namespace {

// Before the first schedule, and its threads.
[[maybe_unused]] const bool kBoardsAreChecked = check_boards = true;

constexpr std::size_t kNotesTold = 120;

}  // namespace

Options Options::Draw(std::uint64_t seed) {
  Rng rng(seed ^ 0xBA70'0000ull);
  Options o;
  o.seed = seed;
  o.apps = static_cast<int>(rng.Between(1, 3));
  o.cells = static_cast<int>(rng.Between(2, 4));
  o.routers = static_cast<int>(rng.Between(0, 2));
  o.instances_max = static_cast<int>(rng.Between(1, 5));
  o.cells_die = rng.Percent(40);
  o.links_break = rng.Percent(40);
  o.leader_crashes = rng.Percent(40);
  o.late_reports = rng.Percent(50);
  o.bad_versions = rng.Percent(60);
  o.scarce = rng.Percent(25);
  o.routers_lag = rng.Percent(25);
  o.deletes = rng.Percent(50);
  o.recreate = rng.Percent(20);
  o.store_faults = rng.Percent(25);
  o.stages = rng.Percent(25);
  o.cells_drain = rng.Percent(30);
  o.yields = rng.Percent(25);
  o.leader_pauses = rng.Percent(25);
  o.retires = rng.Percent(30);
  o.operations = static_cast<int>(rng.Between(4, 24));
  o.cells_reject = rng.Percent(30);
  o.routers_fall_silent = rng.Percent(25);
  o.routers_come = rng.Percent(25);
  return o;
}

Options Options::Split(int into) const {
  Options o = *this;
  o.partitions = into;
  if (into == 1) return o;
  Rng rng(seed ^ 0x5917'0000ull);
  o.apps += into;
  o.streams_break = rng.Percent(40);
  o.all_crash = rng.Percent(30);
  o.outages = rng.Percent(25);
  o.collects = rng.Percent(60);
  o.domains_flicker = rng.Percent(30);
  o.stale_rooms = rng.Percent(50);
  return o;
}

std::string Options::Text() const {
  std::ostringstream out;
  out << "seed " << seed << ": apps " << apps << ", cells " << cells << ", routers " << routers
      << ", instances <= " << instances_max << ", operations " << operations;
  if (partitions > 1) out << ", partitions " << partitions;
  for (const Trouble& trouble : kTroubles) {
    if (this->*trouble.on) out << ", " << trouble.name;
  }
  return out.str();
}

Behaviour BehaviourOf(const DefinitionId& id) {
  switch (id.str().at(0)) {
    case 's': return Behaviour::kSlow;
    case 'c': return Behaviour::kCrashes;
    case 'l': return Behaviour::kCrashesLater;
    case 'n': return Behaviour::kNeverReady;
    case 'd': return Behaviour::kDies;
    default: return Behaviour::kGood;
  }
}

World::World(const Options& options, bool notes)
    : options_(options), rng_(options.seed + options.course * 0x9E37'79B9ull), oracle_(std::make_unique<Oracle>(*this)),
      database_(std::make_unique<Database>(*this)), noting_(notes) {
  for (int i = 0; i < options.partitions; ++i) leaderships_.push_back(std::make_unique<Leadership>(*this, i));
  for (int i = 1; i <= options.cells; ++i) cells_.push_back(std::make_unique<Cell>(*this, "cell-" + std::to_string(i)));
  for (int i = 1; i <= options.routers; ++i) {
    routers_.push_back(std::make_unique<Router>(*this, "router-" + std::to_string(i)));
  }
}

World::~World() = default;

void World::After(Duration delay, std::function<void()> what) {
  queue_.push({now_ + delay, ++order_, std::move(what)});
}

void World::MayHappen(bool on, int most, const std::function<void()>& what) {
  if (!on) return;
  for (std::int64_t i = rng_.Between(1, most); i > 0; --i) After(Ms(0, Millis(options_.length)), what);
}

Cell& World::SomeCell() {
  return *cells_[static_cast<std::size_t>(rng_.Between(0, static_cast<std::int64_t>(cells_.size()) - 1))];
}

Leadership& World::LeadershipOf(const ProcessGuid& guid) {
  return *leaderships_[static_cast<std::size_t>(RangeOf(guid, options_.partitions))];
}

Leader& World::LeaderOf(const ProcessGuid& guid) { return LeadershipOf(guid).leader(); }

void World::MetByAll(Happening happening) {
  for (const auto& [guid, app] : store().apps()) met_.Count(PhaseOf(app), happening);
}

void World::Note(const std::string& text) {
  if (!noting_) return;
  std::ostringstream line;
  line << static_cast<double>(Micros(now_) - 1'000'000'000'000) / 1e6 << " s  " << text;
  notes_.push_back(line.str());
}

// Of what happened, the last that concerns the app that broke: its own, and what is nobody's.
void World::Broken(const std::string& what) {
  if (!broken_.empty()) return;
  const std::size_t at = what.find("app-");
  const std::string app =
      at == std::string::npos ? "" : what.substr(at, what.find_first_not_of("0123456789", at + 4) - at);
  std::vector<const std::string*> told;
  for (const std::string& note : notes_) {
    const bool anothers = note.find("app-") != std::string::npos && note.find(app) == std::string::npos;
    if (!anothers) told.push_back(&note);
  }
  std::ostringstream out;
  out << what << "\n" << options_.Text() << "\nthe last that happened:\n";
  for (std::size_t i = told.size() > kNotesTold ? told.size() - kNotesTold : 0; i < told.size(); ++i) {
    out << "  " << *told[i] << "\n";
  }
  broken_ = out.str();
}

std::string World::Explain(const ProcessGuid& guid) {
  AppState app = store().app(guid);
  std::ostringstream out;
  out << "  instances " << app.desired->instances << ", active " << app.desired->active << ", healthy "
      << app.desired->healthy << "\n";
  for (const auto& [id, lrp] : app.actuals) {
    out << "  slot " << lrp.index << ": " << id << " " << Name(lrp.presence) << " " << Name(lrp.state) << " of "
        << lrp.definition << " on " << lrp.cell_id << (lrp.routable ? " routable" : "") << " applied by "
        << lrp.applied_by.size() << " roll " << lrp.roll_id << "\n";
  }
  AppEdit edit(app, store().moment(), "explain");
  const Plan plan = PlanRoll(edit);
  for (const Reason& reason : plan.reasons) {
    out << "  reason " << reason.index << " " << reason.rule << ": " << reason.text << "\n";
  }
  return out.str();
}

FakeStore& World::store() { return database_->store(); }

void World::Met(const ProcessGuid& guid, Happening happening) { met_.Count(PhaseOf(store().app(guid)), happening); }

void World::MetReport(const ProcessGuid& guid, const std::string& name) {
  met_.CountReport(PhaseOf(store().app(guid)), name);
}

void World::Committed(const std::string& name, const AppState& app, const AppChanges& changes,
                      std::optional<RollState> before) {
  if (noting_) NoteChanges(name, app.guid, changes);
  if (const std::string again = starts_.Committed(name, app, changes); !again.empty()) Broken(again);
  if (app.roll && app.roll->state != before) met_.CountEnd(app.roll->state);
  for (const Roll& roll : changes.closed_rolls) met_.CountEnd(roll.state);
  // The routers are told: what a commit in doubt left untold is told with the next one (Committed::full_snapshot).
  if (changes.empty()) return;
  for (const auto& router : routers_) router->Follow(app);
}

void World::RenewCell(const CellId& id, Duration lease) {
  CellLease& cell = store().moment().cells[id];
  cell.expires_at = now_ + lease;
  cell.missing = false;
  missing_since_.erase(id);
}

void World::JudgeSilentCells() {
  auto& leases = store().moment().cells;
  const auto silent = [&](const auto& entry) { return !entry.second.missing && entry.second.expires_at <= now_; };
  if (std::ranges::none_of(leases, silent)) return;
  std::vector<CellRecord> records;
  for (const auto& [id, lease] : leases) {
    CellRecord record;
    record.id = id;
    record.lease_expires_at = lease.expires_at;
    if (const auto at = missing_since_.find(id); at != missing_since_.end()) record.missing_since = at->second;
    records.push_back(std::move(record));
  }
  for (const CellId& id : JudgeCells(records, now_, {.wait_out = seconds(20)}).missing) {
    Note(id.str() + " is declared missing");
    leases.at(id).missing = true;
    missing_since_[id] = now_;
  }
}

void World::NoteChanges(const std::string& name, const ProcessGuid& guid, const AppChanges& changes) {
  for (const Event& event : changes.events) {
    const auto& lrp = event.actual_after ? event.actual_after : event.actual_before;
    if (!lrp) continue;
    Note(name + ": " + guid.str() + " " + std::string(baton::Name(event.kind)) + " " + lrp->id.str() + " slot " +
         std::to_string(lrp->index) + " " + std::string(Name(lrp->presence)) + " " + std::string(Name(lrp->state)) +
         " of " + lrp->definition.str() + " on " + lrp->cell_id.str() + (lrp->routable ? " routable" : ""));
  }
  for (const RollStep& step : changes.steps) {
    Note(name + ": " + guid.str() + " " + std::string(Name(step.kind)) + " slot " + std::to_string(step.index) + " " +
         step.actual_id.str() + " " + step.definition.str() + ": " + step.text);
  }
}

bool World::RunUntil(TimePoint end) {
  while (broken_.empty() && !queue_.empty() && queue_.top().at <= end) {
    const Entry entry = queue_.top();
    queue_.pop();
    now_ = entry.at;
    entry.what();
  }
  now_ = end;
  return broken_.empty();
}

void World::BeginTrouble() {
  const Duration length = options_.length;
  for (int i = 0; i < options_.operations; ++i) {
    After(Ms(0, Millis(length)), [this] { ActAsUser(*this); });
  }
  MayHappen(options_.cells_die, 3, [this] {
    Cell* cell = &SomeCell();
    MetByAll(Happening::kCellDies);
    cell->Die();
    After(Ms(500, 40000), [cell] { cell->Heal(); });
  });
  MayHappen(options_.cells_drain, 3, [this] {
    Cell* cell = &SomeCell();
    MetByAll(Happening::kCellDrains);
    cell->Drain(true);
    After(Ms(500, 60000), [this, cell] {
      if (!calm_) cell->Drain(false);
    });
  });
  MayHappen(options_.cells_reject, 6, [this] {
    if (store().apps().empty()) return;
    auto app = store().apps().begin();
    std::advance(app, rng_.Between(0, static_cast<std::int64_t>(store().apps().size()) - 1));
    if (!app->second.desired) return;
    const Cell::Lacking lacking{now_ + Ms(500, 60000), rng_.Percent(50), rng_.Percent(50)};
    if (rng_.Percent(15)) return SomeCell().RejectAll(lacking);
    if (rng_.Percent(50)) return SomeCell().RejectFor(app->second.desired->active, lacking);
    for (const auto& cell : cells_) cell->RejectFor(app->second.desired->active, lacking);
  });
  MayHappen(options_.links_break, 3, [this] {
    Cell* cell = &SomeCell();
    MetByAll(Happening::kLinkBreaks);
    cell->BreakLink();
    After(Ms(500, 40000), [cell] { cell->Heal(); });
  });
  for (const auto& one : leaderships_) MayHappen(options_.leader_crashes, 3, [&one] { one->CrashLeader(); });
  for (const auto& one : leaderships_) {
    MayHappen(options_.leader_pauses, 3, [this, &one] { one->leader().Pause(Ms(100, 12000)); });
  }
  MayHappen(options_.routers_fall_silent && !routers_.empty(), 4, [this] {
    Router& router = *routers_[static_cast<std::size_t>(rng_.Between(0, static_cast<std::int64_t>(routers_.size()) - 1))];
    router.FallSilent(Ms(500, 25000));
  });
  MayHappen(options_.routers_come, 2, [this] {
    const std::string id = "late-" + std::to_string(routers_.size());
    routers_.push_back(std::make_unique<Router>(*this, id, rng_.Percent(50) ? Router::Comes::kMute : Router::Comes::kLate));
  });
}

void World::BeginTroubleOfPartitions() {
  const auto some = [this]() -> Leadership& {
    return *leaderships_[static_cast<std::size_t>(rng_.Between(0, options_.partitions - 1))];
  };
  MayHappen(options_.streams_break, 4, [this, some] {
    Cell& cell = SomeCell();
    Leadership& leadership = some();
    cell.Cut(leadership);
    After(Ms(500, 40000), [&cell, &leadership] { cell.Mend(leadership); });
  });
  MayHappen(options_.all_crash, 2, [this] {
    for (const auto& one : leaderships_) one->CrashLeader();
  });
  MayHappen(options_.outages, 1, [this, some] {
    Leadership& leadership = some();
    Note("nobody stands for " + leadership.lease() + " any more");
    leadership.GoAway();
    if (rng_.Percent(50)) return;
    After(Ms(61'000, 120'000), [&leadership] {
      if (leadership.away()) leadership.Return();
    });
  });
  MayHappen(options_.domains_flicker, 6, [this] {
    auto& fresh = store().moment().fresh_domains;
    if (fresh.erase("sim") == 0) fresh.insert("sim");
  });
  if (!options_.collects) return;
  for (const auto& one : leaderships_) CollectNowAndThen(*one);
}

// Of all apps, not of its own only: what keeps a definition is what refers to it, whoever leads its app. By then the
// look at the rows is old.
void World::CollectNowAndThen(Leadership& leadership) {
  After(Ms(5000, 20000), [this, &leadership] {
    if (calm_) return;
    if (leadership.Answers()) {
      for (const auto& [guid, app] : store().apps()) {
        for (const DefinitionKey& key : Unreferenced(app, kHistoryDefault)) {
          After(Ms(10, 3000), [this, guid = guid, key] { database_->Collect(guid, key); });
        }
      }
    }
    CollectNowAndThen(leadership);
  });
}

void World::CalmDown() {
  calm_ = true;
  Note("calm");
  store().moment().fresh_domains.clear();
  for (const auto& cell : cells_) {
    cell->SetCapacity(100);
    cell->RejectNothing();
    cell->Heal();
    for (const auto& one : leaderships_) cell->Mend(*one);
  }
  // What drains goes on draining, as long as there is somewhere else to go.
  if (std::ranges::all_of(cells_, [](const auto& cell) { return cell->Drains(); })) cells_.front()->Drain(false);
  for (const auto& one : leaderships_) {
    if (!one->away()) one->Return();
  }
  EndAsUser(*this);
}

bool World::ComeToRest() {
  // Enough for the slowest: every slot once through failures, drains and stops, rolled back, and the longest back-off
  // of crashes so far (16 min).
  for (int minute = 0; minute < 40 && !(minute > 1 && oracle_->Settled()); ++minute) {
    if (!RunUntil(now_ + seconds(60))) return false;
    EndAsUser(*this);
  }
  oracle_->AtEnd();
  database_->outbox().AtEnd();
  return broken_.empty();
}

std::string World::Run() {
  for (const auto& cell : cells_) {
    if (options_.scarce) cell->SetCapacity(static_cast<int>(rng_.Between(1, 4)));
    cell->StartHeartbeats();
  }
  for (const auto& one : leaderships_) one->Begin();
  BeginTrouble();
  if (options_.partitions > 1) BeginTroubleOfPartitions();
  if (!RunUntil(now_ + options_.length)) return broken_;
  CalmDown();
  if (!ComeToRest()) return broken_;
  // Everybody else's apps came to rest without those who were away.
  const auto away = std::ranges::find_if(leaderships_, [](const auto& one) { return one->away(); });
  if (away == leaderships_.end()) return broken_;
  (*away)->Return();
  ComeToRest();
  return broken_;
}

}  // namespace baton::sim
