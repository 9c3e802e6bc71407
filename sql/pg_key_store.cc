#include "sql/pg_key_store.h"

#include <algorithm>

#include "sql/array.h"
#include "sql/key_labels.h"

namespace baton {
namespace {

constexpr int kQuarantinedMost = 1000;
constexpr int kQuarantinedShown = 100;
constexpr std::int64_t kPageBytesMost = 4 << 20;

Error Refused(std::string message) { return {ErrorKind::kFailedPrecondition, std::move(message), {}}; }

bool Seals(const std::shared_ptr<const KeyRing>& ring) { return ring && !ring->active().empty(); }

std::string Of(const char* statement, const EncryptedTable& table) {
  return std::string(statement) + "." + std::string(table.table);
}

}  // namespace

// What is between two transactions: read by one, written by the next.
struct PgKeyStore::Page {
  struct RowBlobs {
    std::vector<std::string> key;
    std::string bound;
    std::vector<std::optional<std::string>> were;  // nothing: it stays
    std::vector<std::optional<std::string>> become;
  };
  std::vector<RowBlobs> rows;
  std::vector<QuarantinedBlob> faults;
};

PgKeyStore::PgKeyStore(std::string url, std::string file, Cipher& cipher, Log& log)
    : url_(std::move(url)), file_(std::move(file)), cipher_(cipher), log_(log) {}

Result<Session*> PgKeyStore::Connected() {
  if (!session_ || session_->broken()) {
    auto opened = Session::Open(url_, cipher_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
  }
  return session_.get();
}

Status PgKeyStore::Read(const std::function<void(Session&)>& body) {
  const auto session = Connected();
  if (!session) return session.error();
  const SessionError error = (*session)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    body(s);
    return true;
  });
  if (error.ok()) return Done{};
  log_.Warn("keys_not_read", {{"sqlstate", error.sqlstate}, {"error", error.detail}});
  return Error{ErrorKind::kUnavailable, "the database does not answer", seconds(1)};
}

Status PgKeyStore::Write(const std::function<void(Session&)>& body) {
  const auto session = Connected();
  if (!session) return session.error();
  return WriteFenced(**session, leadership_, log_, body);
}

Error UsedUp(const KeyRing& ring) {
  return Refused("key " + ring.active() + " has been used 2^32 times, which is all that is safe: make another key active");
}

// Under the fence: the ring's keys are the database's, its active one is known there from now on, and may be used so
// often; 0: no more.
Result<std::int64_t> PgKeyStore::Take(const std::shared_ptr<const KeyRing>& ring) {
  Status fits = Done{};
  std::int64_t granted = 0;
  const Status written = Write([&](Session& s) {
    const Rows labels = s.Run("LockKeyLabels");
    fits = FitsLabels(labels, ring.get());
    if (!fits || !Seals(ring)) return;
    const std::string& active = ring->active();
    std::int64_t used = 0;
    for (const auto row : labels) {
      if (row.Text(0) == active) used = row.Int(2);
    }
    granted = std::clamp<std::int64_t>(kEncryptionsMost - used, 0, kGrant);
    if (granted == 0) return;
    if (used < kEncryptionsMost / 2 && used + granted >= kEncryptionsMost / 2) {
      log_.Warn("key_half_used", {{"label", active}, {"encryptions", used + granted}});
    }
    s.Run("UseKeyLabel", {active, BytesParam(CheckValue(*ring, active))});
    s.Run("AddEncryptions", {active, std::to_string(granted)});
  });
  if (!written) return written.error();
  if (!fits) return fits.error();
  return granted;
}

Status PgKeyStore::Lead(const Leadership& leadership) {
  const std::lock_guard lock(busy_);
  leadership_ = leadership;
  stored_.reset();
  const auto ring = cipher_.ring();
  const auto granted = Take(ring);
  if (!granted) return granted.error();
  // With a key that is used up it leads all the same: what is there is read, and routed.
  if (Seals(ring) && *granted == 0) log_.Error("key_used_up", {{"label", ring->active()}});
  cipher_.Use(ring, *granted);
  return Done{};
}

