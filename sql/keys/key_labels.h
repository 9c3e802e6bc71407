// What the table key_labels says of keys, against those of a ring.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/crypto/encrypted_columns.h"
#include "orchestrator/crypto/keys.h"
#include "sql/session/session.h"

namespace baton {

inline constexpr int kCountedRows = 2000;  // of a page, where blobs are counted

// The name under which a statement of blobs is prepared for this table.
inline std::string StatementOf(const char* statement, const EncryptedTable& table) {
  return std::string(statement) + "." + std::string(table.table);
}

// Whether these keys (null: none) are the database's: each label that blobs are sealed with is there, and is the key that
// it was. FAILED_PRECONDITION naming the label; reads only.
Status CheckKeys(Session& session, const KeyRing* ring);
// The same, of rows of ReadKeyLabels.
Status FitsLabels(const Rows& labels, const KeyRing* ring);
// Within a transaction: FAILED_PRECONDITION where the ring is `sealed only` and not all that is stored was sealed yet, which
// would not open. Cheap once a rotation is done; before that it reads until it finds a plain blob.
Status FitsSealedOnly(Session& session, const Rows& labels, const KeyRing* ring);
// Whether the rows do not say yet that every blob is sealed with `target`, empty for plain.
bool RotationNeeded(const Rows& labels, const std::string& target);
// The parameters of a page of blobs that begins behind this key; empty: the key before the first row's.
void AddBlobKey(const EncryptedTable& table, const std::vector<std::string>& key, std::vector<Param>& params);
// By which a key is known again.
std::string CheckValue(const KeyRing& ring, const std::string& label);

}  // namespace baton
