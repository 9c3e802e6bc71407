// The migrations that this program brings, oldest first.
#pragma once

#include <algorithm>
#include <vector>

#include "schema/migrator/steps.h"

namespace baton {

const std::vector<Migration>& ShippedMigrations();

// Whether a database that was made with a text of this checksum was made with this migration: its own, or one that it
// had for a while, when texts were still changed, and from which the next migration leads to the same shape.
bool IsTextOf(const Migration& migration, const std::string& checksum);

}  // namespace baton
