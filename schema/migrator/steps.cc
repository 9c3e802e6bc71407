#include "schema/migrator/steps.h"

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/base/check.h"
#include "orchestrator/wire/stored/hash.h"

namespace baton {
namespace {

constexpr std::array<std::string_view, kPartKinds> kNames = {"expand", "copy",        "outside",   "contract",
                                                             "loses",  "down-expand", "down-copy", "down-contract"};

bool Blank(std::string_view text) { return text.find_first_not_of(" \n") == std::string_view::npos; }

// Nothing but comments and blank lines.
bool SaysNothing(std::string_view sql) {
  while (!sql.empty()) {
    const std::size_t end = std::min(sql.find('\n'), sql.size());
    const std::string_view line = sql.substr(0, end);
    if (!Blank(line) && !line.starts_with("--")) return false;
    sql.remove_prefix(std::min(end + 1, sql.size()));
  }
  return true;
}

// As it runs in a transaction.
std::string WithinTransaction(std::string statement) {
  const std::string word = " CONCURRENTLY";
  if (const std::size_t at = statement.find(word); at != std::string::npos) statement.erase(at, word.size());
  return statement;
}

MigrationStep StepOf(std::string_view mark) {
  const std::size_t space = std::min(mark.find(' '), mark.size());
  const auto kind = std::ranges::find(kNames, mark.substr(0, space));
  CHECK(kind != kNames.end() && "a migration's file has a mark that nobody knows");
  MigrationStep step{.kind = static_cast<PartKind>(kind - kNames.begin()), .name = {}, .sql = {}};
  const std::string_view rest = mark.substr(std::min(space + 1, mark.size()));
  if (step.kind == PartKind::kLoses) {
    step.sql = rest;
  } else {
    step.name = rest;
  }
  return step;
}

}  // namespace

std::string_view Name(PartKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::vector<MigrationStep> Migration::Of(PartKind kind) const {
  std::vector<MigrationStep> found;
  std::ranges::copy_if(steps, std::back_inserter(found), [&](const MigrationStep& s) { return s.kind == kind; });
  return found;
}

bool Migration::HasDown() const { return !Of(PartKind::kDownContract).empty(); }

std::vector<std::string> StatementsOf(std::string_view sql) {
  std::vector<std::string> statements;
  std::string statement;
  bool quoted = false;
  while (!sql.empty()) {
    const std::size_t end = std::min(sql.find('\n'), sql.size());
    const std::string_view line = sql.substr(0, end);
    sql.remove_prefix(std::min(end + 1, sql.size()));
    const std::string_view code = line.substr(0, line.find("--"));  // no text of ours has dashes in quotes
    for (std::size_t at = code.find("$$"); at != std::string_view::npos; at = code.find("$$", at + 2)) quoted = !quoted;
    statement.append(line).push_back('\n');
    const std::size_t last = code.find_last_not_of(' ');
    if (quoted || last == std::string_view::npos || code[last] != ';') continue;
    statements.push_back(std::exchange(statement, {}));
  }
  CHECK(SaysNothing(statement) && "a statement without its semicolon");
  return statements;
}

std::vector<std::string> MakingStatements(const Migration& migration) {
  std::vector<std::string> statements;
  for (const MigrationStep& step : migration.steps) {
    const bool forward =
        step.kind == PartKind::kExpand || step.kind == PartKind::kOutside || step.kind == PartKind::kContract;
    if (!forward) continue;
    for (const std::string& statement : StatementsOf(step.sql)) statements.push_back(WithinTransaction(statement));
  }
  return statements;
}

Migration ParseMigration(std::int64_t version, std::string_view file, std::string_view semver, std::string_view text) {
  Migration migration{.version = version,
                      .file = std::string(file),
                      .checksum = wire::Sha256Hex(text),
                      .semver = std::string(semver),
                      .steps = {}};
  std::vector<MigrationStep> steps{{.kind = PartKind::kExpand, .name = {}, .sql = {}}};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    constexpr std::string_view kMark = "-- @";
    if (line.starts_with(kMark)) {
      steps.push_back(StepOf(line.substr(kMark.size())));
    } else {
      // What follows a copy's or a loss's one line belongs to what comes next, which is a mark as well: comments.
      steps.back().sql.append(steps.back().kind == PartKind::kLoses ? std::string_view() : line);
      if (steps.back().kind != PartKind::kLoses) steps.back().sql.push_back('\n');
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::array<int, kPartKinds> count{};
  for (MigrationStep& step : steps) {
    const bool copies = step.kind == PartKind::kCopy || step.kind == PartKind::kDownCopy;
    CHECK(!copies || SaysNothing(step.sql));
    if (copies) step.sql.clear();
    if (!copies && SaysNothing(step.sql)) continue;
    const int number = ++count[static_cast<std::size_t>(step.kind)];
    if (step.name.empty()) step.name = std::string(Name(step.kind)) + (number > 1 ? std::to_string(number) : "");
    migration.steps.push_back(std::move(step));
  }
  return migration;
}

}  // namespace baton