Status PgKeyStore::MayLead() {
  const std::lock_guard lock(busy_);
  const auto session = Connected();
  if (!session) return session.error();
  return CheckKeys(**session, cipher_.ring().get());
}

Status PgKeyStore::Reload() {
  const std::lock_guard lock(busy_);
  if (file_.empty()) return Refused("batond was started without --keys: there is no key file to read");
  const auto ring = KeyRing::Load(file_);
  if (!ring) return ring.error();
  const auto granted = Take(*ring);
  if (!granted) return granted.error();
  if (Seals(*ring) && *granted == 0) return UsedUp(**ring);
  cipher_.Use(*ring, *granted);
  stored_.reset();
  log_.Info("keys_read", {{"active", (*ring)->active().empty() ? "none" : (*ring)->active()}});
  return Done{};
}

Status PgKeyStore::Replenish() {
  const std::lock_guard lock(busy_);
  const auto ring = cipher_.ring();
  if (!Seals(ring) || cipher_.left() >= kGrant / 2) return Done{};
  const auto granted = Take(ring);
  if (!granted) return granted.error();
  if (*granted == 0) return UsedUp(*ring);
  cipher_.Grant(*granted);
  return Done{};
}

Status PgKeyStore::Load() {
  const std::string target = cipher_.active();
  Stored stored;
  const Status read = Read([&](Session& s) {
    stored.needed = RotationNeeded(s.Run("ReadKeyLabels"), target);
    for (const auto row : s.Run("ReadRotation")) {
      if (row.Text(1) != target) continue;  // one that was given up
      stored.tables[row.Text(0)] = {row.Array(2), row.Int(3), row.Int(4), row.Int(5), row.Bool(6)};
      stored.began_at = row.Time(7);
    }
    stored.begun = stored.tables.size() == EncryptedTables().size();
  });
  if (read) stored_ = std::move(stored);
  return read;
}

Status PgKeyStore::Begin() {
  ArrayParam tables, rows;
  const Status counted = Read([&](Session& s) {
    for (const EncryptedTable& table : EncryptedTables()) {
      tables.Text(table.table);
      rows.Int(s.Run(Of("CountRows", table))[0].Int(0));
    }
  });
  if (!counted) return counted;
  const std::string target = cipher_.active();
  log_.Info("key_rotation_begins", {{"target", target.empty() ? "plain" : target}});
  return Write([&](Session& s) {
    s.Run("ClearQuarantine");
    s.Run("ForgetRotation");
    s.Run("BeginRotation", {target, tables.str(), rows.str()});
  });
}

Status PgKeyStore::BeginAgain() {
  const std::lock_guard lock(busy_);
  return PassAgain();
}

Status PgKeyStore::PassAgain() {
  stored_.reset();
  return Write([](Session& s) {
    s.Run("ClearQuarantine");
    s.Run("BeginRotationAgain");
  });
}

PgKeyStore::Page PgKeyStore::Scan(Session& session, const EncryptedTable& table, int rows_most) {
  std::vector<Param> params = {std::to_string(rows_most), std::to_string(kPageBytesMost)};
  const auto& checkpoint = stored_->tables.at(std::string(table.table)).checkpoint;
  for (std::size_t i = 0; i < table.key.size(); ++i) {
    constexpr char kLeast[] = "-9223372036854775808";
    params.push_back(!checkpoint.empty() ? checkpoint.at(i) : table.key[i].number ? kLeast : "");
  }
  Page page;
  for (const auto row : session.Run(Of("ScanBlobs", table), params)) {
    Page::RowBlobs& one = page.rows.emplace_back();
    std::size_t at = 0;
    while (at < table.key.size()) one.key.push_back(row.Text(at++));
    one.bound = row.Text(at++);
    for (std::size_t i = 0; i < table.columns.size(); ++i, ++at) {
      one.were.push_back(row.IsNull(at) ? std::nullopt : std::optional(row.Bytes(at)));
    }
  }
  return page;
}

