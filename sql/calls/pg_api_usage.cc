#include "sql/calls/pg_api_usage.h"

#include "orchestrator/base/errors.h"
#include "sql/session/array.h"

namespace baton {
namespace {

std::vector<Param> UsageColumns(const std::vector<ApiCalls>& calls) {
  ArrayParam apis, methods, callers, counts, first, last;
  for (const ApiCalls& one : calls) {
    apis.Text(one.method.api);
    methods.Text(one.method.name);
    callers.Text(one.caller);
    counts.Int(one.calls);
    first.Int(Millis(one.first_ago));
    last.Int(Millis(one.last_ago));
  }
  return {apis.str(), methods.str(), callers.str(), counts.str(), first.str(), last.str()};
}

}  // namespace

void PgApiUsage::Lead(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  leadership_ = leadership;
}

Result<bool> PgApiUsage::Add(const std::vector<ApiCalls>& calls) {
  const auto session = session_.Get();
  if (!session) return session.error();
  Leadership leadership;
  {
    const std::lock_guard lock(mutex_);
    leadership = leadership_;
  }
  bool has_place = false;
  const FencedEnd end = TransactFenced(**session, leadership, [&](Session& s, TimePoint) {
    has_place = s.Run("ApiUsageTableExists")[0].Bool();
    if (!has_place || calls.empty()) return;
    s.Run("AddApiUsage", UsageColumns(calls));
    s.Run("FoldApiUsage", {std::to_string(kCallersMax)});
  });
  if (!end.error.ok()) return DatabaseAway();
  if (!end.leads) return Away(kAnotherLeads);
  return has_place;
}

Result<std::vector<ApiUse>> PgApiUsage::Read() {
  const auto session = session_.Get();
  if (!session) return session.error();
  std::vector<ApiUse> uses;
  const SessionError error = (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    uses.clear();
    for (const auto row : s.Run("ReadApiUsage")) {
      uses.push_back({{row.Text("api_version"), row.Text("method")}, row.Text("caller"), row.Int("calls"), row.Time("first_at"),
                      row.Time("last_at")});
    }
    return true;
  });
  if (!error.ok()) return DatabaseAway();
  return uses;
}

}  // namespace baton
