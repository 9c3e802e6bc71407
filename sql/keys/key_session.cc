#include "sql/keys/key_session.h"

#include "orchestrator/base/errors.h"

namespace baton {

Result<Session*> KeySession::Connected() {
  if (!session_ || session_->broken()) {
    auto opened = Session::Open(url_, cipher_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
  }
  return session_.get();
}

Status KeySession::Read(const std::function<void(Session&)>& body) {
  const auto session = Connected();
  if (!session) return session.error();
  const SessionError error = (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    body(s);
    return true;
  });
  if (error.ok()) return Done{};
  log_.Warn("keys_not_read", {{"sqlstate", error.sqlstate}, {"error", error.detail}});
  return DatabaseAway();
}

Status KeySession::Write(const std::function<void(Session&)>& body) {
  const auto session = Connected();
  if (!session) return session.error();
  return WriteFenced(**session, leadership_, log_, body);
}

}  // namespace baton
