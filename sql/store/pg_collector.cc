#include "sql/store/pg_collector.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

#include "orchestrator/model/event.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/session/array.h"
#include "sql/store/app_writer.h"

namespace baton {

void PgCollector::Lead(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  leadership_ = leadership;
}

Status PgCollector::Write(const std::function<void(Session&)>& body) {
  Leadership leadership;
  {
    const std::lock_guard lock(mutex_);
    leadership = leadership_;
  }
  if (!session_ || session_->broken()) {
    auto opened = Session::Open(url_, cipher_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
  }
  return WriteFenced(*session_, leadership, log_, body);
}

namespace {

// What `unneeded` names, as three arrays.
std::vector<Param> KeysOf(std::span<const Collector::Unneeded> unneeded) {
  ArrayParam guids, incarnations, identifiers;
  for (const auto& [guid, key] : unneeded) {
    guids.Text(guid.str());
    incarnations.Int(key.incarnation);
    identifiers.Text(key.id.str());
  }
  return {guids.str(), incarnations.str(), identifiers.str()};
}

// Without those whose app somebody is writing: they are found again by the next pass.
std::vector<Collector::Unneeded> OfFreeApps(Session& session, std::span<const Collector::Unneeded> unneeded) {
  ArrayParam guids;
  for (const auto& one : unneeded) guids.Text(one.guid.str());
  std::set<std::string> busy;
  for (const Rows::Row& row : session.Run("LockCollected", {guids.str()})) busy.insert(row.Text("process_guid"));
  std::vector<Collector::Unneeded> free;
  std::ranges::copy_if(unneeded, std::back_inserter(free),
                       [&](const auto& one) { return !busy.contains(one.guid.str()); });
  return free;
}

void Tell(Session& session, const Rows& deleted) {
  ArrayParam guids, incarnations, payloads;
  for (const Rows::Row& row : deleted) {
    AppState app;
    app.guid = ProcessGuid(row.Text("process_guid"));
    const Event event{.kind = EventKind::kDefinitionCollected,
                      .incarnation = row.Int("incarnation"),
                      .definition = DefinitionId(row.Text("definition_identifier"))};
    guids.Text(app.guid.str());
    incarnations.Int(event.incarnation);
    const std::string bound = EventBlobKey(Name(event.kind), app.guid.str(), event.incarnation);
    payloads.Bytes(session.Seal({"events", "payload", bound}, wire::Encode(event, app)));
  }
  session.Run("InsertCollectedEvents", {guids.str(), incarnations.str(), payloads.str()});
}

// One that somebody has locked by hand is left as one that is in use: its app's writers wait for this transaction.
constexpr char kPatience[] = "100ms";

// All at once, in a savepoint; where something refers to one of them, the halves of it.
std::size_t Delete(Session& session, std::span<const Collector::Unneeded> unneeded) {
  if (unneeded.empty()) return 0;
  Rows deleted;
  const SessionError in_use = session.Savepoint([&](Session& s) {
    // Deferred constraints would only speak at the commit, and take everything else down with them.
    s.Run("CheckReferencesNow");
    deleted = s.Run("DeleteDefinitions", KeysOf(unneeded));
  });
  if (in_use.ok()) {
    if (deleted.size() > 0) Tell(session, deleted);
    return deleted.size();
  }
  const bool one_of_them = in_use.fault == Fault::kConstraint || in_use.fault == Fault::kTryAgain;
  if (!one_of_them || unneeded.size() == 1) return 0;
  const std::size_t half = unneeded.size() / 2;
  return Delete(session, unneeded.first(half)) + Delete(session, unneeded.subspan(half));
}

}  // namespace

Result<int> PgCollector::DeleteDefinitions(const std::vector<Unneeded>& definitions) {
  std::size_t deleted = 0;
  const Status status = Write([&](Session& session) {
    session.Run("WaitForLocksAtMost", {kPatience});
    deleted = Delete(session, OfFreeApps(session, definitions));
  });
  if (!status) return status.error();
  if (deleted > 0 && wrote_) wrote_();
  return static_cast<int>(deleted);
}

Status PgCollector::DeleteOld() {
  return Write([](Session& s) {
    for (const char* statement : {"DeleteOldHistory", "DeleteOldEvents", "DeleteOldAnswers", "DeleteExpiredConsumers",
                                  "DeleteGoneCells"}) s.Run(statement);
  });
}

Result<int> PgCollector::DeleteAudit(Duration age, int most) {
  std::int64_t deleted = 0;
  const Status status = Write([&](Session& s) {
    deleted = s.Run("DeleteOldAudit", {std::to_string(Millis(age) / 1000), std::to_string(most)})[0].Int();
  });
  return status ? Result<int>(static_cast<int>(deleted)) : Result<int>(status.error());
}

}  // namespace baton
