// The changes of a batch, written with one set-based statement for each kind of row.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/calls/audit.h"
#include "orchestrator/ports/event_log.h"
#include "sql/session/session.h"
#include "sql/store/row_guards.h"

namespace baton {

struct AnswerToKeep {
  std::string key;
  std::string method;
  std::string request_hash;
  std::string answer;
};

struct BatchChanges {
  struct One {
    const AppState* after = nullptr;
    AppChanges changes;
  };
  std::map<ProcessGuid, One> apps;
  RowGuards guards;  // of each instance that is changed or removed
  std::vector<AnswerToKeep> answers;
  std::vector<AuditEntry> audit;
};

// What an event's payload is bound to (orchestrator/crypto/encrypted_columns.cc).
std::string EventBlobKey(std::string_view kind, const std::string& guid, std::int64_t incarnation);

// Within a transaction, and sent with its COMMIT (Session::Write). `now` is the batch's time: events carry it.
// `events`: becomes those that it writes, with their sequences once they are sent, and lives until then; null: nobody
// wants them.
void WriteBatch(Session& session, const BatchChanges& batch, TimePoint now, std::vector<EventRow>* events = nullptr);

}  // namespace baton
