#include "tools/adopt/adoption.h"

#include <algorithm>
#include <future>

#include "orchestrator/wire/limits/text.h"
#include "schema/found.h"
#include "schema/layouts.h"
#include "schema/legacy/findings.h"
#include "schema/legacy/rows.h"
#include "sql/session/columns.h"
#include "tools/adopt/source.h"

namespace baton::adopt {
namespace {

constexpr int kPage = 1000;

struct Record {
  bool there = false;
  std::string fingerprint;
  std::string phase;
  std::string checkpoint;
  Summary summary;
};

Record ReadRecord(Session& into) {
  Record record;
  if (!into.Run("AdoptionTableExists")[0].Bool()) return record;
  const Rows rows = into.Run("ReadAdoption");
  if (rows.empty()) return record;
  record.there = true;
  record.fingerprint = rows[0].Text("fingerprint");
  record.phase = rows[0].Text("phase");
  record.checkpoint = rows[0].Bytes("checkpoint");
  record.summary.apps = rows[0].Int("apps");
  record.summary.instances = rows[0].Int("instances");
  record.summary.domains = rows[0].Int("domains");
  record.summary.tasks = rows[0].Int("tasks");
  if (const auto finished = rows[0].OptionalTime("finished_at")) record.summary.finished_at = *finished;
  for (const auto row : into.Run("CountLeftOut")) {
    record.summary.left_out.push_back({ParseFindingKind(row.Text("kind")), row.Text("table_name"), row.Text("field"), row.Int("rows")});
  }
  return record;
}

// One transaction on either database. What the body refuses rolls it back; a fault names the side.
Status Within(Session& session, const char* side, Session::Isolation isolation,
              const std::function<Status(Session&)>& body) {
  Status status = Done{};
  const SessionError error = session.Transact(isolation, [&](Session& s) {
    status = body(s);
    return status.ok();
  });
  if (error.ok()) return status;
  const bool refused = error.fault == Fault::kConstraint || error.fault == Fault::kOther;
  return Error{refused ? ErrorKind::kInternal : ErrorKind::kUnavailable,
               std::string("the database of ") + side + " failed: " + error.detail +
                   "; nothing that was done is lost: the same command goes on",
               {}};
}

Status WithinInto(Session& into, const std::function<Status(Session&)>& body) {
  return Within(into, "--into", Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("LockMigrations");  // beside another adoption or a batond that starts
    return body(s);
  });
}

// A name may be of bytes that are no text here.
Param AsBytes(const std::string& name) {
  ArrayParam one;
  one.Bytes(name);
  return one.str();
}

Error AnotherOne() { return FailedPrecondition("another adoption into this database is under way: this one stops"); }

class Adopter {
 public:
  explicit Adopter(const Adoption& adoption) : a_(adoption) {}

  Result<Summary> Run() {
    if (Status s = Within(a_.from, "--from", Session::Isolation::kSnapshotReadOnly, [&](Session&) { return Read(); });
        !s) {
      return s.error();
    }
    if (record_.phase != "DONE") {
      if (Status s = Finish(); !s) return s.error();
    }
    return record_.summary;
  }

 private:
  Status Read() {
    Source source(a_.from, a_.keys);
    a_.from.Run("BeginAdoption");
    if (Status s = source.Check(); !s) return s;
    fingerprint_ = source.Fingerprint();
    if (Status s = WithinInto(a_.into, [&](Session& into) { return Prepare(into); }); !s) return s;
    if (record_.phase == "APPS") {
      if (Status s = TakeApps(source); !s) return s;
      return TakeRest(source);
    }
    return Done{};
  }

  Status Prepare(Session& into) {
    const Found found = LookAt(into);
    const bool is_new = found.owner == Found::Owner::kNobody;
    if (is_new) {
      if (into.Run("LegacySchemaExists")[0].Bool()) {
        return FailedPrecondition("--into has a schema 'legacy' already: one Baton a database");
      }
      MakeLegacyLayout(into);
    } else if (found.owner != Found::Owner::kBaton) {
      return FailedPrecondition("--into holds " + std::to_string(found.tables) +
                                " tables already: give an empty database (or an empty schema on its search_path)");
    }
    record_ = ReadRecord(into);
    if (record_.there && record_.phase == "DONE") return CompareWithDone();
    const Rows versions = into.Run("ReadVersions");
    // Of 1.1 and without a record: not made here, and not to be emptied.
    if (versions.empty() || (!is_new && !record_.there) || versions[0].Int("current") != kLegacyMigration ||
        versions[0].Int("target") != kLegacyMigration) {
      return FailedPrecondition("--into is a Baton database in use (schema " +
                                (versions.empty() ? "unknown" : versions[0].Text("current_semver")) +
                                "): give an empty one");
    }
    if (record_.there && record_.fingerprint == fingerprint_) return Done{};
    // A reading of another state would be neither the one nor the other.
    const bool again = record_.there;
    into.Run("ForgetAdoption");
    into.Run("BeginNewAdoption", {fingerprint_});
    record_ = ReadRecord(into);
    record_.summary.began_again = again;
    return Done{};
  }

  Status CompareWithDone() {
    record_.summary.did_nothing = true;
    if (record_.fingerprint == fingerprint_) return Done{};
    return FailedPrecondition(
        "the source was adopted before, and has been written to since: a BBS still runs on it, or ran again. "
        "Adopt it into another, empty database");
  }

