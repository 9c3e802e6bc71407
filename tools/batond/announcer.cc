#include "tools/batond/announcer.h"

#include "sql/session/session.h"

namespace baton::batond {
namespace {

constexpr Duration kInterval = seconds(2);

}  // namespace

Announcer::Announcer(std::string url, Log& log, std::function<Member()> now)
    : url_(std::move(url)), log_(log), now_(std::move(now)),
      ticker_(
          Ticker::Wait(0), [this] { return Announce(); }, [this] { Forget(); }) {}

Announcer::~Announcer() = default;

Ticker::Wait Announcer::Announce() {
  if (!session_ || session_->broken()) {
    auto opened = Session::Open(url_);
    session_ = opened ? *std::move(opened) : nullptr;
  }
  said_ = session_ && Write(now_());
  return kInterval;
}

void Announcer::Forget() {
  if (!said_) return;
  (void)session_->Transact(Session::Isolation::kReadCommitted,
                           [&](Session& s) { return s.Run("ForgetMember", {now_().id}), true; });
}

bool Announcer::Write(const Member& member) {
  const SessionError error = session_->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    if (!s.Run("MembersTableExists")[0].Bool()) return false;
    s.Run("AnnounceMember", {member.id, member.address, std::to_string(member.schema), member.semver,
                             member.app_version, member.state, member.why});
    s.Run("ForgetMembers");
    return true;
  });
  if (!error.ok()) log_.Debug("not_announced", {{"error", error.detail}});
  return error.ok();
}

}  // namespace baton::batond
