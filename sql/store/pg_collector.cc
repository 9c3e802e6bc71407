#include "sql/store/pg_collector.h"

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

// In a savepoint: false where something refers to one of them.
bool TryDelete(Session& session, std::span<const Collector::Unneeded> unneeded) {
  const SessionError in_use = session.Savepoint([&](Session& s) {
    // Deferred constraints would only speak at the commit, and take everything else down with them.
    s.Run("CheckReferencesNow");
    s.Run("DeleteDefinitions", KeysOf(unneeded));
  });
  if (!in_use.ok()) return false;
  ArrayParam guids, incarnations, payloads;
  for (const auto& [guid, key] : unneeded) {
    AppState app;
    app.guid = guid;
    const Event event{.kind = EventKind::kDefinitionCollected, .incarnation = key.incarnation, .definition = key.id};
    guids.Text(guid.str());
    incarnations.Int(key.incarnation);
    const std::string bound = EventBlobKey(Name(event.kind), guid.str(), key.incarnation);
    payloads.Bytes(session.Seal({"events", "payload", bound}, wire::Encode(event, app)));
  }
  session.Run("InsertCollectedEvents", {guids.str(), incarnations.str(), payloads.str()});
  return true;
}

// All at once; where something refers to one of them, the halves of it.
int Delete(Session& session, std::span<const Collector::Unneeded> unneeded) {
  if (unneeded.empty()) return 0;
  if (TryDelete(session, unneeded)) return static_cast<int>(unneeded.size());
  if (unneeded.size() == 1) return 0;
  const std::size_t half = unneeded.size() / 2;
  return Delete(session, unneeded.first(half)) + Delete(session, unneeded.subspan(half));
}

}  // namespace

Result<int> PgCollector::DeleteDefinitions(const std::vector<Unneeded>& definitions) {
  int deleted = 0;
  const Status status = Write([&](Session& session) { deleted = Delete(session, definitions); });
  if (!status) return status.error();
  if (deleted > 0 && wrote_) wrote_();
  return deleted;
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
