#include "schema/migrator/step_runner.h"

#include <algorithm>
#include <utility>

#include "orchestrator/base/errors.h"
#include "schema/layouts.h"
#include "schema/migrator/from_legacy.h"
#include "schema/migrator/sql_copier.h"
#include "sql/session/session.h"

namespace baton {
namespace {

constexpr int kTries = 5;  // of a transaction that met a deadlock or waited for a lock in vain
constexpr std::size_t kNamesMax = 20;

std::string Key(std::int64_t version, PartKind kind, const std::string& name) {
  return std::to_string(version) + " " + std::string(Name(kind)) + " " + name;
}

void Record(Session& s, const Migration& m, const MigrationStep& step, bool done, const std::string& checkpoint,
            std::int64_t rows) {
  s.Run("WriteMigrationStep", {std::to_string(m.version), std::string(Name(step.kind)), step.name,
                               done ? "true" : "false", checkpoint, std::to_string(rows)});
}

double SecondsSince(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

std::string Listed(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesMax); ++i) list += "\n  " + names[i];
  if (names.size() > kNamesMax) list += "\n  and " + std::to_string(names.size() - kNamesMax) + " more";
  return list;
}

std::string Say(const MigrationProgress& p) {
  std::string text =
      "migrating the data from schema " + std::to_string(p.from) + " to " + std::to_string(p.to) + " (" + p.step + ")";
  const std::int64_t all = p.rows_done + p.rows_left;
  if (all <= 0) return text;
  text += ": " + std::to_string(p.rows_done * 100 / all) + " %, " + std::to_string(p.rows_done) + " rows done, " +
          std::to_string(p.rows_left) + " left";
  if (p.rows_done > 0 && p.rows_left > 0) {
    text += ", about " +
            std::to_string(static_cast<std::int64_t>(
                p.seconds * static_cast<double>(p.rows_left) / static_cast<double>(p.rows_done) + 1)) +
            " s";
  }
  return text;
}

Status StepRunner::Within(const std::function<Status(Session&)>& body) {
  for (int tried = 1;; ++tried) {
    Status status = Done{};
    const SessionError error = session_.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      if (options_.fence && !options_.fence(s)) {
        status = Error{ErrorKind::kAborted, kAnotherLeads, {}};
        return false;
      }
      status = body(s);
      return status.ok();
    });
    if (error.ok()) return status;
    if (error.fault == Fault::kTryAgain && tried < kTries) continue;
    if (error.sqlstate == kNoPrivilege) {
      return Error{ErrorKind::kFailedPrecondition,
                   "the migration did not go on: " + error.detail +
                       ": give batond --database-owner with a role that may make and alter "
                       "tables (baton_migrator of schema/roles.sql)",
                   {}};
    }
    return Error{ErrorKind::kUnavailable, "the migration did not go on: " + error.detail, seconds(1)};
  }
}

void StepRunner::SetRange(std::int64_t from, std::int64_t to) {
  progress_.from = from;
  progress_.to = to;
}

Status StepRunner::ReadSteps() {
  return Within([&](Session& s) -> Status {
    steps_.clear();
    for (const auto& row : s.Run("ReadMigrationSteps")) {
      steps_[row.Text("version") + " " + row.Text("kind") + " " + row.Text("name")] = {
          row.Bool("done"), row.Text("checkpoint"), row.Int("rows_done")};
    }
    return Done{};
  });
}

bool StepRunner::WasDone(const Migration& migration, const MigrationStep& step) const {
  const auto state = steps_.find(Key(migration.version, step.kind, step.name));
  return state != steps_.end() && state->second.done;
}

std::unique_ptr<Copier> StepRunner::CopierOf(const std::string& name) {
  auto copier = options_.copier ? options_.copier(name) : nullptr;
  if (!copier) copier = LegacyCopierOf(name);
  return copier ? std::move(copier) : std::make_unique<SqlCopier>(name);
}

Status StepRunner::Count(const std::vector<const Migration*>& pending, PartKind kind) {
  return Within([&](Session& s) -> Status {
    progress_.rows_left = 0;
    for (const Migration* m : pending) {
      for (const MigrationStep& step : m->Of(kind)) {
        const StepState& done = steps_[Key(m->version, kind, step.name)];
        if (!done.done) progress_.rows_left += CopierOf(step.name)->CountLeft(s, done.checkpoint);
      }
    }
    return Done{};
  });
}

