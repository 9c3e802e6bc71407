// HAProxy's master process, by its socket: which workers there are, and the reload.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton::router {

struct MasterView {
  int master = 0;                // pids
  int worker = 0;                // 0: none
  std::vector<int> old_workers;  // replaced by a reload; they end with their connections
  int failed_reloads = 0;        // since the last that went well
};

// The answer to "show proc".
Result<MasterView> ParseProcesses(std::string_view answer);

class HaproxyMaster {
 public:
  explicit HaproxyMaster(std::string socket) : socket_(std::move(socket)) {}

  Result<MasterView> Look() const;
  // Returns at once; whether it went well is seen by Look.
  Status Reload() const;
  // Whether a worker has stopped taking new connections; true if it is gone.
  Result<bool> IsStopping(int worker) const;

 private:
  std::string socket_;
};

}  // namespace baton::router
