#include "sql/store/fence.h"

#include "orchestrator/base/errors.h"

namespace baton {
namespace {

constexpr Duration kAskAgainForRoom = seconds(5);  // somebody has to make some

}  // namespace

Error ExhaustedError(const SessionError& error) {
  const char* what = error.sqlstate == "53100"   ? "the database's disk is full"
                     : error.sqlstate == "53200" ? "the database is out of memory"
                                                 : "the database is out of resources";
  return {ErrorKind::kResourceExhausted, std::string(what) + "; nothing was done", kAskAgainForRoom};
}

FencedEnd TransactFenced(Session& session, const Leadership& leadership,
                         const std::function<void(Session&, TimePoint now)>& body) {
  return TransactFenced(session, leadership, {}, [&](Session& s, TimePoint now, const std::vector<Rows>&) { body(s, now); });
}

FencedEnd TransactFenced(Session& session, const Leadership& leadership, std::vector<Session::Step> first,
                         const std::function<void(Session&, TimePoint now, std::vector<Rows> rows)>& body) {
  first.insert(first.begin(), {"Fence", {leadership.name, std::to_string(leadership.epoch)}});
  FencedEnd end;
  end.error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    std::vector<Rows> rows = s.RunTogether(first);
    const Rows fence = std::move(rows.front());
    rows.erase(rows.begin());
    end.leads = !fence.empty();
    if (end.leads) body(s, fence[0].Time(), std::move(rows));
    return end.leads;
  });
  return end;
}

Status WriteFenced(Session& session, const Leadership& leadership, Log& log,
                   const std::function<void(Session&)>& body) {
  const FencedEnd end = TransactFenced(session, leadership, [&](Session& s, TimePoint) { body(s); });
  if (!end.error.ok()) {
    log.Warn("write_failed", {{"sqlstate", end.error.sqlstate}, {"error", end.error.detail}});
    if (end.error.fault == Fault::kExhausted) return ExhaustedError(end.error);
    return DatabaseAway();
  }
  if (!end.leads) return Away(kAnotherLeads);
  return Done{};
}

}  // namespace baton
