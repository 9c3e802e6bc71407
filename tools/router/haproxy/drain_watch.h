// Which draining instances have no more sessions and are still to be reported. Pure: readings in, reports out.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/router/haproxy/haproxy_view.h"

namespace baton::router {

class DrainWatch {
 public:
  // `draining`: instances that HAProxy sends nothing new to, before `sessions` was read. What is returned is reported
  // from then on; an instance that stops draining and drains again is reported again.
  //
  // One that HAProxy has a server for is drained by two readings of zero in a row: a request that was given to the
  // server at the instant of the drain command is counted a moment later, on another thread.
  std::vector<std::string> Observe(const std::set<std::string>& draining, const InstanceSessions& sessions);

  // True while one of `draining` is not reported.
  bool Waiting(const std::set<std::string>& draining) const;

  // A new stream: batond wants to hear of each again.
  void Reset();

 private:
  struct Seen {
    int zero_readings = 0;
    bool reported = false;
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace baton::router