bool StepRunner::Tell(const Migration& migration, const MigrationStep& step) {
  progress_.step = Key(migration.version, step.kind, step.name);
  progress_.seconds = SecondsSince(began_);
  return !options_.progress || options_.progress(progress_);
}

Status StepRunner::Run(const Migration& migration, const MigrationStep& step) {
  if (WasDone(migration, step)) return Done{};
  if (!Tell(migration, step)) return Error{ErrorKind::kAborted, "it was asked to stop", {}};
  switch (step.kind) {
    case PartKind::kCopy:
    case PartKind::kDownCopy: return RunCopy(migration, step);
    case PartKind::kOutside: return RunOutside(migration, step);
    default: return RunScript(migration, step);
  }
}

Status StepRunner::RunScript(const Migration& migration, const MigrationStep& step) {
  return Within([&](Session& s) -> Status {
    if (migration.version == kFromLegacy) RunFromLegacy(s, step);
    for (const std::string& statement : StatementsOf(step.sql)) s.RunScript(statement);
    Record(s, migration, step, true, "", 0);
    return Done{};
  });
}

// Checked by its effect: it has no transaction that could say whether it was done.
Status StepRunner::RunOutside(const Migration& migration, const MigrationStep& step) {
  bool there = false;
  bool whole = false;
  const auto look = [&](Session& s) -> Status {
    const Rows state = s.Run("ReadIndexState", {step.name});
    there = !state.empty();
    whole = there && state[0].Bool();
    return Done{};
  };
  if (Status status = Within(look); !status) return status;
  std::vector<std::string> statements;
  if (there && !whole) statements.push_back("DROP INDEX CONCURRENTLY " + step.name);
  if (!whole) statements.push_back(step.sql);
  for (const std::string& statement : statements) {
    const SessionError error = session_.RunAlone(statement);
    if (!error.ok()) return Error{ErrorKind::kUnavailable, "the migration did not go on: " + error.detail, seconds(1)};
  }
  return Within([&](Session& s) -> Status {
    if (Status status = look(s); !status) return status;
    if (!whole) return Error{ErrorKind::kUnavailable, "index " + step.name + " did not become whole", seconds(1)};
    Record(s, migration, step, true, "", 0);
    return Done{};
  });
}

Status StepRunner::RunCopy(const Migration& migration, const MigrationStep& step) {
  const auto copier = CopierOf(step.name);
  StepState& state = steps_[Key(migration.version, step.kind, step.name)];
  std::vector<std::string> faults;
  // The stored progress stays before the first row that could not be copied, although the search for more faults goes
  // on. A later run, after a kill too, meets that row again.
  StepState kept = state;
  while (!state.done) {
    CopyBatch batch;
    StepState next;
    const Status status = Within([&](Session& s) -> Status {
      batch = copier->Next(s, state.checkpoint, options_.batch);
      const bool clean = faults.empty() && batch.faults.empty();
      next = clean ? StepState{batch.done, batch.checkpoint, state.rows + batch.rows} : kept;
      Record(s, migration, step, next.done, next.checkpoint, next.rows);
      return Done{};
    });
    if (!status) return status;
    kept = next;
    state = {batch.done, batch.checkpoint, state.rows + batch.rows};
    faults.insert(faults.end(), batch.faults.begin(), batch.faults.end());
    progress_.rows_done += batch.rows;
    progress_.rows_left = std::max<std::int64_t>(0, progress_.rows_left - batch.rows);
    if (!Tell(migration, step)) return Error{ErrorKind::kAborted, "it was asked to stop", {}};
  }
  if (faults.empty()) return Done{};
  return Error{ErrorKind::kFailedPrecondition,
               "the migration cannot take over " + std::to_string(faults.size()) + " rows:" + Listed(faults),
               {}};
}

Status StepRunner::RunAll(const Migration& migration, PartKind kind) {
  for (const MigrationStep& step : migration.Of(kind)) {
    if (Status status = Run(migration, step); !status) return status;
  }
  return Done{};
}

MigrationReport StepRunner::Report() {
  MigrationReport report{
      .from = progress_.from, .to = progress_.to, .rows = progress_.rows_done, .seconds = SecondsSince(began_)};
  (void)Within([&](Session& s) -> Status {
    report.lrps = s.Run("CountLrps")[0].Int();
    return Done{};
  });
  return report;
}

}  // namespace baton
