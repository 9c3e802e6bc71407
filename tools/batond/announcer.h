// Says in the database, every few seconds, that this batond is there, of what version, and what it is about: for
// `baton admin versions`. Nothing is decided by it, so it is neither fenced nor waited for.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "orchestrator/base/ticker.h"
#include "orchestrator/model/fleet/member.h"
#include "orchestrator/ports/log.h"

namespace baton {
class Session;
}

namespace baton::batond {

class Announcer {
 public:
  // `now`: asked for at each announcement.
  Announcer(std::string url, Log& log, std::function<Member()> now);
  // Takes its name back.
  ~Announcer();

  // Something has changed: it is said at once.
  void Say() { ticker_.Wake(); }

 private:
  Ticker::Wait Announce();
  bool Write(const Member& member);
  void Forget();

  const std::string url_;
  Log& log_;
  std::function<Member()> now_;
  std::unique_ptr<Session> session_;
  bool said_ = false;  // the last time
  Ticker ticker_;
};

}  // namespace baton::batond
