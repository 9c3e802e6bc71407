#include "tests/fakes/standing_lease.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pqxx/pqxx>

namespace baton {
namespace {

constexpr std::chrono::seconds kRenewEvery(30);
constexpr char kEnds[] = "clock_timestamp() + interval '110 seconds'";

void Execute(const std::string& url, const std::string& sql) {
  pqxx::connection connection(url);
  pqxx::nontransaction(connection).exec(sql);
}

void Renew(const std::string& url, const std::string& name, const std::stop_token& stopped) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, stopped, kRenewEvery, [&] { return stopped.stop_requested(); })) {
    try {
      Execute(url, std::string("UPDATE leases SET expires_at = ") + kEnds + " WHERE name = '" + name +
                       "' AND expires_at > clock_timestamp()");
    } catch (const pqxx::failure&) {
      // Its database is away, or gone already.
    }
  }
}

}  // namespace

StandingLease::StandingLease(const std::string& url, const std::string& name) {
  Execute(url, "INSERT INTO leases VALUES ('" + name + "', 1, 'test', '', now(), " + kEnds + ")");
  renewing_ = std::jthread([url, name](const std::stop_token& stopped) { Renew(url, name, stopped); });
}

}  // namespace baton
