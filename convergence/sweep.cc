#include "convergence/sweep.h"

#include <algorithm>
#include <future>
#include <utility>

#include "convergence/cells.h"
#include "convergence/gauges.h"
#include "convergence/plan.h"

namespace baton {
namespace {

constexpr int kCollectedMax = 20'000;  // of one look: a look costs as much for one as for all
constexpr std::size_t kDeletedAtOnce = 250;  // their apps are locked for some 25 ms
constexpr int kAuditPage = 500;
// Entries of the table `audit`, which has nothing to do with the pass of that name: so many a transaction, and so many
// transactions at a time.
constexpr int kAuditDeletedAtOnce = 5000;
constexpr int kAuditDeletes = 40;
constexpr std::chrono::seconds kSecondLook(2);
constexpr std::chrono::minutes kTidyInterval(5);
constexpr Duration kRetryAfter = seconds(1);  // after a pass that failed
// Collecting takes at most this share of the time.
constexpr int kCollectShare = 50;

}  // namespace

Sweep::Sweep(Reads& reads, Leader& leader, Registry& registry, Collector& collector, Log& log, Metrics& metrics,
             Options options)
    : reads_(reads), leader_(leader), registry_(registry), collector_(collector), log_(log), metrics_(metrics),
      options_(options), ticker_(
                             options.interval, [this] { return Tick(); }, [this] { Tick(); }) {}

void Sweep::Lead() {
  const std::lock_guard lock(mutex_);
  leading_ = anew_ = true;
  report_ = SweepReport();
  report_.limits = options_.losses;
  ticker_.Wake();
}

void Sweep::Follow() {
  const std::lock_guard lock(mutex_);
  leading_ = false;
  ticker_.Wake();
}

void Sweep::RunNow(Answer done) {
  {
    const std::lock_guard lock(mutex_);
    if (leading_ && !ticker_.stopping()) {
      asked_.push_back(std::move(done));
      return ticker_.Wake();
    }
  }
  done(report());
}

SweepReport Sweep::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

Ticker::Wait Sweep::Tick() {
  std::unique_lock lock(mutex_);
  if (!leading_ && std::exchange(counted_, false)) ClearGauges(metrics_);
  const auto asked = std::exchange(asked_, {});
  const std::int64_t failed_before = report_.failed;
  const bool leads = leading_ && !ticker_.stopping();
  if (leads) {
    if (std::exchange(anew_, false)) {
      first_ = true;
      next_audit_ = next_collect_ = {};
    }
    lock.unlock();
    Pass(asked.empty() ? NextKind(Steady::now()) : PassKind::kAudit);
    lock.lock();
  }
  Result<SweepReport> report = report_;
  if (report->failed > failed_before) {
    report = Error{ErrorKind::kUnavailable, "the pass failed: " + report->last_failure, kRetryAfter};
  }
  lock.unlock();
  if (leads && Over()) report = Error{ErrorKind::kUnavailable, "the pass was broken off: this batond leads no more", kRetryAfter};
  for (const auto& done : asked) done(report);
  return options_.interval;
}

bool Sweep::Over() const {
  const std::lock_guard lock(mutex_);
  return !leading_ || anew_ || ticker_.stopping();
}

PassKind Sweep::NextKind(Steady::time_point now) {
  if (first_ || now >= next_audit_) return PassKind::kAudit;
  return now >= next_count_ ? PassKind::kCount : PassKind::kIncremental;
}

Status Sweep::Read(const std::function<Status(Reader&)>& body) {
  std::promise<Status> done;
  reads_.Run([&](Result<Reader*> reader) { done.set_value(reader ? body(**reader) : Status(reader.error())); });
  return done.get_future().get();
}

std::set<ProcessGuid> Sweep::OpenRolls() {
  std::promise<std::set<ProcessGuid>> open_rolls;
  leader_.roller().OpenRolls([&](std::set<ProcessGuid> guids) { open_rolls.set_value(std::move(guids)); });
  return open_rolls.get_future().get();
}

void Sweep::Pass(PassKind kind) {
  const auto began = Steady::now();
  // Looked after before or behind the look at the rows: in between rolls end, and others begin.
  std::set<ProcessGuid> driven = OpenRolls();
  SweepView view;
  const Status status = Read([&](Reader& reader) -> Status {
    auto read = reader.ReadSweep(kind);
    if (!read) return read.error();
    view = *std::move(read);
    return Done{};
  });
  if (!status) return Failed(status);
  driven.merge(OpenRolls());
  SetGauges(metrics_, view);
  counted_ = true;
  std::vector<Finding> findings = FindOut(view, driven);
  Wake(view, findings, /*all=*/kind == PassKind::kAudit);
  Judge(view);
  if (kind == PassKind::kAudit) Audit(findings);
  if (kind != PassKind::kIncremental) FindUnservedRoutes(findings);
  Collect(kind, findings);
  if (Over()) return;
  const std::chrono::duration<double, std::milli> took = Steady::now() - began;
  if (kind != PassKind::kIncremental) next_count_ = Steady::now() + options_.count_every;
  if (kind == PassKind::kAudit) next_audit_ = Steady::now() + options_.audit_every;
  first_ = false;
  Publish(kind, view.now, findings, took.count());
  if (Steady::now() < next_tidying_) return;
  next_tidying_ = Steady::now();
  if (DeleteOld()) next_tidying_ += kTidyInterval;
}

// Refusals are few, by RefusalBook's limits; what is done is as much as the database takes, and so would be what is left of
// it here if the rest of it waited for the next time: then that is the next pass.
bool Sweep::DeleteOld() {
  const Status tidied = collector_.DeleteOld();
  Result<int> deleted = kAuditDeletedAtOnce;
  for (int i = 0; tidied && deleted && *deleted == kAuditDeletedAtOnce && i < kAuditDeletes; ++i) {
    deleted = collector_.DeleteAudit(options_.audit_kept, kAuditDeletedAtOnce);
  }
  if (tidied && deleted) return *deleted < kAuditDeletedAtOnce;
  log_.Warn("tidying_failed", {{"error", tidied ? deleted.error().message : tidied.error().message}});
  return true;  // it is tried again when it is due again
}

// A finding is a reason to look, no more: the planner reads the app's rows itself.
void Sweep::Wake(const SweepView& view, const std::vector<Finding>& findings, bool all) {
  std::set<ProcessGuid> apps;
  std::set<ProcessGuid> rolls;
  for (const Finding& finding : findings) {
    if (!finding.app.empty()) (finding.category == Category::kUndrivenRoll ? rolls : apps).insert(finding.app);
  }
  // Where nothing is known of what happened before, or a rule above was forgotten: everything that is on its way, rolls
  // first.
  if (all) {
    for (const InstanceSight& one : view.instances) apps.insert(one.guid);
    for (const RollSight& roll : view.open_rolls) rolls.insert(roll.guid);
  }
  for (const ProcessGuid& guid : rolls) {
    leader_.roller().Wake(guid);
    apps.erase(guid);
  }
  for (const ProcessGuid& guid : apps) leader_.roller().WakeInTurn(guid);
  const bool expired = std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.category == Category::kExpiredDomain;
  });
  if (!expired) return;
  registry_.DeleteExpiredDomains([this](const Status& status) {
    if (!status) log_.Warn("domains_not_deleted", {{"error", status.error().message}});
  });
}

