#include "sql/registry/pg_registry.h"

#include <cstdlib>
#include <memory>

#include "orchestrator/base/errors.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/read/app_reader.h"
#include "sql/registry/registry_reader.h"
#include "sql/session/array.h"
#include "sql/session/columns.h"
#include "sql/store/app_writer.h"
#include "sql/store/dual_writer.h"

namespace baton {
namespace {

// An election after a longer gap means that there was no leader for long, or that a clock was set.
constexpr Duration kStandstill = std::chrono::minutes(1);

template <class Texts>
std::string TextsParam(const Texts& texts) {
  ArrayParam array;
  for (const auto& text : texts) array.Text(text);
  return array.str();
}

template <class Ids>
std::string IdArray(const Ids& ids) {
  ArrayParam array;
  for (const auto& id : ids) array.Text(id.str());
  return array.str();
}

std::string Ms(Duration duration) { return std::to_string(Millis(duration)); }

std::vector<CellRecord> LockCells(Session& s, const std::vector<CellId>& ids) {
  std::vector<CellRecord> cells;
  for (const auto row : s.Run("LockCell", {IdArray(ids)})) cells.push_back(ReadCell(row));
  return cells;
}

// In the transaction that it tells of.
void Tell(Session& s, EventKind kind, const std::vector<std::string>& payloads) {
  if (payloads.empty()) return;
  ArrayParam sealed;
  const std::string bound = EventBlobKey(Name(kind), "", 0);
  for (const std::string& payload : payloads) sealed.Bytes(s.Seal({"events", "payload", bound}, payload));
  s.Run("InsertEvent", {std::string(Name(kind)), "", "0", sealed.str()});
}

void TellOfCells(Session& s, EventKind kind, const std::vector<CellId>& ids) {
  std::vector<std::string> payloads;
  for (const CellRecord& cell : LockCells(s, ids)) payloads.push_back(wire::EncodeCellEvent(kind, cell));
  Tell(s, kind, payloads);
}

void RenewCells(Session& s, const std::string& ids, const std::string& lease_ms) {
  s.Run("RenewCells", {ids, lease_ms});
  std::vector<CellId> back;
  for (const auto row : s.Run("MissingAmong", {ids})) back.emplace_back(row.Text("cell_id"));
  if (back.empty()) return;
  s.Run("ReturnCells", {IdArray(back)});
  TellOfCells(s, EventKind::kCellRegistered, back);
}

// Shifts stored times by the time without a leader. In the lease's transaction: only once, and before any decision.
void ShiftTimes(Session& s, std::int64_t standstill_ms) {
  if (std::abs(standstill_ms) < Millis(kStandstill)) return;
  // Data of an older schema, which is migrated first, may not have all of these: such an election is none the worse.
  (void)s.Savepoint([&](Session& inner) {
    const std::vector<Param> by{std::to_string(standstill_ms)};
    inner.Run("ShiftRolls", by);
    inner.Run("ShiftSteps");
    for (const char* rows : {"ShiftInstances", "ShiftCells", "ShiftConsumers"}) inner.Run(rows, by);
  });
}

void WriteAudit(Session& s, const AuditEntry& e) {
  Columns audit(5);
  audit.Row().Text(e.actor).Text(e.method).Text(e.guid).Text(e.request_id).Text(StoredOutcome(e));
  audit.RunIfAny(s, "InsertAudit");
}

bool HasEgress(Session& s) { return s.Run("EgressTableExists")[0].Bool(); }

}  // namespace

PgRegistry::PgRegistry(std::string url, Log& log, const Cipher& cipher) : log_(log), worker_(std::move(url), cipher) {}

void PgRegistry::Lead(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  leadership_ = leadership;
}

Leadership PgRegistry::leadership() {
  const std::lock_guard lock(mutex_);
  return leadership_;
}

void PgRegistry::Write(std::function<void(Session&)> body, Answer done) {
  worker_.Run([this, body = std::move(body), done = std::move(done)](Result<Session*> session) {
    if (!session) return done(session.error());
    done(WriteFenced(**session, leadership(), log_, body));
  });
}

void PgRegistry::WriteBoth(std::function<void(Session&, DualWriter*)> body, Answer done) {
  if (!gate_) return Write([body = std::move(body)](Session& s) { body(s, nullptr); }, std::move(done));
  worker_.Run([this, body = std::move(body), done = std::move(done)](Result<Session*> session) {
    if (!session) return done(session.error());
    const WriteGate::Passage passage = gate_->Enter();
    if (!passage) return done(Error{ErrorKind::kUnavailable, passage.why_not(), milliseconds(100)});
    done(WriteFenced(**session, leadership(), log_, [&](Session& s) { body(s, passage.dual_writer()); }));
  });
}

PgRegistry::Answer PgRegistry::Telling(Answer done) {
  return [this, done = std::move(done)](const Status& status) {
    if (status && wrote_) wrote_();
    done(status);
  };
}

void PgRegistry::RegisterCell(const CellRecord& c, Duration lease, Answer done) {
  Write(
      [c, lease](Session& s) {
        const auto before = LockCells(s, {c.id});
        s.Run("UpsertCell",
              {c.id.str(), c.zone, c.address, std::to_string(c.capacity.memory_mb), std::to_string(c.capacity.disk_mb),
               std::to_string(c.capacity.pids), std::to_string(c.capacity.containers), TextsParam(c.stacks),
               TextsParam(c.placement_tags), TextsParam(c.abilities), TextsParam(c.enforces), c.version, Ms(lease)});
        if (before.empty() || before[0].missing_since) TellOfCells(s, EventKind::kCellRegistered, {c.id});
      },
      Telling(std::move(done)));
}

void PgRegistry::SetDraining(const CellId& id, bool draining, const AuditEntry& audited, Answer done) {
  const auto found = std::make_shared<bool>(false);
  Write(
      [=](Session& s) {
        const auto before = LockCells(s, {id});
        *found = !before.empty();
        if (!*found) return;
        AuditEntry entry = audited;
        if (before[0].draining == draining) entry.changed.clear();
        WriteAudit(s, entry);
        if (before[0].draining == draining) return;
        s.Run("SetDraining", {id.str(), draining ? "t" : "f", std::to_string(before[0].instances)});
        TellOfCells(s, draining ? EventKind::kCellDraining : EventKind::kCellUndrained, {id});
      },
      Telling([found, id, done = std::move(done)](const Status& status) {
        done(status && !*found ? Status(Error{ErrorKind::kNotFound, "there is no cell " + id.str(), {}}) : status);
      }));
}

void PgRegistry::JudgeCells(Judge judge, std::function<void(const Result<CellJudgement>&)> done) {
  const auto judgement = std::make_shared<CellJudgement>();
  Write(
      [=](Session& s) {
        *judgement = {};
        if (s.Run("LockSilentCells").empty()) return;
        *judgement = judge(ReadCells(s), s.Run("ReadNow")[0].Time());
        if (judgement->missing.empty()) return;
        s.Run("DeclareMissing", {IdArray(judgement->missing)});
        TellOfCells(s, EventKind::kCellMissing, judgement->missing);
      },
      Telling([judgement, done = std::move(done)](const Status& status) {
        done(status ? Result<CellJudgement>(*judgement) : Result<CellJudgement>(status.error()));
      }));
}

void PgRegistry::UpsertDomain(const std::string& domain, std::optional<Duration> ttl, const AuditEntry& audited,
                              std::function<void(const Result<DomainRecord>&)> done) {
  const auto stored = std::make_shared<DomainRecord>();
  const std::string ttl_s = std::to_string(ttl ? std::chrono::duration_cast<seconds>(*ttl).count() : 0);
  WriteBoth(
      [=](Session& s, DualWriter* dual_writer) {
        const Rows before = s.Run("LockDomain", {domain});
        const Rows after = s.Run("UpsertDomain", {domain, ttl_s});
        *stored = {after[0].Text("domain"), after[0].OptionalTime("expires_at")};
        const bool was_fresh = !before.empty() && before[0].Bool("fresh");
        const auto expired = before.empty() ? std::nullopt : before[0].OptionalTime("expires_at");
        const auto& expires = stored->expires_at;
        const bool only_longer = was_fresh && (expired && expires ? *expired <= *expires : expired == expires);
        if (!only_longer) WriteAudit(s, audited);
        if (!was_fresh) Tell(s, EventKind::kDomainFresh, {wire::EncodeDomainEvent(EventKind::kDomainFresh, *stored)});
        if (dual_writer) dual_writer->WriteDomain(s, domain);
      },
      Telling([stored, done = std::move(done)](const Status& status) {
        done(status ? Result<DomainRecord>(*stored) : Result<DomainRecord>(status.error()));
      }));
}

void PgRegistry::DeleteExpiredDomains(Answer done) {
  WriteBoth(
      [](Session& s, DualWriter* dual_writer) {
        std::vector<std::string> payloads;
        for (const auto row : s.Run("DeleteExpiredDomains")) {
          if (dual_writer) dual_writer->WriteDomain(s, row.Text("domain"));
          payloads.push_back(wire::EncodeDomainEvent(EventKind::kDomainExpired, {row.Text("domain"), row.OptionalTime("expires_at")}));
        }
        Tell(s, EventKind::kDomainExpired, payloads);
      },
      Telling(std::move(done)));
}

void PgRegistry::ReadEgress(EgressAnswer done) {
  worker_.Run([done = std::move(done)](Result<Session*> session) {
    if (!session) return done(session.error());
    EgressPolicy policy;
    const SessionError error = (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      policy = ReadEgressPolicy(s);
      return true;
    });
    done(error.ok() ? Result<EgressPolicy>(policy) : Result<EgressPolicy>(DatabaseAway()));
  });
}

