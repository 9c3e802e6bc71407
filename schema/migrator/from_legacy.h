// The step from the legacy layout to 2.x, as the migrator takes it: a migration without a file, because the tables of
// both have the same names. Its steps are recorded as those of any other.
#pragma once

#include <memory>
#include <string>

#include "schema/migrator/copier.h"
#include "schema/migrator/steps.h"

namespace baton {

class Session;

inline constexpr std::int64_t kFromLegacy = 99;  // the last of the numbers that are kept for the legacy layout

const Migration& FromLegacy();

// Its expand and contract, within a transaction: the rest of 1.1 and the target shape; what only 1.x needs goes.
void RunFromLegacy(Session& session, const MigrationStep& step);

// Its copy; null for other names.
std::unique_ptr<Copier> LegacyCopierOf(const std::string& name);

}  // namespace baton
