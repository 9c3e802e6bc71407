// Before anything else: a database that answers, is ours or empty, and may be used by this program. A new one is made
// here; one that has to be migrated is left to whoever is elected.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/log.h"
#include "tools/batond/options.h"

namespace baton::batond {

struct PrepareOptions {
  std::string url;
  std::string owner = {};      // as who may make tables; empty: `url`
  std::string superuser = {};  // as who makes the roles of both (schema/roles.sql), also in data that has none yet; empty: they are there
  std::string state_file;     // schema/memory.h; empty: nothing is remembered
  bool accept_store = false;  // whatever is remembered: this is the store from now on
  bool upgrade_after_rollback = false;  // the data was taken back from this version, and may be migrated again
};

// FAILED_PRECONDITION with what to do where it may not be used (the version law, a lost or other store, a pooler that
// mixes sessions); nothing was written then, but the roles where there is a superuser. UNAVAILABLE where `stopped` became true before the database answered.
Status PrepareDatabase(const PrepareOptions& options, Log& log, const std::function<bool(Duration)>& stopped);

// Before it is opened: FAILED_PRECONDITION where it is on another machine without TLS that proves who it is, unless
// `insecure`. The urls of `options` lead, from here on, where was looked at (sql/session/database_url.h).
Status CheckDatabases(ServiceOptions& options, bool insecure);

}  // namespace baton::batond