// Within no transaction: nobody waits for this. What is under the active key already is opened all the same: a rotation that
// says that it is done has seen every blob.
Status PgKeyStore::Seal(const EncryptedTable& table, Page& page) {
  const std::string begin = EnvelopeBegin(cipher_.active());
  for (Page::RowBlobs& row : page.rows) {
    row.become.resize(row.were.size());
    for (std::size_t i = 0; i < row.were.size(); ++i) {
      if (!row.were[i]) continue;
      const BlobPlace place{table.table, table.columns[i], row.bound};
      auto opened = cipher_.Open(place, *row.were[i]);
      if (!opened) {
        page.faults.push_back({std::string(table.table), std::string(table.columns[i]), row.bound,
                               opened.error().message, {}});
        row.were[i].reset();  // it stays what it is; the row's others go on
        continue;
      }
      if (row.were[i]->starts_with(begin)) {
        row.were[i].reset();
        continue;
      }
      auto sealed = cipher_.Seal(place, *opened);
      crypto::Wipe(*opened);
      if (!sealed) return sealed.error();
      row.become[i] = *std::move(sealed);
    }
  }
  return Done{};
}

Status PgKeyStore::Copy(const EncryptedTable& table, int rows_most) {
  Page page;
  if (Status read = Read([&](Session& s) { page = Scan(s, table, rows_most); }); !read) return read;
  if (Status sealed = Seal(table, page); !sealed) return sealed;
  std::vector<ArrayParam> arrays(table.key.size() + 2 * table.columns.size());
  bool any = false;
  for (const Page::RowBlobs& row : page.rows) {
    if (std::ranges::none_of(row.were, [](const auto& blob) { return blob.has_value(); })) continue;
    any = true;
    std::size_t at = 0;
    for (const std::string& part : row.key) arrays[at++].Text(part);
    for (std::size_t i = 0; i < row.were.size(); ++i) {
      for (const auto* blob : {&row.were[i], &row.become[i]}) *blob ? arrays[at++].Bytes(**blob) : arrays[at++].Null();
    }
  }
  std::vector<Param> params;
  for (const ArrayParam& array : arrays) params.push_back(array.str());
  ArrayParam columns, keys, reasons;
  for (const QuarantinedBlob& fault : page.faults) {
    columns.Text(fault.column), keys.Text(fault.key), reasons.Text(fault.reason);
  }
  TableState next = stored_->tables.at(std::string(table.table));
  if (!page.rows.empty()) next.checkpoint = page.rows.back().key;
  next.rows_done += static_cast<std::int64_t>(page.rows.size());
  const std::int64_t before = next.faults;
  next.faults += static_cast<std::int64_t>(page.faults.size());
  next.done = page.rows.empty();
  ArrayParam checkpoint;
  for (const std::string& part : next.checkpoint) checkpoint.Text(part);
  const Status written = Write([&](Session& s) {
    if (any) s.Run(Of("RewriteBlobs", table), params);
    if (!page.faults.empty()) {
      s.Run("Quarantine", {std::string(table.table), columns.str(), keys.str(), reasons.str(),
                           std::to_string(kQuarantinedMost)});
    }
    s.Run("KeepCheckpoint", {std::string(table.table), checkpoint.str(), std::to_string(page.rows.size()),
                             std::to_string(page.faults.size()), next.done ? "t" : "f"});
  });
  if (!written) return written;
  stored_->tables.at(std::string(table.table)) = std::move(next);
  if (!page.faults.empty() && before < kQuarantinedMost) {
    log_.Error("blobs_quarantined", {{"blobs", page.faults.size()}, {"first", page.faults.front().reason}});
  }
  return Done{};
}

std::vector<BlobCount> PgKeyStore::Count(Session& session) {
  std::vector<BlobCount> counts;
  for (const EncryptedTable& table : EncryptedTables()) {
    for (const auto row : session.Run(Of("CountBlobs", table))) {
      counts.push_back({std::string(table.table), row.Text(0), row.Text(1), row.Int(2)});
    }
  }
  return counts;
}

