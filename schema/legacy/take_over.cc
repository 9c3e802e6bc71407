#include "schema/legacy/take_over.h"

#include <list>
#include <set>

#include "schema/legacy/apps/digest.h"
#include "schema/legacy/apps/join.h"
#include "schema/legacy/apps/merge.h"
#include "schema/legacy/apps/split.h"
#include "schema/legacy/rows.h"
#include "sql/read/app_reader.h"
#include "sql/session/session.h"
#include "sql/store/app_writer.h"
#include "sql/store/ids.h"

namespace baton {
namespace {

class Taking {
 public:
  Taking(Session& session, const std::vector<ProcessGuid>& guids, std::vector<std::string>& faults)
      : session_(session), guids_(guids.begin(), guids.end()), faults_(faults) {}

  void Run() {
    const std::vector<ProcessGuid> guids(guids_.begin(), guids_.end());
    // In this order: a batch of the store locks 2.x, writes 1.x, and logs it.
    const AppLoad load{.apps = guids, .lock = AppLoad::Lock::kInstancesToo};
    const std::vector<Rows> rows = session_.RunTogether(StepsOf(load));
    mine_ = TakeApps(session_, load, rows);
    ArrayParam names;
    for (const ProcessGuid& guid : guids) names.Text(guid.str());
    session_.Run("TakeLegacyChangesOf", {names.str()});
    locked_ = ShapesOf(ReadLegacyRows(session_, guids, /*lock=*/true));
    theirs_ = ShapesOf(ReadLegacyRows(session_, guids, /*lock=*/false));
    made_at_ = session_.Run("ReadLegacyMadeAt")[0].Time();
    moment_.now = session_.Run("ReadNow")[0].Time();
    ids_.Fill(session_, guids.size());
    moment_.ids = &ids_;
    for (const ProcessGuid& guid : guids) Take(guid);
    changes_.guards = GuardsOf(changes_, load, rows);
    WriteBatch(session_, changes_, moment_.now);
    WriteBack();
  }

 private:
  void Take(const ProcessGuid& guid) {
    if (const auto broken = mine_.broken.find(guid); broken != mine_.broken.end()) {
      return Fail(guid, broken->second.message);
    }
    const LegacyShape none;
    const auto found = theirs_.find(guid);
    const LegacyShape& shape = found == theirs_.end() ? none : found->second;
    if (!shape.fault.empty()) return Fail(guid, shape.fault);
    AppState& mine = mine_.apps.at(guid);
    if (!shape.app) {
      Keep(mine, Merge(mine, nullptr, moment_));
      if (!shape.orphans.empty()) Even(guid, [&] { gone_.push_back(guid); });
      return;
    }
    const SplitApp& split = splits_.emplace_back(Split(*shape.app, made_at_));
    for (const LegacyFinding& finding : split.findings) {
      if (finding.kind == LegacyFinding::Kind::kRow) {
        return Fail(guid, "legacy." + finding.table + " " + finding.key + ": " + finding.reason);
      }
    }
    Keep(mine, Merge(mine, &split, moment_));
    // The active definition has the content of theirs now, and so its run info.
    const auto joined = Join(mine, split.run_info);
    const auto said = Join(*split.state, split.run_info);
    if (joined && said && InStepBytes(*joined) != InStepBytes(*said)) {
      Even(guid, [&] { Rewrite(*joined, *shape.app, mine.desired->incarnation); });
    }
  }

  // The app stays in the change log until its rows are repaired.
  void Fail(const ProcessGuid& guid, const std::string& why) {
    faults_.push_back(guid.str() + ": " + why);
    again_.push_back(guid);
  }

  void Keep(const AppState& state, AppChanges changes) {
    if (!changes.empty()) changes_.apps[state.guid] = {&state, std::move(changes)};
  }

  // Writes the state of 2.x to 1.x, unless another transaction holds the app's rows there.
  template <class Write>
  void Even(const ProcessGuid& guid, Write&& write) {
    const auto rows = [&](const std::map<ProcessGuid, LegacyShape>& shapes) -> std::size_t {
      const auto found = shapes.find(guid);
      if (found == shapes.end()) return 0;
      return (found->second.app ? 1 + found->second.app->actuals.size() : 0) + found->second.orphans.size();
    };
    rows(locked_) == rows(theirs_) ? void(write()) : again_.push_back(guid);
  }

  void Rewrite(const LegacyApp& joined, const LegacyApp& shape, std::int64_t incarnation) {
    std::set<LegacyPlace> left;
    for (const LegacyInstance& lrp : shape.actuals) left.insert({lrp.index, lrp.presence});
    for (const LegacyInstance& lrp : joined.actuals) {
      left.erase({lrp.index, lrp.presence});
      upserts_.push_back({joined.guid, incarnation, false, lrp});
    }
    for (const LegacyPlace& place : left) cleared_.emplace_back(joined.guid, place);
    apps_.push_back(joined);
  }

  void WriteBack() {
    DeleteLegacyApps(session_, gone_);
    UpsertLegacyApps(session_, apps_);
    DeleteLegacyInstances(session_, cleared_);
    UpsertLegacyInstances(session_, upserts_);
    if (again_.empty()) return;
    ArrayParam names;
    for (const ProcessGuid& guid : again_) names.Text(guid.str());
    session_.Run("LogForeignChanges", {names.str()});
  }

  Session& session_;
  const std::set<ProcessGuid> guids_;
  std::vector<std::string>& faults_;
  LoadedApps mine_;
  std::map<ProcessGuid, LegacyShape> locked_;
  std::map<ProcessGuid, LegacyShape> theirs_;
  TimePoint made_at_;
  Moment moment_;
  DatabaseIds ids_;
  std::list<SplitApp> splits_;
  BatchChanges changes_;
  std::vector<ProcessGuid> gone_, again_;
  std::vector<LegacyApp> apps_;
  std::vector<LegacyUpsert> upserts_;
  std::vector<std::pair<ProcessGuid, LegacyPlace>> cleared_;
};

}  // namespace

void TakeOver(Session& session, const std::vector<ProcessGuid>& guids, std::vector<std::string>& faults) {
  if (!guids.empty()) Taking(session, guids, faults).Run();
}

}  // namespace baton
