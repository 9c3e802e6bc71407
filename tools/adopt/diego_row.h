// Rows of Diego's tables, as JSON objects of their columns, made into those of schema 1.x.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "schema/legacy/apps/app.h"
#include "tools/adopt/column.h"

namespace baton::adopt {

// Both: INVALID_ARGUMENT with the column and its fault. Columns that a level does not have yet may be missing.
Result<LegacyApp> AppFrom(const std::string& row, ColumnOpener& opener);
Result<LegacyInstance> InstanceFrom(const std::string& row, ColumnOpener& opener);

// The members of a JSON object, each with the bytes that it had: routes are handed on as they were given.
// Nothing: it is no JSON object.
std::optional<std::vector<std::pair<std::string, std::string>>> MembersOf(const std::string& object);

}  // namespace baton::adopt
