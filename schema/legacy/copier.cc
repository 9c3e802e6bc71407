#include "schema/legacy/copier.h"

#include <future>
#include <list>

#include "orchestrator/model/app_edit.h"
#include "schema/legacy/apps/split.h"
#include "schema/legacy/findings.h"
#include "schema/legacy/rows.h"
#include "sql/session/session.h"
#include "sql/store/app_writer.h"

namespace baton {
namespace {

// Deletes all rows of the target layout between two apps, including apps that 1.x no longer has.
void ClearTarget(Session& session, const std::string& after, const std::string& last) {
  for (const char* statement : {"ClearActuals", "ClearRolls", "ClearDesired", "ClearDefinitions"}) {
    session.Run(statement, {after, last});
  }
}

BatchChanges::One Whole(const AppState& state, std::string run_info) {
  BatchChanges::One one;
  one.after = &state;
  one.changes.desired = true;
  for (const auto& [key, definition] : state.definitions) one.changes.new_definitions.emplace(key, std::move(run_info));
  for (const auto& [id, lrp] : state.actuals) one.changes.inserted.insert(id);
  return one;
}

// On two cores: it is most of what this side of the database does.
std::vector<SplitApp> SplitAll(const std::vector<LegacyApp>& apps, TimePoint made_at) {
  std::vector<SplitApp> splits(apps.size());
  const auto range = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) splits[i] = Split(apps[i], made_at);
  };
  const auto first_half = std::async(std::launch::async, range, 0, apps.size() / 2);
  range(apps.size() / 2, apps.size());
  first_half.wait();
  return splits;
}

// Behind every name, in the order of bytes.
constexpr char kLast[] = "\xF4\x8F\xBF\xBF";

void FinishCopy(Session& session, const std::string& checkpoint, CopyBatch& copied) {
  ClearTarget(session, checkpoint, kLast);
  for (const auto row : session.Run("ListLegacyOrphans", {checkpoint})) {
    copied.faults.push_back(row.Text() + ": legacy.actual_lrps has instances of it, and it is no app");
  }
  session.Run("CopyLegacyDomains");
  session.Run("PassFirstIncarnation", {std::to_string(kFirstIncarnation)});
}

}  // namespace

std::int64_t LegacyCopier::CountLeft(Session& session, const std::string& checkpoint) {
  return session.Run("CountLegacyRows", {checkpoint})[0].Int();
}

CopyBatch LegacyCopier::Next(Session& session, const std::string& checkpoint, int most) {
  const LegacyBatch batch = ReadLegacyApps(session, checkpoint, most);
  CopyBatch copied{.rows = batch.rows, .checkpoint = checkpoint, .faults = batch.broken};
  if (batch.last.empty()) {
    FinishCopy(session, checkpoint, copied);
    copied.done = true;
    return copied;
  }
  copied.checkpoint = batch.last;
  ClearTarget(session, checkpoint, batch.last);
  const TimePoint made_at = session.Run("ReadLegacyMadeAt")[0].Time();
  std::list<AppState> states;  // the changes point into it
  BatchChanges changes;
  std::vector<LegacyFinding> findings;
  for (SplitApp& split : SplitAll(batch.apps, made_at)) {
    for (LegacyFinding& finding : split.findings) {
      if (finding.kind == LegacyFinding::Kind::kRow) {
        copied.faults.push_back(finding.key + ": " + finding.table + ": " + finding.reason);
      } else {
        findings.push_back(std::move(finding));
      }
    }
    if (!split.state) continue;
    const AppState& state = states.emplace_back(*std::move(split.state));
    changes.apps.emplace(state.guid, Whole(state, std::move(split.run_info)));
  }
  WriteBatch(session, changes, made_at);
  KeepFindings(session, findings);
  return copied;
}

}  // namespace baton
