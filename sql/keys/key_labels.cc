#include "sql/keys/key_labels.h"

#include "orchestrator/base/errors.h"

namespace baton {
namespace {

BlobPlace CheckPlace(std::string_view label) { return {"key_labels", "check_value", label}; }

}  // namespace

Status FitsLabels(const Rows& labels, const KeyRing* ring) {
  for (const auto row : labels) {
    const std::string& label = row.Text("label");
    const bool known = ring && ring->Has(label);
    if (!known && !row.Bool("retired")) {
      return FailedPrecondition("the database has blobs that are sealed with key " + label + ", which " +
                                (ring ? "is not in the key file" : "takes a key file (--keys)") +
                                ": put it back; it can go when `baton admin keys status` calls it retired");
    }
    if (known && !row.IsNull("check_value") && !OpenWith(ring, CheckPlace(label), row.Bytes("check_value"))) {
      return FailedPrecondition("key " + label +
                                " is not the key that this database knows by that label: its key or passphrase in "
                                "the key file is wrong (a new key takes a new label)");
    }
  }
  return Done{};
}

Status FitsSealedOnly(Session& session, const Rows& labels, const KeyRing* ring) {
  if (!ring || !ring->sealed_only()) return Done{};
  const auto refused = [](std::string_view what) {
    return FailedPrecondition(
        "the key file says `sealed only`, and " + std::string(what) +
        " plain: take that line out until `baton admin keys status` says that all data is encrypted");
  };
  for (const auto row : session.Run("ReadRotation")) {
    if (row.Text("target").empty()) return refused("data is being made");  // back to plain, and not finished
  }
  for (const auto row : labels) {
    if (row.Bool("active")) return Done{};
  }
  for (const EncryptedTable& table : EncryptedTables()) {
    for (std::vector<std::string> after;;) {
      std::vector<Param> params = {BytesParam(std::string_view("BT\x02")), std::to_string(kCountedRows)};
      AddBlobKey(table, after, params);
      const Rows page = session.Run("CountOthers." + std::string(table.table), params);
      if (page.empty()) break;
      if (page[0].Int("others") > 0) return refused(std::string(table.table) + " has blobs that are");
      after.clear();
      for (const auto& key : table.key) after.push_back(page[0].Text(Column::Of(key.name)));
    }
  }
  return Done{};
}

void AddBlobKey(const EncryptedTable& table, const std::vector<std::string>& key, std::vector<Param>& params) {
  for (std::size_t i = 0; i < table.key.size(); ++i) {
    constexpr char kMin[] = "-9223372036854775808";
    params.push_back(!key.empty() ? key.at(i) : table.key[i].number ? kMin : "");
  }
}

bool RotationNeeded(const Rows& labels, const std::string& target) {
  bool stored = target.empty();
  for (const auto row : labels) {
    const bool in_use = !row.Bool("retired");
    if (row.Text("label") == target) stored = row.Bool("active");
    else if (in_use) return true;
  }
  return !stored;
}

Status CheckKeys(Session& session, const KeyRing* ring) {
  Status fits = Done{};
  const SessionError error = session.Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    const Rows labels = s.Run("ReadKeyLabels");
    fits = FitsLabels(labels, ring);
    if (fits) fits = FitsSealedOnly(s, labels, ring);
    return true;
  });
  if (!error.ok()) return DatabaseAway(error.detail);
  return fits;
}

std::string CheckValue(const KeyRing& ring, const std::string& label) {
  return SealUnder(ring, label, CheckPlace(label), "baton");
}

}  // namespace baton