void PgRegistry::SetEgress(const std::string& domain, std::optional<UnenforcedEgress> unenforced, const AuditEntry& audited,
                           EgressAnswer done) {
  const auto after = std::make_shared<std::optional<EgressPolicy>>();
  Write(
      [=](Session& s) {
        after->reset();
        if (!HasEgress(s)) return;
        unenforced ? s.Run("SetEgress", {domain, Name(*unenforced)}) : s.Run("ForgetEgress", {domain});
        WriteAudit(s, audited);
        *after = ReadEgressPolicy(s);
      },
      [after, done = std::move(done)](const Status& status) {
        if (!status) return done(status.error());
        if (*after) return done(**after);
        done(Error{ErrorKind::kFailedPrecondition,
                   "the data is of a schema before 2.4.0, which has no place for it: upgrade it first "
                   "(baton admin begin-upgrade)", {}});
      });
}

void PgRegistry::WriteDown(const AuditEntry& entry, Answer done) {
  Write([entry](Session& s) { WriteAudit(s, entry); }, std::move(done));
}

void PgRegistry::RegisterConsumer(const ConsumerId& id, const std::string& version, Duration lease, ConsumerAnswer done) {
  const auto registered = std::make_shared<Registered>();
  Write(
      [=](Session& s) {
        const Rows rows = s.Run("UpsertConsumer", {id.str(), version, Ms(lease)});
        *registered = {.known = rows[0].Bool("known"), .at = rows[0].Time("at")};
      },
      [registered, done = std::move(done)](const Status& status) {
        done(status ? Result<Registered>(*registered) : Result<Registered>(status.error()));
      });
}

