// Who is there: cells and route consumers, with leases by the database's clock. Fenced like every write.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/calls/audit.h"
#include "orchestrator/model/convergence/convergence.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/fleet/egress.h"
#include "orchestrator/model/id.h"

namespace baton {

class Registry {
 public:
  virtual ~Registry() = default;
  using Answer = std::function<void(const Status&)>;

  // All never block; the answer comes on a thread of the registry.
  virtual void RegisterCell(const CellRecord& cell, Duration lease, Answer done) = 0;
  // Of these, `audited` is written with the change, and not without it.
  // NOT_FOUND. It outlives the cell's own registrations.
  virtual void SetDraining(const CellId& cell, bool draining, const AuditEntry& audited, Answer done) = 0;
  // Silent cells are judged on locked rows; what is judged missing is declared so.
  using Judge = std::function<CellJudgement(const std::vector<CellRecord>& cells, TimePoint now)>;
  virtual void JudgeCells(Judge judge, std::function<void(const Result<CellJudgement>&)> done) = 0;

  // `ttl` nothing: for ever. A fresh domain that is fresh for longer, as each round of its controller makes it, has no
  // entry in the audit.
  virtual void UpsertDomain(const std::string& domain, std::optional<Duration> ttl, const AuditEntry& audited,
                            std::function<void(const Result<DomainRecord>&)> done) = 0;
  virtual void DeleteExpiredDomains(Answer done) = 0;

  // What operators have decided of egress rules that no cell enforces: all of it. These two answer in the order in which
  // they were asked.
  using EgressAnswer = std::function<void(const Result<EgressPolicy>&)>;
  virtual void ReadEgress(EgressAnswer done) = 0;
  // `domain`: kOtherDomains, too. `unenforced` nothing: what is decided of the domain is taken back. FAILED_PRECONDITION
  // where the data is of a schema that has no place for it.
  virtual void SetEgress(const std::string& domain, std::optional<UnenforcedEgress> unenforced, const AuditEntry& audited,
                         EgressAnswer done) = 0;
  // In the audit, for itself: what was done is done.
  virtual void WriteDown(const AuditEntry& entry, Answer done) = 0;

  struct Registered {
    bool known = false;  // it had a row
    TimePoint at;        // by the database's clock
  };
  using ConsumerAnswer = std::function<void(const Result<Registered>&)>;
  virtual void RegisterConsumer(const ConsumerId& id, const std::string& version, Duration lease, ConsumerAnswer done) = 0;
  // NOT_FOUND. `audited` nothing: it says so itself.
  virtual void RemoveConsumer(const ConsumerId& id, const std::optional<AuditEntry>& audited, Answer done) = 0;
  virtual void Renew(std::vector<CellId> cells, Duration cell_lease, Answer done) = 0;
  // A route consumer that was heard of not a lease ago. `ago`: when; nothing where it has not yet applied what it was told
  // when it connected, so that its silence about a drain says nothing.
  struct HeardConsumer {
    ConsumerId id;
    std::optional<Duration> ago;
  };
  virtual void RenewConsumers(std::vector<HeardConsumer> consumers, Duration lease, Answer done) = 0;
  // A new leader: no lease could be renewed while there was none, and that is nobody's fault but ours. Leases that ran
  // when the last leader was there get a full one.
  virtual void GiveGrace(Duration cell_lease, Duration consumer_lease, Answer done) = 0;
};

}  // namespace baton
