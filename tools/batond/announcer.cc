#include "tools/batond/announcer.h"

#include "sql/session/session.h"

namespace baton {
namespace {

constexpr Duration kEvery = seconds(2);

}  // namespace

Announcer::Announcer(std::string url, Log& log, std::function<Member()> now)
    : url_(std::move(url)), log_(log), now_(std::move(now)), thread_([this] { Run(); }) {}

Announcer::~Announcer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  thread_.join();
}

void Announcer::Say() {
  const std::lock_guard lock(mutex_);
  changed_ = true;
  wake_.notify_all();
}

void Announcer::Run() {
  std::unique_ptr<Session> session;
  bool said = false;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_ = false;
    lock.unlock();
    if (!session || session->broken()) {
      auto opened = Session::Open(url_);
      session = opened ? *std::move(opened) : nullptr;
    }
    said = session && Announce(*session, now_());
    lock.lock();
    wake_.wait_for(lock, kEvery, [&] { return stopping_ || (changed_ && said); });
  }
  lock.unlock();
  if (!said) return;
  (void)session->Transact(Session::Isolation::kReadCommitted,
                          [&](Session& s) { return s.Run("ForgetMember", {now_().id}), true; });
}

bool Announcer::Announce(Session& session, const Member& member) {
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    if (!s.Run("MembersTableExists")[0].Bool()) return false;
    s.Run("AnnounceMember", {member.id, member.address, std::to_string(member.schema), member.semver,
                             member.app_version, member.state, member.why});
    s.Run("ForgetMembers");
    return true;
  });
  if (!error.ok()) log_.Debug("not_announced", {{"error", error.detail}});
  return error.ok();
}

}  // namespace baton