void PgRegistry::RemoveConsumer(const ConsumerId& id, const std::optional<AuditEntry>& audited, Answer done) {
  const auto found = std::make_shared<bool>(false);
  Write(
      [=](Session& s) {
        *found = !s.Run("DeleteConsumer", {id.str()}).empty();
        if (*found && audited) WriteAudit(s, *audited);
      },
      [found, id, done = std::move(done)](const Status& status) {
        done(status && !*found ? Status(Error{ErrorKind::kNotFound, "there is no router " + id.str(), {}}) : status);
      });
}

void PgRegistry::Renew(std::vector<CellId> cells, Duration cell_lease, Answer done) {
  Write([=](Session& s) { RenewCells(s, IdArray(cells), Ms(cell_lease)); }, std::move(done));
}

void PgRegistry::RenewConsumers(std::vector<HeardConsumer> consumers, Duration lease, Answer done) {
  using Steady = std::chrono::steady_clock;
  Write(
      [consumers = std::move(consumers), lease, asked = Steady::now()](Session& s) {
        // However long this stood in the queue: a router is not heard of later than it was.
        const auto waited = std::chrono::duration_cast<Duration>(Steady::now() - asked);
        ArrayParam all, heard, ago;
        for (const HeardConsumer& consumer : consumers) {
          all.Text(consumer.id.str());
          if (!consumer.ago) continue;
          heard.Text(consumer.id.str());
          ago.Int(Millis(*consumer.ago + waited));
        }
        s.Run("RenewConsumers", {all.str(), Ms(lease)});
        if (!heard.empty()) s.Run("HeardOfConsumers", {heard.str(), ago.str()});
      },
      std::move(done));
}

