#include "sql/key_labels.h"

namespace baton {
namespace {

Error Refused(std::string message) { return {ErrorKind::kFailedPrecondition, std::move(message), {}}; }

BlobPlace CheckPlace(std::string_view label) { return {"key_labels", "check_value", label}; }

}  // namespace

Status FitsLabels(const Rows& labels, const KeyRing* ring) {
  for (const auto row : labels) {
    const std::string& label = row.Text(0);
    const bool known = ring && ring->Has(label);
    if (!known && !row.Bool(4)) {
      return Refused("the database has blobs that are sealed with key " + label + ", which " +
                     (ring ? "is not in the key file" : "takes a key file (--keys)") +
                     ": put it back; it can go when `baton admin keys status` calls it retired");
    }
    if (known && !row.IsNull(3) && !OpenWith(ring, CheckPlace(label), row.Bytes(3))) {
      return Refused("key " + label + " is not the key that this database knows by that label: its key or passphrase in "
                     "the key file is wrong (a new key takes a new label)");
    }
  }
  return Done{};
}

bool RotationNeeded(const Rows& labels, const std::string& target) {
  bool stored = target.empty();
  for (const auto row : labels) {
    const bool in_use = !row.Bool(4);
    if (row.Text(0) == target) stored = row.Bool(1);
    else if (in_use) return true;
  }
  return !stored;
}

Status CheckKeys(Session& session, const KeyRing* ring) {
  Status fits = Done{};
  const SessionError error = session.Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    fits = FitsLabels(s.Run("ReadKeyLabels"), ring);
    return true;
  });
  if (!error.ok()) return Error{ErrorKind::kUnavailable, "the database does not answer: " + error.detail, seconds(1)};
  return fits;
}

std::string CheckValue(const KeyRing& ring, const std::string& label) {
  return SealUnder(ring, label, CheckPlace(label), "baton");
}

}  // namespace baton
