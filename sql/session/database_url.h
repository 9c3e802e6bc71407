// A libpq connection string with Baton's default timeouts where the user set none.
#pragma once

#include <string>

#include "orchestrator/base/result.h"

namespace baton {

// `url`: postgresql://... or NAME=VALUE. A server that has vanished without a word (a dead machine, dropped packets) is
// noticed within about 6 s; libpq and the kernel would wait for a quarter of an hour, or for ever. Of several hosts
// each gets 2 s to answer, and the primary alone is connected to (target_session_attrs=read-write). What the url says
// itself stays. What libpq cannot read is given back as it is: it says so itself.
std::string WithTimeouts(const std::string& url);

// `url` with what libpq's environment (PGHOST, PGHOSTADDR, PGSSLMODE) and service files make of its host, address, port
// and sslmode: later changes of the environment do not redirect a connection by it. FAILED_PRECONDITION if the
// connection may cross a network without mutual authentication, unless `insecure`: a machine in between could read and
// write all that Baton stores. Sockets and loopback are no network. A URL that libpq cannot parse is returned
// unchanged. `option` is the program's option for it.
Result<std::string> CheckedDatabase(const std::string& url, bool insecure, const std::string& option = "--database");

}  // namespace baton
