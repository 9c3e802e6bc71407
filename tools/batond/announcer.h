// Says in the database, every few seconds, that this batond is there, of what version, and what it is about: for
// `baton admin versions`. Nothing is decided by it, so it is neither fenced nor waited for.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "orchestrator/model/fleet/member.h"
#include "orchestrator/ports/log.h"

namespace baton {

class Session;

class Announcer {
 public:
  // `now`: asked for at each announcement.
  Announcer(std::string url, Log& log, std::function<Member()> now);
  // Takes its name back.
  ~Announcer();

  // Something has changed: it is said at once.
  void Say();

 private:
  void Run();
  bool Announce(Session& session, const Member& member);

  const std::string url_;
  Log& log_;
  std::function<Member()> now_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  bool changed_ = true;
  std::thread thread_;
};

}  // namespace baton
