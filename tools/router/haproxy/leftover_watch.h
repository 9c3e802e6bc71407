// Servers that the table no longer has are deleted as soon as HAProxy lets go of them; one that does not get rid of its
// sessions has them cut after a limit, so that nothing leaks. Pure.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/router/haproxy/haproxy_view.h"

namespace baton::router {

struct LeftoverSteps {
  std::vector<std::string> commands;
  std::vector<std::string> cut;  // "backend/server" whose sessions are ended by these commands
};

class LeftoverWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit LeftoverWatch(std::chrono::milliseconds limit) : limit_(limit) {}

  // What to try now: HAProxy refuses to delete a server with connections, active or idle, so it is only asked where
  // there is no session; the sessions of one that is here for longer than the limit are shut down first.
  LeftoverSteps Next(const std::vector<std::string>& leftovers, const ServerSessions& sessions, Time now);

 private:
  std::chrono::milliseconds limit_;
  std::map<std::string, Time> since_;
};

}  // namespace baton::router
