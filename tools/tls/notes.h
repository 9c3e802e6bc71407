// Logs events of a service's certificates, and exports the expiry of its own as a metric.
#pragma once

#include <string>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "tools/tls/credentials.h"

namespace baton {

// For a program of this role. Log and metrics outlive what is opened with it. `metrics` null: who has them asks for expires().
Tls::Options NotedTls(const std::string& dir, Role role, Log& log, Metrics* metrics = nullptr);

// For a program that has to be this identity; FAILED_PRECONDITION if the certificate is of another.
Result<std::shared_ptr<Tls>> OpenTlsAs(const Identity& identity, const std::string& dir, Log& log, Metrics& metrics);

}  // namespace baton
