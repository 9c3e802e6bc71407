#include "sql/calls/pg_audit.h"

#include <chrono>

#include "orchestrator/base/errors.h"
#include "sql/session/columns.h"

namespace baton {

void PgAudit::Lead(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  leadership_ = leadership;
}

Status PgAudit::Append(const std::vector<RefusedWrite>& refused) {
  using Steady = std::chrono::steady_clock;
  const auto begun = Steady::now();
  const auto session = session_.Get();
  if (!session) return session.error();
  Leadership leadership;
  {
    const std::lock_guard lock(mutex_);
    leadership = leadership_;
  }
  const FencedEnd end = TransactFenced(**session, leadership, [&](Session& s, TimePoint) {
    // A connection may have had to be made first, and those that follow have one: their order must not change by that.
    const auto waited = std::chrono::duration_cast<Duration>(Steady::now() - begun);
    Columns rows(6);
    for (const auto& [entry, ago] : refused) {
      rows.Row()
          .Text(entry.actor)
          .Text(entry.method)
          .Text(entry.guid)
          .Text(entry.request_id)
          .Text(StoredOutcome(entry))
          .Int((ago + waited).count());
    }
    rows.RunIfAny(s, "InsertRefusals");
  });
  // Such data is no better the next time (classes 22 and 23); whatever else was wrong may be.
  if (end.error.fault == Fault::kConstraint) return Error{ErrorKind::kInvalidArgument, end.error.detail, {}};
  if (!end.error.ok()) return Away(end.error.detail);
  if (!end.leads) return Away(kAnotherLeads);
  return Done{};
}

}  // namespace baton
