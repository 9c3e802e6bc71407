// Workers that HAProxy replaced by a reload. They take no new connections and hand new requests on, but requests that
// were in flight still run on instances: nothing is drained before they are through there, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "tools/router/haproxy/haproxy_view.h"
#include "tools/system/spawn.h"

namespace baton::router {

class OldWorkers {
 public:
  // `master_socket` may be empty: then an old worker cannot be asked, and everything counts as busy until it has ended.
  explicit OldWorkers(std::string master_socket) : master_socket_(std::move(master_socket)) {}

  // After each look at the present worker. An error while HAProxy is between two workers: look again later.
  Status Refresh(int present_worker);

  // A worker without a master (which was killed): it ends within 2 s by itself, and cannot be asked.
  void AddOrphan(Process worker);

  // Adds the sessions on old workers; an error if one of them cannot be asked and still runs.
  Status AddSessions(InstanceSessions& sessions);

  std::size_t size() const { return asked_.size() + mute_.size(); }

 private:
  Status RefreshByMaster(int present_worker);

  std::string master_socket_;
  std::vector<int> asked_;                // by pid, through the master
  std::vector<Process> mute_;             // until they end
  std::optional<Process> present_;        // without a master: to notice when it is replaced
};

}  // namespace baton::router