void PgRegistry::GiveGrace(Duration cell_lease, Duration consumer_lease, Answer done) {
  Write(
      [=](Session& s) {
        s.Run("GiveGraceToCells", {Ms(cell_lease)});
        s.Run("GiveGraceToConsumers", {Ms(consumer_lease)});
        s.Run("DeleteExpiredConsumers");
      },
      std::move(done));
}

Result<Session*> PgLease::EnsureSession() {
  if (session_ && !session_->broken()) return session_.get();
  auto opened = Session::Open(url_);
  if (!opened) return opened.error();
  session_ = *std::move(opened);
  return session_.get();
}

Result<std::optional<std::int64_t>> PgLease::Take(Duration lease) {
  auto session = EnsureSession();
  if (!session) return session.error();
  std::optional<std::int64_t> epoch;
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    const std::vector<Param> wanted{name_, holder_, address_, Ms(lease)};
    if (const Rows taken = s.Run("TakeLease", wanted); !taken.empty()) {
      epoch = taken[0].Int("epoch");
      ShiftTimes(s, taken[0].Int("standstill_ms"));
    } else if (const Rows made = s.Run("MakeLease", wanted); !made.empty()) {
      epoch = made[0].Int("epoch");
    }
    return true;
  });
  if (!error.ok()) return DatabaseAway();
  return epoch;
}

Result<bool> PgLease::Renew(std::int64_t epoch, Duration lease) {
  auto session = EnsureSession();
  if (!session) return session.error();
  bool renewed = false;
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    renewed = !s.Run("RenewLease", {name_, std::to_string(epoch), Ms(lease)}).empty();
    return true;
  });
  if (!error.ok()) return DatabaseAway();
  return renewed;
}

Status PgLease::Resign(std::int64_t epoch) {
  auto session = EnsureSession();
  if (!session) return session.error();
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("ResignLease", {name_, std::to_string(epoch)});
    return true;
  });
  if (!error.ok()) return DatabaseAway();
  return Done{};
}

Result<std::optional<LeaseView>> PgLease::Read() {
  auto session = EnsureSession();
  if (!session) return session.error();
  std::optional<LeaseView> view;
  const SessionError error = (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    for (const auto row : s.Run("ReadLease", {name_})) {
      view = LeaseView{row.Int("epoch"), row.Text("holder"), row.Text("address"), row.Bool("runs"), milliseconds(row.Int("left_ms"))};
    }
    return true;
  });
  if (!error.ok()) return DatabaseAway();
  return view;
}

}  // namespace baton