// Each row was looked at. It is done when two counts, each of a snapshot of its own, find nothing else.
Status PgKeyStore::Finish() {
  const std::string target = cipher_.active();
  // What was sealed with a key from before is committed, or never will be, before anything is counted.
  const Status over = Write([&](Session& s) {
    s.Run("AwaitWriters", {leadership_.name, std::to_string(leadership_.epoch)});
  });
  if (!over) return over;
  for (int look = 0; look < 2; ++look) {
    bool others = false;
    const Status counted = Read([&](Session& s) {
      others = std::ranges::any_of(Count(s), [&](const BlobCount& count) { return count.label != target; });
    });
    if (!counted) return counted;
    if (others) return PassAgain();  // rows that somebody held
  }
  const Status written = Write([&](Session& s) {
    s.Run("RetireOtherKeys", {target});
    if (!target.empty()) s.Run("SetStoredKey", {target});
  });
  if (!written) return written;
  stored_.reset();
  log_.Info("key_rotation_done", {{"target", target.empty() ? "plain" : target}});
  return Done{};
}

RotationProgress PgKeyStore::Progress(RotationState state) const {
  RotationProgress progress{.state = state, .target = cipher_.active()};
  if (!stored_) return progress;
  progress.began_at = stored_->began_at;
  for (const auto& [name, table] : stored_->tables) {
    progress.rows_total += std::max(table.rows_total, table.rows_done);
    progress.rows_done += table.rows_done;
    progress.faults += table.faults;
  }
  return progress;
}

Result<RotationProgress> PgKeyStore::Step(int rows_most) {
  const std::lock_guard lock(busy_);
  if (!stored_) {
    if (Status loaded = Load(); !loaded) return loaded.error();
  }
  if (!stored_->needed) return Progress(RotationState::kDone);
  Status done = Done{};
  if (!stored_->begun) {
    done = Begin();
    stored_.reset();
  } else {
    const auto tables = EncryptedTables();
    const auto next = std::ranges::find_if(
        tables, [&](const EncryptedTable& table) { return !stored_->tables.at(std::string(table.table)).done; });
    if (next != tables.end()) {
      done = Copy(*next, rows_most);
    } else if (Progress(RotationState::kStuck).faults > 0) {
      return Progress(RotationState::kStuck);
    } else {
      done = Finish();
    }
  }
  if (done) return Progress(RotationState::kWorking);
  stored_.reset();  // whether it was committed is read
  return done.error();
}

Result<KeysView> PgKeyStore::Look(bool count) {
  const std::lock_guard lock(busy_);
  KeysView view;
  stored_.reset();
  if (Status loaded = Load(); !loaded) return loaded.error();
  const auto ring = cipher_.ring();
  const Status read = Read([&](Session& s) {
    for (const auto row : s.Run("ReadKeyLabels")) {
      view.labels.push_back({.label = row.Text(0), .stored = row.Bool(1), .retired = row.Bool(4), .encryptions = row.Int(2)});
    }
    for (const auto row : s.Run("ReadQuarantine", {std::to_string(kQuarantinedShown)})) {
      view.quarantine.push_back({row.Text(0), row.Text(1), row.Text(2), row.Text(3), row.Time(4)});
    }
    if (count) view.counts = Count(s);
  });
  if (!read) return read.error();
  for (const std::string& label : ring ? ring->labels() : std::vector<std::string>()) {
    if (std::ranges::find(view.labels, label, &KeyLabel::label) == view.labels.end()) view.labels.push_back({.label = label});
  }
  for (KeyLabel& label : view.labels) {
    label.known = ring && ring->Has(label.label);
    label.active = ring && ring->active() == label.label;
  }
  const bool all_seen = stored_->begun && std::ranges::all_of(stored_->tables, [](const auto& t) { return t.second.done; });
  const bool stuck = all_seen && Progress(RotationState::kStuck).faults > 0;
  view.rotation = Progress(!stored_->needed ? RotationState::kDone
                                            : stuck ? RotationState::kStuck : RotationState::kWorking);
  return view;
}

}  // namespace baton
