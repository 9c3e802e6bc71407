#include "tests/fakes/standing_lease.h"

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <stdexcept>

namespace baton {
namespace {

constexpr std::chrono::seconds kRenewInterval(30);
constexpr char kEnds[] = "clock_timestamp() + interval '110 seconds'";

// Not through a Session: tests count its statements, or let it die at one of them. Empty: done; else what was in the way.
std::string Execute(const std::string& url, const std::string& sql) {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(url.c_str()), &PQfinish);
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql.c_str()), &PQclear);
  return PQresultStatus(result.get()) == PGRES_COMMAND_OK ? "" : PQerrorMessage(connection.get());
}

Ticker::Wait Renew(const std::string& url, const std::string& name) {
  // Where its database is away, or gone already, there is nothing to be done.
  (void)Execute(url, std::string("UPDATE leases SET expires_at = ") + kEnds + " WHERE name = '" + name +
                         "' AND expires_at > clock_timestamp()");
  return kRenewInterval;
}

}  // namespace

StandingLease::StandingLease(const std::string& url, const std::string& name)
    : renewing_(kRenewInterval, [url, name] { return Renew(url, name); }) {
  const std::string error =
      Execute(url, "INSERT INTO leases VALUES ('" + name + "', 1, 'test', '', now(), " + kEnds + ")");
  if (!error.empty()) throw std::runtime_error("no lease: " + error);
}

}  // namespace baton
