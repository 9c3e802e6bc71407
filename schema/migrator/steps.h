// A migration's file, taken apart. Its text before the first mark, and after "-- @contract" and the like, is SQL that
// runs as it stands:
//   (none)           expand: what the new shape needs beside the old
//   -- @copy NAME    a statement of sql/statements/migrate.sql copies rows in batches
//   -- @outside NAME what follows is one statement that runs in no transaction and makes the index of that name
//   -- @contract     removes what nothing needs once `current` is this version
//   -- @loses SELECT one sentence a row: what a way back would lose
//   -- @down-expand, -- @down-copy NAME, -- @down-contract   the way back, in the same order
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton {

enum class PartKind { kExpand, kCopy, kOutside, kContract, kLoses, kDownExpand, kDownCopy, kDownContract };
inline constexpr int kPartKinds = 8;

std::string_view Name(PartKind kind);

struct MigrationStep {
  PartKind kind = PartKind::kExpand;
  std::string name;  // of the statement or the index; of others their kind, with a number where there are several
  std::string sql;   // empty for copies

  friend bool operator==(const MigrationStep&, const MigrationStep&) = default;
};

struct Migration {
  std::int64_t version = 0;
  std::string file;
  std::string checksum;  // SHA-256 of the text, in hex
  std::string semver;    // of the schema when it is done
  std::vector<MigrationStep> steps;

  // Those of one kind, in the file's order.
  std::vector<MigrationStep> Of(PartKind kind) const;
  // It can be taken back.
  bool HasDown() const;
};

// The statements of a script, one by one: each ends with a line that ends with a semicolon, outside of $$.
std::vector<std::string> StatementsOf(std::string_view sql);

// All that makes the newest shape of it at once, in a transaction of a database that nobody else uses yet: no copies, and
// indexes not concurrently.
std::vector<std::string> MakingStatements(const Migration& migration);

// An unknown mark fails a CHECK: files are ours, and a test reads each.
Migration ParseMigration(std::int64_t version, std::string_view file, std::string_view semver, std::string_view text);

}  // namespace baton