void Sweep::Judge(const SweepView& view) {
  const bool silent = std::ranges::any_of(view.cells, [&](const CellRecord& cell) {
    return !cell.missing_since && cell.lease_expires_at <= view.now;
  });
  std::vector<WaitedOut> waited_out;
  if (silent) {
    std::promise<Result<CellJudgement>> judged;
    registry_.JudgeCells(
        [limits = options_.losses](const std::vector<CellRecord>& cells, TimePoint now) {
          return JudgeCells(cells, now, limits);
        },
        [&](const Result<CellJudgement>& judgement) { judged.set_value(judgement); });
    const Result<CellJudgement> judgement = judged.get_future().get();
    if (!judgement) return Failed(judgement.error());
    for (const CellId& cell : judgement->missing) {
      log_.Warn("cell_lost", {{"cell", cell.str()}});
      metrics_.Count("baton_cells_lost_total");
      leader_.cells().WakeAppsOn(cell);
    }
    waited_out = judgement->waited_out;
  }
  metrics_.Set("baton_cells_waited_out", static_cast<double>(waited_out.size()));
  const std::lock_guard lock(mutex_);
  if (report_.waited_out.empty()) {
    for (const WaitedOut& one : waited_out) {
      log_.Warn("cell_waited_out", {{"cell", one.cell.str()}, {"why", one.why}});
    }
  }
  report_.waited_out = std::move(waited_out);
}

