// Before anything else: a database that answers, is ours or empty, and may be used by this program. A new one is made
// here; one that has to be migrated is left to whoever is elected.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/model/result.h"
#include "orchestrator/ports/log.h"

namespace baton {

struct PrepareOptions {
  std::string url;
  std::string state_file;     // schema/memory.h; empty: nothing is remembered
  bool accept_store = false;  // whatever is remembered: this is the store from now on
  bool insecure = false;      // it may be on another machine without TLS that proves who it is
  bool upgrade_after_rollback = false;  // the data was taken back from this version, and may be migrated again
};

// FAILED_PRECONDITION with what to do where it may not be used (the version law, a lost or other store, a pooler that
// mixes sessions); nothing was written then. UNAVAILABLE where `stopped` became true before the database answered.
Status PrepareDatabase(const PrepareOptions& options, Log& log, const std::function<bool(Duration)>& stopped);

}  // namespace baton
