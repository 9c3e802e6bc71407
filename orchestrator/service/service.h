// batond, put together: the database is brought to its schema, then this process stands for election, and while it
// leads it takes calls, drives apps, and converges.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "convergence/sweep.h"
#include "orchestrator/app/election.h"
#include "orchestrator/app/event_tail.h"
#include "orchestrator/app/key_rotation.h"
#include "orchestrator/app/leader.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/server/event_hub.h"
#include "orchestrator/server/grpc_auctioneer.h"
#include "orchestrator/server/metrics.h"
#include "orchestrator/server/roll_hub.h"
#include "orchestrator/server/server.h"
#include "orchestrator/server/surroundings.h"
#include "orchestrator/service/http_asker.h"
#include "orchestrator/service/options.h"
#include "sql/pg_collector.h"
#include "sql/pg_key_store.h"
#include "sql/pg_reader.h"
#include "sql/pg_registry.h"
#include "sql/pg_store.h"

namespace baton {

class Service {
 public:
  // `url`: of a database that answers. Errors: FAILED_PRECONDITION, with what to do.
  static Result<std::unique_ptr<Service>> Start(const ServiceOptions& options, const std::string& url, Log& log);
  // Lets calls under way end, resigns, and is gone; a standby leads at once.
  ~Service();

  const std::string& address() const { return server_->address(); }

 private:
  Service(const ServiceOptions& options, const std::string& url, Log& log);
  Status TakeKeys();
  Status Listen();
  void Elected(std::int64_t epoch, std::chrono::steady_clock::time_point until);
  void Renewed(std::chrono::steady_clock::time_point until);
  void Loaded(std::int64_t epoch);
  void Deposed();

  ServiceOptions options_;
  std::string url_;
  Log& log_;
  PrometheusMetrics metrics_;
  RollHub hub_;
  EventHub events_;
  Cipher cipher_;  // of everything that reads or writes blobs
  PgKeyStore keys_;
  PgStore store_;
  PgReads reads_;
  PgRegistry registry_;
  PgCollector collector_;
  HttpAsker asker_;
  std::unique_ptr<GrpcAuctioneer> auctioneer_;
  Leader leader_;
  Sweep sweep_;
  EventTail tail_;
  KeyRotation rotation_;
  std::atomic<bool> leading_{false};
  Surroundings surroundings_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<PgLease> lease_;
  std::mutex mutex_;        // the election's and the loop's threads meet here
  std::int64_t epoch_ = 0;  // 0: not elected
  std::chrono::steady_clock::time_point until_{};
  std::unique_ptr<Election> election_;
};

// Whether the key file is one, before anything is begun: FAILED_PRECONDITION with what is wrong with it.
Status CheckKeyFile(const ServiceOptions& options);

// Waits until the database answers and is of this program's schema, making it where it is new. FAILED_PRECONDITION
// where it is not ours, or of another version; UNAVAILABLE where `stopped` became true first.
Status PrepareDatabase(const std::string& url, Log& log, const std::function<bool(Duration)>& stopped);

}  // namespace baton