// What only a hand or a fault can have done: rows that cannot be read, and routes and instances on cells that are not
// the rows'.
void Sweep::Audit(std::vector<Finding>& findings) {
  leader_.cells().audit().Begin();
  std::set<ProcessGuid> unread;
  ProcessGuid after;
  for (bool last = false; !last && !Over();) {
    std::promise<std::vector<ProcessGuid>> stale;
    const Status status = Read([&](Reader& reader) -> Status {
      auto page = reader.ReadApps(after, kAuditPage);
      if (!page) return page.error();
      RouteAudit::Apps apps{.after = after, .last = page->next};
      for (const auto& [guid, fault] : page->broken) {
        findings.push_back({Category::kUnreadableRow, {}, guid.str() + ": " + fault});
        apps.broken.insert(guid);
      }
      unread.insert(apps.broken.begin(), apps.broken.end());
      last = !page->next;
      if (!last) after = *page->next;
      leader_.cells().audit().See(CellAudit::RowsOf(page->apps));
      apps.read = std::move(page->apps);
      leader_.routes().Audit(std::move(apps),
                             [&](std::vector<ProcessGuid> guids) { stale.set_value(std::move(guids)); });
      return Done{};
    });
    if (!status) return Failed(status);
    for (const ProcessGuid& guid : stale.get_future().get()) {
      findings.push_back({Category::kStaleRoutes, {}, guid.str()});
    }
  }
  if (!Over()) AuditCells(std::move(unread), findings);
}

// What differs twice: what is under way at the store, or answered by a cell in the next moment, is over by then.
void Sweep::AuditCells(std::set<ProcessGuid> unread, std::vector<Finding>& findings) {
  std::promise<CellAudit::Rows> suspects;
  leader_.cells().audit().Suspects(std::move(unread),
                                   [&](CellAudit::Rows rows) { suspects.set_value(std::move(rows)); });
  const auto doubtful = Differing(suspects.get_future().get(), /*ask=*/false);
  if (!doubtful) return Failed(doubtful.error());
  if (doubtful->empty() || !ticker_.Rest(kSecondLook) || Over()) return;
  const auto differ = Differing(*doubtful, /*ask=*/true);
  if (!differ) return Failed(differ.error());
  for (const Fleet::Holding& one : *differ) {
    findings.push_back({Category::kCellOutOfStep, {}, one.cell.str() + ": " + one.guid.str() + ", " + one.id.str()});
  }
}

Result<CellAudit::Rows> Sweep::Differing(const CellAudit::Rows& suspects, bool ask) {
  std::map<ProcessGuid, CellAudit::Rows> of_app;
  for (const Fleet::Holding& one : suspects) of_app[one.guid].push_back(one);
  CellAudit::Rows differ;
  for (const auto& [guid, rows] : of_app) {
    if (Over()) break;
    std::promise<CellAudit::Rows> judged;
    const Status status = Read([&](Reader& reader) -> Status {
      auto app = reader.ReadApp(guid);
      if (!app && app.error().kind == ErrorKind::kNotFound) app = AppRead();  // nothing is left of it
      if (!app) return app.error();
      leader_.cells().audit().Compare(rows, app->app, ask,
                                      [&](CellAudit::Rows of_these) { judged.set_value(std::move(of_these)); });
      return Done{};
    });
    if (!status && IsTransient(status.error())) return status.error();
    if (!status) continue;  // it cannot be read, which the audit says by itself
    for (const Fleet::Holding& one : judged.get_future().get()) differ.push_back(one);
  }
  return differ;
}

// A route that nobody serves for as long as between two counts: an app that has just been asked for needs a moment, and
// who asks for passes one after the other makes it no shorter.
void Sweep::FindUnservedRoutes(std::vector<Finding>& findings) {
  std::set<std::pair<ProcessGuid, Route>> all, told;
  ProcessGuid after;
  do {
    std::promise<RouteBook::Unserved> promised;
    leader_.routes().UnservedAfter(after, [&](RouteBook::Unserved page) { promised.set_value(std::move(page)); });
    RouteBook::Unserved page = promised.get_future().get();
    all.insert(page.routes.begin(), page.routes.end());
    after = page.next;
    if (Over()) return;
  } while (!after.empty());
  const auto now = Steady::now();
  std::map<std::pair<ProcessGuid, Route>, Steady::time_point> unserved;
  for (const auto& one : all) {
    const auto before = unserved_.find(one);
    const auto since = unserved.emplace(one, before == unserved_.end() ? now : before->second).first->second;
    if (now - since < options_.count_every) continue;
    findings.push_back({Category::kUnservedRoute, one.first, one.first.str() + ": no instance serves " + Name(one.second)});
    told.insert(one);
    if (told_.contains(one)) continue;
    log_.Warn(
        "route_unserved",
        {{"app", one.first.str()},
         {"route", Name(one.second)},
         {"reason", "no instance has served it for " +
                        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now - since).count()) + " s"}});
  }
  metrics_.Set("baton_routes_unserved", static_cast<double>(unserved.size()));
  unserved_ = std::move(unserved);
  told_ = std::move(told);
}

