// What the table key_labels says of keys, against those of a ring.
#pragma once

#include <string>

#include "schema/keys.h"
#include "sql/session.h"

namespace baton {

// Whether these keys (null: none) are the database's: each label that blobs are sealed with is there, and is the key that
// it was. FAILED_PRECONDITION naming the label; reads only.
Status CheckKeys(Session& session, const KeyRing* ring);
// The same, of rows of ReadKeyLabels.
Status FitsLabels(const Rows& labels, const KeyRing* ring);
// Whether the rows do not say yet that every blob is sealed with `target`, empty for plain.
bool RotationNeeded(const Rows& labels, const std::string& target);
// By which a key is known again.
std::string CheckValue(const KeyRing& ring, const std::string& label);

}  // namespace baton
