#include "sql/pg_registry.h"

#include <memory>

#include "orchestrator/wire/stored.h"
#include "schema/envelope.h"

namespace baton {
namespace {

template <class Texts>
std::string TextArray(const Texts& texts) {
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

Error Away() { return {ErrorKind::kUnavailable, "the database does not answer", seconds(1)}; }

}  // namespace

PgRegistry::PgRegistry(std::string url, Log& log) : log_(log), worker_(std::move(url)) {}

void PgRegistry::Lead(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  leadership_ = leadership;
}

void PgRegistry::Write(std::function<void(Session&)> body, Answer done) {
  worker_.Run([this, body = std::move(body), done = std::move(done)](Result<Session*> session) {
    if (!session) return done(session.error());
    Leadership leadership;
    {
      const std::lock_guard lock(mutex_);
      leadership = leadership_;
    }
    done(WriteFenced(**session, leadership, log_, body));
  });
}

void PgRegistry::RegisterCell(const CellRecord& c, Duration lease, Answer done) {
  Write(
      [c, lease](Session& s) {
        s.Run("UpsertCell",
              {c.id.str(), c.zone, c.address, std::to_string(c.capacity.memory_mb), std::to_string(c.capacity.disk_mb),
               std::to_string(c.capacity.pids), std::to_string(c.capacity.containers), TextArray(c.stacks),
               TextArray(c.placement_tags), TextArray(c.abilities), TextArray(c.enforces), c.version, Ms(lease)});
      },
      std::move(done));
}

void PgRegistry::SetDraining(const CellId& id, bool draining, Answer done) {
  const auto found = std::make_shared<bool>(false);
  Write(
      [=](Session& s) {
        *found = !s.Run("SetDraining", {id.str(), draining ? "t" : "f"}).empty();
      },
      [found, id, done = std::move(done)](const Status& status) {
        done(status && !*found ? Status(Error{ErrorKind::kNotFound, "there is no cell " + id.str(), {}}) : status);
      });
}

void PgRegistry::RegisterConsumer(const ConsumerId& id, const std::string& version, Duration lease, Answer done) {
  Write([=](Session& s) { s.Run("UpsertConsumer", {id.str(), version, Ms(lease)}); }, std::move(done));
}

void PgRegistry::RemoveConsumer(const ConsumerId& id, Answer done) {
  Write([=](Session& s) { s.Run("DeleteConsumer", {id.str()}); }, std::move(done));
}

void PgRegistry::Renew(std::vector<CellId> cells, Duration cell_lease, std::vector<ConsumerId> consumers,
                       Duration consumer_lease, Answer done) {
  Write(
      [=](Session& s) {
        if (!cells.empty()) s.Run("RenewCells", {IdArray(cells), Ms(cell_lease)});
        if (!consumers.empty()) s.Run("RenewConsumers", {IdArray(consumers), Ms(consumer_lease)});
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
    for (const char* statement : {"TakeLease", "MakeLease"}) {
      const Rows rows = s.Run(statement, {name_, holder_, address_, Ms(lease)});
      if (!rows.empty()) epoch = rows[0].Int(0);
      if (epoch) break;
    }
    return true;
  });
  if (!error.ok()) return Away();
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
  if (!error.ok()) return Away();
  return renewed;
}

Status PgLease::Resign(std::int64_t epoch) {
  auto session = EnsureSession();
  if (!session) return session.error();
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("ResignLease", {name_, std::to_string(epoch)});
    return true;
  });
  if (!error.ok()) return Away();
  return Done{};
}

Result<std::optional<LeaseView>> PgLease::Read() {
  auto session = EnsureSession();
  if (!session) return session.error();
  std::optional<LeaseView> view;
  const SessionError error = (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    const Rows rows = s.Run("ReadLease", {name_});
    if (!rows.empty()) view = LeaseView{rows[0].Int(0), rows[0].Text(1), rows[0].Text(2), rows[0].Bool(3)};
    return true;
  });
  if (!error.ok()) return Away();
  return view;
}

}  // namespace baton
