// The files that say what callers may touch and who is refused (--access, --revoked), looked at from time to time. One that is faulty is
// refused as a whole: what was read before holds on, and an alarm says so.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "orchestrator/access/access_rules.h"
#include "orchestrator/access/deny_list.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/base/time.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/server/serving/server.h"
#include "tools/batond/options.h"

namespace baton::batond {

// FAILED_PRECONDITION or INVALID_ARGUMENT with the file, its line and what to do. Without a file: all is allowed, nobody refused.
Result<AccessRules> ReadAccessFile(const std::string& path);
Result<DenyList> ReadRevokedFile(const std::string& path);

struct AccessContent {
  AccessRules rules;
  DenyList denied;
};
Result<AccessContent> ReadAccessFiles(const ServiceOptions& options);

class AccessFiles {
 public:
  struct Options {
    std::string access;
    std::string revoked;
    Duration every = seconds(5);
  };
  // All on one thread of its own.
  struct Told {
    std::function<void(AccessRules)> access;
    std::function<void(DenyList)> revoked;
    std::function<void()> looked;      // each time, after the two
    std::function<void()> afterwards;  // a fifth of the time later
  };
  AccessFiles(Options options, Log& log, Metrics& metrics, Told told);

 private:
  Ticker::Wait Tick();
  // What is there, if it is good and not what was told last.
  template <class Content, class Read, class Tell>
  void Look(const char* option, const std::string& path, std::string& known, Read read, const Tell& tell);

  const Options options_;
  Log& log_;
  Metrics& metrics_;
  const Told told_;
  std::string known_access_;  // the fault that was told last; empty: it is good
  std::string known_revoked_;
  int part_ = 0;  // of the time between two looks
  Ticker ticker_;
};

// For a server with credentials: it takes up what changes, and looks at its streams.
std::unique_ptr<AccessFiles> FollowAccess(const ServiceOptions& options, Log& log, Metrics& metrics, Server& server);

}  // namespace baton::batond
