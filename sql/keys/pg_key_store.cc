#include "sql/keys/pg_key_store.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "sql/keys/key_labels.h"
#include "sql/session/array.h"

namespace baton {
namespace {

constexpr int kQuarantinedShown = 100;

bool Seals(const std::shared_ptr<const KeyRing>& ring) { return ring && !ring->active().empty(); }

std::vector<BlobCount> Count(Session& session) {
  std::vector<BlobCount> counts;
  for (const EncryptedTable& table : EncryptedTables()) {
    for (const auto row : session.Run(StatementOf("CountBlobs", table))) {
      counts.push_back({std::string(table.table), row.Text("name"), row.Text("label"), row.Int("blobs")});
    }
  }
  return counts;
}

}  // namespace

Error NotSealedOnly(const std::string& file) {
  return FailedPrecondition("this batond has opened nothing plain so far (`sealed only`), and key file " + file +
                            " has no such line any more: put it back (docs/guide/keys.md has the way back to plain)");
}

PgKeyStore::PgKeyStore(std::string url, std::string file, Cipher& cipher, Log& log)
    : file_(std::move(file)), cipher_(cipher), log_(log), session_(std::move(url), cipher, log),
      rotation_(session_, cipher, log) {}

Error UsedUp(const KeyRing& ring) {
  return FailedPrecondition("key " + ring.active() +
                            " has been used 2^32 times, which is all that is safe: make another key active");
}

// Under the fence: the ring's keys are the database's, its active one is known there from now on, and may be used so
// often; 0: no more.
Result<std::int64_t> PgKeyStore::Take(const std::shared_ptr<const KeyRing>& ring) {
  Status fits = Done{};
  std::int64_t granted = 0;
  const Status written = session_.Write([&](Session& s) {
    const Rows labels = s.Run("LockKeyLabels");
    fits = FitsLabels(labels, ring.get());
    if (fits) fits = FitsSealedOnly(s, labels, ring.get());
    if (!fits || !Seals(ring)) return;
    const std::string& active = ring->active();
    std::int64_t used = 0;
    for (const auto row : labels) {
      if (row.Text("label") == active) used = row.Int("encryptions");
    }
    granted = std::clamp<std::int64_t>(kEncryptionsMax - used, 0, kGrant);
    if (granted == 0) return;
    if (used < kEncryptionsMax / 2 && used + granted >= kEncryptionsMax / 2) {
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
  session_.Lead(leadership);
  rotation_.Forget();
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
  const auto session = session_.Connected();
  if (!session) return session.error();
  return CheckKeys(**session, cipher_.ring().get());
}

Status PgKeyStore::Reload() {
  const std::lock_guard lock(busy_);
  if (file_.empty()) return FailedPrecondition("batond was started without --keys: there is no key file to read");
  const auto ring = KeyRing::Load(file_);
  if (!ring) return ring.error();
  const auto before = cipher_.ring();
  if (before && before->sealed_only() && !(*ring)->sealed_only()) return NotSealedOnly(file_);
  const auto granted = Take(*ring);
  if (!granted) return granted.error();
  if (Seals(*ring) && *granted == 0) return UsedUp(**ring);
  if ((*ring)->sealed_only() && on_sealed_only_) {
    if (Status kept = on_sealed_only_(); !kept) return kept;
  }
  cipher_.Use(*ring, *granted);
  rotation_.Forget();
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

Result<RotationProgress> PgKeyStore::Step(int rows_max) {
  const std::lock_guard lock(busy_);
  return rotation_.Step(rows_max);
}

Status PgKeyStore::BeginAgain() {
  const std::lock_guard lock(busy_);
  return rotation_.BeginAgain();
}

Result<KeysView> PgKeyStore::Look(bool count) {
  const std::lock_guard lock(busy_);
  KeysView view;
  auto rotation = rotation_.Look();
  if (!rotation) return rotation.error();
  view.rotation = *std::move(rotation);
  const auto ring = cipher_.ring();
  view.sealed_only = ring && ring->sealed_only();
  const Status read = session_.Read([&](Session& s) {
    for (const auto row : s.Run("ReadKeyLabels")) {
      view.labels.push_back({.label = row.Text("label"), .stored = row.Bool("active"), .retired = row.Bool("retired"),
                             .encryptions = row.Int("encryptions")});
    }
    for (const auto row : s.Run("ReadQuarantine", {std::to_string(kQuarantinedShown)})) {
      view.quarantine.push_back({row.Text("table_name"), row.Text("column_name"), row.Text("row_key"), row.Text("reason"),
                                 row.Time("found_at")});
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
  return view;
}

}  // namespace baton
