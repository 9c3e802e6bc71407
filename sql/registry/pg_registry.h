// The registry and the lease over PostgreSQL.
#pragma once

#include <memory>
#include <string>

#include "orchestrator/ports/collector.h"
#include "orchestrator/ports/lease.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/registry.h"
#include "sql/session/worker.h"
#include "sql/store/fence.h"
#include "sql/store/write_gate.h"

namespace baton {

class PgRegistry final : public Registry {
 public:
  PgRegistry(std::string url, Log& log, const Cipher& cipher = PlainCipher());

  void Lead(const Leadership& leadership);
  void Stop() { worker_.Stop(); }
  // Before the first call; without one nothing ever stops.
  void PassThrough(WriteGate& gate) { gate_ = &gate; }
  // Told after each commit that wrote an event; before the first call.
  void OnEvent(std::function<void()> told) { wrote_ = std::move(told); }

  void RegisterCell(const CellRecord& cell, Duration lease, Answer done) override;
  void SetDraining(const CellId& cell, bool draining, const AuditEntry& audited, Answer done) override;
  void JudgeCells(Judge judge, std::function<void(const Result<CellJudgement>&)> done) override;
  void UpsertDomain(const std::string& domain, std::optional<Duration> ttl, const AuditEntry& audited,
                    std::function<void(const Result<DomainRecord>&)> done) override;
  void DeleteExpiredDomains(Answer done) override;
  void ReadEgress(EgressAnswer done) override;
  void SetEgress(const std::string& domain, std::optional<UnenforcedEgress> unenforced, const AuditEntry& audited,
                 EgressAnswer done) override;
  void WriteDown(const AuditEntry& entry, Answer done) override;
  void RegisterConsumer(const ConsumerId& id, const std::string& version, Duration lease, ConsumerAnswer done) override;
  void RemoveConsumer(const ConsumerId& id, const std::optional<AuditEntry>& audited, Answer done) override;
  void Renew(std::vector<CellId> cells, Duration cell_lease, Answer done) override;
  void RenewConsumers(std::vector<HeardConsumer> consumers, Duration lease, Answer done) override;
  void GiveGrace(Duration cell_lease, Duration consumer_lease, Answer done) override;

 private:
  Leadership leadership();
  void Write(std::function<void(Session&)> body, Answer done);
  // What schema 1.x has as well: it is kept in step, and stops where writes of apps do.
  void WriteBoth(std::function<void(Session&, DualWriter*)> body, Answer done);
  Answer Telling(Answer done);

  std::function<void()> wrote_;

  Log& log_;
  WriteGate* gate_ = nullptr;
  std::mutex mutex_;
  Leadership leadership_;
  SessionWorker worker_;
};

class PgLease final : public LeaseStore {
 public:
  PgLease(std::string url, std::string name, std::string holder, std::string address)
      : url_(std::move(url)), name_(std::move(name)), holder_(std::move(holder)), address_(std::move(address)) {}

  Result<std::optional<std::int64_t>> Take(Duration lease) override;
  Result<bool> Renew(std::int64_t epoch, Duration lease) override;
  Status Resign(std::int64_t epoch) override;
  Result<std::optional<LeaseView>> Read() override;

 private:
  Result<Session*> EnsureSession();

  std::string url_;
  std::string name_;
  std::string holder_;
  std::string address_;
  std::unique_ptr<Session> session_;
};

}  // namespace baton
