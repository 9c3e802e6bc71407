// What libpq takes to reach a database, with Baton's own patience where nothing else was asked for.
#pragma once

#include <string>

#include "orchestrator/base/result.h"

namespace baton {

// `url`: postgresql://... or NAME=VALUE. A server that has vanished without a word (a dead machine, dropped packets) is
// noticed within about 6 s; libpq and the kernel would wait for a quarter of an hour, or for ever. What the url says itself
// stays. What libpq cannot read is given back as it is: it says so itself.
std::string WithTimeouts(const std::string& url);

// `url` with what libpq's environment (PGHOST, PGHOSTADDR, PGSSLMODE) and service files make of its host, address, port and
// sslmode: a connection by it goes where was looked at, whatever they say later. FAILED_PRECONDITION where that may lead over
// a network without both sides being sure who the other is, unless `insecure`: whoever is in between then reads and writes
// all that Baton keeps. Sockets and loopback are no network. What libpq cannot read is given back as it is. `option` is what
// the program calls it.
Result<std::string> CheckedDatabase(const std::string& url, bool insecure, const std::string& option = "--database");

}  // namespace baton
