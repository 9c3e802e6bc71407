#include "sql/pg_collector.h"

#include "orchestrator/model/event.h"
#include "orchestrator/wire/stored.h"
#include "schema/envelope.h"

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
    auto opened = Session::Open(url_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
  }
  return WriteFenced(*session_, leadership, log_, body);
}

Result<int> PgCollector::DeleteDefinitions(const ProcessGuid& guid, const std::vector<DefinitionKey>& keys) {
  int deleted = 0;
  const Status status = Write([&](Session& session) {
    for (const DefinitionKey& key : keys) {
      // Deferred constraints would only speak at the commit, and take the others down with them.
      const SessionError in_use = session.Savepoint([&](Session& s) {
        s.Run("CheckReferencesNow");
        s.Run("DeleteDefinition", {guid.str(), std::to_string(key.incarnation), key.id.str()});
      });
      if (!in_use.ok()) continue;
      ++deleted;
      AppState app;
      app.guid = guid;
      const Event event{.kind = EventKind::kDefinitionCollected, .incarnation = key.incarnation, .definition = key.id};
      ArrayParam bytes;
      bytes.Bytes(SealBlob({"events", "payload", guid.str()}, wire::Encode(event, app)));
      session.Run("InsertEvent",
                  {std::string(Name(event.kind)), guid.str(), std::to_string(key.incarnation), bytes.str()});
    }
  });
  if (!status) return status.error();
  return deleted;
}

Status PgCollector::DeleteOld() {
  return Write([](Session& s) {
    for (const char* statement : {"DeleteOldHistory", "DeleteOldEvents", "DeleteOldAnswers"}) s.Run(statement);
  });
}

}  // namespace baton
