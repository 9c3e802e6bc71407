#include "tests/sim/world.h"

#include <sstream>
#include <tuple>

#include "orchestrator/model/check.h"
#include "orchestrator/model/names.h"
#include "orchestrator/roll/planner.h"
#include "tests/sim/cell.h"
#include "tests/sim/leader.h"
#include "tests/sim/oracle.h"
#include "tests/sim/router.h"
#include "tests/sim/user.h"

namespace baton::sim {

Options Options::Draw(std::uint64_t seed) {
  Rng rng(seed ^ 0xBA70'0000ull);
  Options o;
  o.seed = seed;
  o.apps = static_cast<int>(rng.Between(1, 3));
  o.cells = static_cast<int>(rng.Between(2, 4));
  o.routers = static_cast<int>(rng.Between(0, 2));
  o.instances_most = static_cast<int>(rng.Between(1, 5));
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
  o.operations = static_cast<int>(rng.Between(4, 24));
  return o;
}

std::string Options::Text() const {
  std::ostringstream out;
  out << "seed " << seed << ": apps " << apps << ", cells " << cells << ", routers " << routers
      << ", instances <= " << instances_most << ", operations " << operations << (cells_die ? ", cells die" : "")
      << (links_break ? ", links break" : "") << (leader_crashes ? ", leader crashes" : "")
      << (late_reports ? ", late reports" : "") << (bad_versions ? ", bad versions" : "") << (scarce ? ", scarce" : "")
      << (routers_lag ? ", routers lag" : "") << (deletes ? ", deletes" : "") << (recreate ? ", recreate" : "")
      << (store_faults ? ", store faults" : "") << (stages ? ", stages" : "");
  return out.str();
}

Behaviour BehaviourOf(const DefinitionId& id) {
  switch (id.str().at(0)) {
    case 's': return Behaviour::kSlow;
    case 'c': return Behaviour::kCrashes;
    case 'l': return Behaviour::kCrashesLater;
    case 'n': return Behaviour::kNeverReady;
    default: return Behaviour::kGood;
  }
}

World::World(const Options& options, bool notes)
    : options_(options), rng_(options.seed), oracle_(std::make_unique<Oracle>(*this)),
      leader_(std::make_unique<Leader>(*this)), noting_(notes) {
  for (int i = 1; i <= options.cells; ++i) cells_.push_back(std::make_unique<Cell>(*this, "cell-" + std::to_string(i)));
  for (int i = 1; i <= options.routers; ++i) {
    routers_.push_back(std::make_unique<Router>(*this, "router-" + std::to_string(i)));
  }
}

World::~World() = default;

void World::After(Duration delay, std::function<void()> what) {
  queue_.push({now_ + delay, ++order_, std::move(what)});
}

void World::MetByAll(Happening happening) {
  for (const auto& [guid, app] : store_.apps()) met_.Count(PhaseOf(app), happening);
}

void World::Note(const std::string& text) {
  if (!noting_) return;
  std::ostringstream line;
  line << static_cast<double>(Micros(now_) - 1'000'000'000'000) / 1e6 << " s  " << text;
  notes_.push_back(line.str());
}

void World::Broken(const std::string& what) {
  if (!broken_.empty()) return;
  std::ostringstream out;
  out << what << "\n" << options_.Text() << "\nthe last that happened:\n";
  for (std::size_t i = notes_.size() > 400 ? notes_.size() - 400 : 0; i < notes_.size(); ++i)
    out << "  " << notes_[i] << "\n";
  broken_ = out.str();
}

std::string World::Explain(const ProcessGuid& guid) {
  AppState app = store_.app(guid);
  std::ostringstream out;
  out << "  instances " << app.desired->instances << ", active " << app.desired->active << ", healthy "
      << app.desired->healthy << "\n";
  for (const auto& [id, lrp] : app.actuals) {
    out << "  slot " << lrp.index << ": " << id << " " << Name(lrp.presence) << " " << Name(lrp.state) << " of "
        << lrp.definition << " on " << lrp.cell_id << (lrp.routable ? " routable" : "") << " applied by "
        << lrp.applied_by.size() << " roll " << lrp.roll_id << "\n";
  }
  AppEdit edit(app, store_.moment(), "explain");
  const Plan plan = PlanRoll(edit);
  for (const Reason& reason : plan.reasons) {
    out << "  reason " << reason.index << " " << reason.rule << ": " << reason.text << "\n";
  }
  return out.str();
}

Status World::Apply(const std::string& name, const ProcessGuid& guid, const std::function<Status(AppEdit&)>& decide,
                    Driven* driven) {
  store_.moment().now = now_;
  const auto first = [&](AppEdit& edit) {
    Status status = decide ? decide(edit) : Status(Done{});
    if (status) oracle_->Before(edit.state());
    return status;
  };
  met_.CountReport(PhaseOf(store_.app(guid)), name);
  const auto before = store_.app(guid).roll ? std::optional(store_.app(guid).roll->state) : std::nullopt;
  const bool unlucky = options_.store_faults && !calm_ && rng_.Percent(3);
  const bool lost = unlucky && rng_.Percent(50);
  const Status away = Error{ErrorKind::kUnavailable, "the database went away", milliseconds(100)};
  if (lost) {
    Met(guid, Happening::kCommitLost);
    Note(name + " of " + guid.str() + ": the commit is lost");
    return away;
  }
  Call call;
  call.name = name;
  call.guid = guid;
  call.actor = name;
  Status result = Done{};
  call.decide = [&](AppEdit& edit) { return driven ? DecideAndPlan(edit, first, *driven) : first(edit); };
  call.done = [&](const Status& status) { result = status; };
  store_.Submit(std::move(call));
  if (!result) return result;
  const AppState& app = store_.app(guid);
  const AppChanges& changes = store_.last_changes();
  if (noting_) NoteChanges(name, guid, changes);
  if (app.roll && app.roll->state != before) met_.CountEnd(app.roll->state);
  for (const Roll& roll : changes.closed_rolls) met_.CountEnd(roll.state);
  oracle_->AfterCommit(name, app, changes);
  // The routers are told: what a commit in doubt left untold is told with the next one (Committed::anew).
  if (!changes.empty()) {
    for (const auto& router : routers_) router->Follow(app);
  }
  if (!unlucky) return result;
  Met(guid, Happening::kAnswerLost);
  Note(name + " of " + guid.str() + ": it is done, and its answer is lost");
  return away;
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

void World::CalmDown() {
  calm_ = true;
  Note("calm");
  for (const auto& cell : cells_) {
    cell->SetCapacity(100);
    cell->Heal();
  }
  if (!leader_->up()) leader_->Start();
  EndAsUser(*this);
}

std::string World::Run() {
  for (const auto& cell : cells_) {
    if (options_.scarce) cell->SetCapacity(static_cast<int>(rng_.Between(1, 4)));
    cell->StartHeartbeats();
  }
  leader_->Start();
  const Duration length = options_.length;
  for (int i = 0; i < options_.operations; ++i) {
    After(Ms(0, Millis(length)), [this] { ActAsUser(*this); });
  }
  const auto trouble = [&](bool on, int most, auto what) {
    if (!on) return;
    for (std::int64_t i = rng_.Between(1, most); i > 0; --i) After(Ms(0, Millis(length)), what);
  };
  const auto some_cell = [this] {
    return cells_[static_cast<std::size_t>(rng_.Between(0, static_cast<std::int64_t>(cells_.size()) - 1))].get();
  };
  trouble(options_.cells_die, 3, [this, some_cell] {
    Cell* cell = some_cell();
    MetByAll(Happening::kCellDies);
    cell->Die();
    After(Ms(500, 40000), [cell] { cell->Heal(); });
  });
  trouble(options_.links_break, 3, [this, some_cell] {
    Cell* cell = some_cell();
    MetByAll(Happening::kLinkBreaks);
    cell->BreakLink();
    After(Ms(500, 40000), [cell] { cell->Heal(); });
  });
  trouble(options_.leader_crashes, 3, [this] {
    if (!leader_->up()) return;
    leader_->Crash();
    After(Ms(200, 6000), [this] {
      if (!leader_->up()) leader_->Start();
    });
  });
  if (!RunUntil(now_ + length)) return broken_;
  CalmDown();
  // Enough for the slowest: every slot once through failures, drains and stops, rolled back, and the longest back-off
  // of crashes so far (16 min).
  for (int minute = 0; minute < 40 && !(minute > 1 && oracle_->Settled()); ++minute) {
    if (!RunUntil(now_ + seconds(60))) return broken_;
    EndAsUser(*this);
  }
  oracle_->AtEnd();
  return broken_;
}

}  // namespace baton::sim
