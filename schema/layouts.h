// The tables of each layout, as the migrator needs them: the legacy one (1.x) in a schema of its own, and that of 2.x
// made beside it. All of it within a transaction of the caller's.
#pragma once

#include <cstdint>
#include <string_view>

namespace baton {

class Session;

inline constexpr std::int64_t kLegacyMigration = 2;  // the newest of schema/legacy
inline constexpr char kLegacySemver[] = "1.1.0";

// An empty database becomes one of schema 1.1: control tables in the current schema, the others in `legacy`.
void MakeLegacyLayout(Session& session);

// What a database of 1.0 lacks of 1.1; nothing where it is of 1.1. `versions` stays: END sets it.
void FinishLegacyLayout(Session& session);

// The tables of 2.x, empty, beside the control tables that are there already. The shipped migrations run as they are,
// in a scratch schema; what they make is then moved, control tables excepted. Afterwards the current schema is what a
// new database has. Nothing happens where they are there.
void MakeTargetShape(Session& session);

// What only 1.x needs goes. The record of an adoption stays, if there was one: `baton admin adopt --drop-source` reads
// it.
void DropLegacyShape(Session& session);

}  // namespace baton
