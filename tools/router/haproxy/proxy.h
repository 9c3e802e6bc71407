// One running HAProxy, brought to the route table: look, plan, do, look again. It remembers nothing of what it did, so
// it does not matter who changed HAProxy, or whether it was restarted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/log.h"
#include "tools/router/haproxy/haproxy_view.h"
#include "tools/router/haproxy/old_workers.h"
#include "tools/router/routes/backend_pool.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

struct ProxyPaths {
  std::string socket;
  std::string map;
  std::string master;  // may be empty, see OldWorkers
};

class Proxy {
 public:
  Proxy(ProxyPaths paths, Log& log) : paths_(std::move(paths)), log_(log), old_workers_(paths_.master) {}

  struct Convergence {
    HaproxyView view;  // as last read
    BackendAssignment assignment;
    std::vector<std::string> leftovers;
    std::size_t commands = 0;
    // Nothing was done: the pool is too small or the configuration of an older format, and the caller asked to be told.
    bool unfit = false;
  };

  // An error if the table is not in force now: HAProxy does not answer, or refused something, or its configuration is
  // of an older format. With `tell_if_unfit` a table that does not fit into the pool is not begun, and an older format
  // is no error; otherwise what does not fit is mapped to be_full.
  Result<Convergence> Converge(const RouteTable& table, bool tell_if_unfit);

  // Sessions now. An error if another worker has replaced `worker`: then what is read says nothing about what was in
  // force before.
  Result<ServerSessions> ReadSessions(int worker) const;
  // The same by instance, and with those that run out on old workers.
  Result<InstanceSessions> ReadAllSessions(int worker);
  // With what each instance was given by this worker. Old workers that cannot be asked are left out.
  Result<InstanceReadings> ReadLoad(int worker);

  // Carries out what is worth trying, without a need that it works.
  void Try(const std::vector<std::string>& commands) const;

  // The present worker, or 0: a cheap look whether HAProxy is still the one that was seen last.
  int WorkerPid() const;

  OldWorkers& old_workers() { return old_workers_; }

 private:
  Result<HaproxyView> Look();
  // Answers to "show stat -1 4 -1" and "show servers conn".
  Result<std::vector<std::string>> AskForSessions(int worker) const;
  Status Do(const std::vector<std::string>& commands);

  ProxyPaths paths_;
  Log& log_;
  OldWorkers old_workers_;
};

}  // namespace baton::router