void Sweep::Collect(PassKind kind, std::vector<Finding>& findings) {
  const auto began = Steady::now();
  if (kind != PassKind::kAudit && began < next_collect_) return;
  ProcessGuid after;
  for (bool last = false; !last && !Over();) {
    std::vector<AppState> apps;
    Status status = Read([&](Reader& reader) -> Status {
      auto page = reader.ListCollectable(after, options_.history, kCollectedMax);
      if (!page) return page.error();
      apps = *std::move(page);
      return Done{};
    });
    if (!status) return Failed(status);
    std::vector<Collector::Unneeded> unneeded;
    for (const AppState& app : apps) {
      for (const DefinitionKey& key : Unreferenced(app, options_.history)) {
        unneeded.push_back({app.guid, key});
        findings.push_back({Category::kCollectableDefinition, {}, app.guid.str() + "/" + key.id.str()});
      }
    }
    last = apps.size() < kCollectedMax;
    if (!last) after = apps.back().guid;
    if (!Delete(unneeded)) return;
  }
  next_collect_ = Steady::now() + (Steady::now() - began) * kCollectShare;
}

// Transactions of a size that holds nobody up for long.
bool Sweep::Delete(const std::vector<Collector::Unneeded>& unneeded) {
  for (std::size_t at = 0; at < unneeded.size() && !Over(); at += kDeletedAtOnce) {
    const auto first = unneeded.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(kDeletedAtOnce, unneeded.size() - at));
    const auto deleted = collector_.DeleteDefinitions({first, last});
    if (!deleted) return Failed(deleted.error()), false;
    if (*deleted == 0) continue;  // their apps are busy: the next pass
    metrics_.Count("baton_definitions_collected_total", {}, *deleted);
    log_.Info("definitions_collected",
              {{"count", *deleted}, {"first", first->guid.str() + "/" + first->key.id.str()}});
  }
  return true;
}

void Sweep::Publish(PassKind kind, TimePoint now, const std::vector<Finding>& findings, double took_ms) {
  constexpr const char* kNames[kPassKinds] = {"incremental", "count", "audit"};
  const auto index = static_cast<std::size_t>(kind);
  metrics_.Observe("baton_convergence_pass_seconds", took_ms / 1000, kNames[index]);
  std::array<std::int64_t, kCategories> counts{};
  const SweepReport before = report();
  for (const Finding& finding : findings) ++counts.at(static_cast<std::size_t>(finding.category));
  for (int i = 0; i < kCategories; ++i) {
    const auto category = static_cast<Category>(i);
    if (!LooksFor(kind, category)) continue;
    const auto count = static_cast<double>(counts.at(static_cast<std::size_t>(i)));
    metrics_.Set("baton_convergence_found", count, InfoOf(category).name);
    metrics_.Count("baton_convergence_found_total", InfoOf(category).name, count);
    // What stays as it is was told already.
    if (count == 0 || before.categories.at(static_cast<std::size_t>(i)).found == counts.at(static_cast<std::size_t>(i))) {
      continue;
    }
    const auto example = std::ranges::find(findings, category, &Finding::category);
    log_.Write(InfoOf(category).repaired ? LogLevel::kInfo : LogLevel::kError, "convergence",
               {{"pass", kNames[index]},
                {"category", InfoOf(category).name},
                {"found", static_cast<std::int64_t>(count)},
                {"first", example->what}});
  }
  const std::lock_guard lock(mutex_);
  Note(report_, kind, now, findings);
  report_.passes.at(index) = {now, took_ms};
}

void Sweep::Failed(const Status& status) {
  log_.Warn("convergence_failed", {{"error", status.error().message}});
  metrics_.Count("baton_convergence_failed_total");
  const std::lock_guard lock(mutex_);
  ++report_.failed;
  report_.last_failure = status.error().message;
}

}  // namespace baton
