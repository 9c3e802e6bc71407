// batond, put together: this process stands for election; elected, it looks what its data is, migrates it where that is
// due, loads, and then takes calls, drives apps and converges until it is deposed or told to stop.
#pragma once

#include <memory>
#include <mutex>

#include "convergence/sweep.h"
#include "orchestrator/app/leader/election.h"
#include "orchestrator/app/leader/event_tail.h"
#include "orchestrator/app/leader/key_rotation.h"
#include "orchestrator/app/leader/leader.h"
#include "orchestrator/app/leader/upgrade.h"
#include "orchestrator/model/version.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/server/cells/grpc_auctioneer.h"
#include "orchestrator/server/events/event_hub.h"
#include "orchestrator/server/lists/kept_lists.h"
#include "orchestrator/server/rolls/roll_hub.h"
#include "orchestrator/server/serving/server.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "schema/online/pg_upgrade.h"
#include "sql/keys/pg_key_store.h"
#include "sql/read/pg_reader.h"
#include "sql/read/pg_reads.h"
#include "sql/registry/pg_registry.h"
#include "sql/store/pg_collector.h"
#include "sql/store/pg_store.h"
#include "tools/batond/access_files.h"
#include "tools/batond/announcer.h"
#include "tools/batond/call_records.h"
#include "tools/batond/candidate.h"
#include "tools/batond/http_verdict_client.h"
#include "tools/batond/options.h"
#include "tools/batond/service_manager.h"
#include "tools/batond/version_keeper.h"
#include "tools/metrics/prometheus_metrics.h"

namespace baton::batond {

class Service {
 public:
  // `url`: of a database that answers. Errors: FAILED_PRECONDITION, with what to do.
  static Result<std::unique_ptr<Service>> Start(const ServiceOptions& options, const std::string& url, Log& log);
  // What the destructor does, with its outcome: FAILED_PRECONDITION where the data was to be taken back and was not.
  Status Stop();
  // Takes no more calls, lets those under way end, resigns, and is gone; a standby leads within a second.
  ~Service();

  const std::string& address() const { return server_->address(); }
  // As Prometheus reads them.
  std::string Metrics() const { return metrics_.Text(); }

 private:
  Service(const ServiceOptions& options, const std::string& url, Log& log);
  Status TakeKeys();
  Status Listen();
  void Elected(std::int64_t epoch, std::chrono::steady_clock::time_point until);
  void Looked(const std::optional<LeaseView>& leader, const Status& may_stand);
  std::string Advertised() const;
  Member Self() const;
  DataMode Data() const;
  void DataChanged(const DataMode& data);
  void TakenOver(const ProcessGuid& guid);
  VersionKeeper::Answers KeeperAnswers();
  void MayServe(std::int64_t epoch, const StoreIdentity& store, ServingEvent why);
  void Renewed(std::chrono::steady_clock::time_point until);
  void Loaded(std::int64_t epoch);
  void Deposed();
  void StopWork();
  Status RollBack();
  void SayState() { manager_.Say(Name(serving_.state()), serving_.text()); }
  // After each turn of the election, on its thread: one that is stuck, with whatever it waits for, is replaced by
  // systemd.
  void Alive() {
    SayState();
    manager_.PetWatchdog();
  }

  ServiceOptions options_;
  std::string url_;
  Log& log_;
  PrometheusMetrics metrics_{MetricsTable()};
  ServiceManager manager_;
  ServingState serving_;
  RollHub hub_;
  EventHub events_;
  Cipher cipher_;  // of everything that reads or writes blobs
  PgKeyStore keys_;
  WriteGate gate_;
  CommittedEvents committed_;  // before whoever writes and reads them
  PgStore store_;
  PgReads reads_;
  PgRegistry registry_;
  PgCollector collector_;
  HttpVerdictClient verdict_client_;
  std::unique_ptr<GrpcAuctioneer> auctioneer_;
  Leader leader_;
  Sweep sweep_;
  EventTail tail_;
  KeyRotation rotation_;
  CallRecords records_;
  PgUpgrade upgrader_;
  Upgrade upgrade_;
  KeptLists kept_lists_;
  ServerDependencies dependencies_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<AccessFiles> access_files_;
  std::unique_ptr<PgLease> lease_;
  mutable std::mutex data_mutex_;
  DataMode data_{.semver = kSchemaSemver, .target_semver = kSchemaSemver};
  std::mutex mutex_;        // the election's and the loop's threads meet here
  std::int64_t epoch_ = 0;  // 0: not elected
  std::chrono::steady_clock::time_point until_{};
  std::unique_ptr<Election> election_;
  std::unique_ptr<VersionKeeper> keeper_;
  std::unique_ptr<Candidate> candidate_;
  std::unique_ptr<Announcer> announcer_;
};

}  // namespace baton::batond