  // The next batch is read while this one is written: two databases, two threads.
  Status TakeApps(Source& source) {
    const auto read = [&](const std::string& after) {
      return std::async(std::launch::async,
                        [&source, after, most = a_.batch_apps] { return source.Next(after, most); });
    };
    std::future<SourceBatch> next = read(record_.checkpoint);
    while (true) {
      const SourceBatch batch = next.get();
      if (batch.last.empty()) return Done{};
      next = read(batch.last);
      const Status status = WithinInto(a_.into, [&](Session& into) { return Write(into, batch); });
      if (!status) return status;
      record_.checkpoint = batch.last;
      record_.summary.apps += static_cast<std::int64_t>(batch.apps.size());
      record_.summary.instances += batch.instances;
      a_.progress(record_.summary.apps, record_.summary.instances);
    }
  }

  Status Write(Session& into, const SourceBatch& batch) const {
    const Rows advanced =
        into.Run("AdvanceAdoption", {AsBytes(record_.checkpoint), AsBytes(batch.last),
                                     std::to_string(batch.apps.size()), std::to_string(batch.instances),
                                     fingerprint_});
    if (advanced.empty()) return AnotherOne();
    InsertLegacyApps(into, batch.apps);
    KeepFindings(into, batch.findings);
    return Done{};
  }

  // The record is advanced first, as in Write: what comes after it is of the only adoption that can get here.
  Status TakeRest(Source& source) {
    return WithinInto(a_.into, [&](Session& into) -> Status {
      std::vector<LegacyFinding> findings;
      const auto domains = source.Domains(findings);
      const Rows ended = into.Run("EndApps", {AsBytes(record_.checkpoint), std::to_string(domains.size()),
                                              std::to_string(source.Tasks()), fingerprint_});
      if (ended.empty()) return AnotherOne();
      Source::Place at;
      while (true) {
        const std::vector<LegacyFinding> orphans = source.Orphans(at, kPage);
        if (orphans.empty()) break;
        KeepFindings(into, orphans);
      }
      Columns columns(2);
      for (const auto& domain : domains) columns.Row().Text(domain.name).Int(domain.expire_time);
      columns.RunIfAny(into, "InsertLegacyDomains");
      KeepFindings(into, findings);
      into.Run("AnalyzeLegacy");
      return Done{};
    });
  }

  // It is done only if the source is still what was read: by a look of its own, in a new snapshot.
  Status Finish() {
    std::string now;
    const auto look = [&](Session& from) -> Status {
      now = Source(from, a_.keys).Fingerprint();
      return Done{};
    };
    if (Status s = Within(a_.from, "--from", Session::Isolation::kSnapshotReadOnly, look); !s) return s;
    if (now != fingerprint_) {
      return FailedPrecondition(
          "the source was written to while it was read: stop every BBS on it, and give the same command again");
    }
    return WithinInto(a_.into, [&](Session& into) -> Status {
      if (into.Run("FinishAdoption", {fingerprint_}).empty()) return AnotherOne();
      const bool again = record_.summary.began_again;
      record_ = ReadRecord(into);
      record_.summary.began_again = again;
      return Done{};
    });
  }

  const Adoption& a_;
  std::string fingerprint_;
  Record record_;
};

}  // namespace

bool Summary::complete() const {
  return std::ranges::all_of(left_out, [](const Count& count) { return count.kind == LegacyFinding::Kind::kNote; });
}

Result<Summary> Adopt(const Adoption& adoption) { return Adopter(adoption).Run(); }

Result<Summary> DropSource(Session& from, Session& into) {
  Record record;
  const auto read = [&](Session& s) -> Status {
    record = ReadRecord(s);
    return Done{};
  };
  if (Status s = Within(into, "--into", Session::Isolation::kSnapshotReadOnly, read); !s) return s.error();
  if (!record.there || record.phase != "DONE") {
    return FailedPrecondition("--into holds no finished adoption: Diego's tables stay");
  }
  if (!record.summary.complete()) {
    return FailedPrecondition(
        "the adoption left rows or fields out (baton admin adopt says which): Diego's tables stay");
  }
  const auto drop = [&](Session& s) -> Status {
    s.Run("LockDiego");  // prevents writes between the check and the drop
    if (s.Run("DiegoFingerprint")[0].Text() != record.fingerprint) {
      return FailedPrecondition("the source has been written to since it was adopted: Diego's tables stay");
    }
    s.Run("DropDiego");
    s.Run("DropDiegoHealthCheck");
    return Done{};
  };
  if (Status s = Within(from, "--from", Session::Isolation::kReadCommitted, drop); !s) return s.error();
  return record.summary;
}

Status ReadLeftOut(Session& into, const std::function<void(const LegacyFinding&)>& take) {
  return Within(into, "--into", Session::Isolation::kSnapshotReadOnly, [&](Session& s) -> Status {
    LegacyFinding last;
    while (true) {
      const Rows rows = s.Run("ReadLeftOut", {last.table, last.key, last.field, std::to_string(kPage)});
      if (rows.empty()) return Done{};
      for (const auto row : rows) {
        last = {ParseFindingKind(row.Text("kind")), row.Text("table_name"), row.Text("row_key"), row.Text("field"), row.Text("reason")};
        take(last);
      }
    }
  });
}

}  // namespace baton::adopt
