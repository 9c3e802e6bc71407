// The version law: the ten rows of docs/generated/version-law.md, a second time by hand, and what else a program may
// not touch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "orchestrator/model/semver.h"
#include "orchestrator/model/version.h"
#include "schema/law.h"
#include "schema/migrator/shipped.h"
#include "schema/verdict.h"
#include "tools/law/law_print.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t kOurs = kSchemaMigration;

struct VersionRow {
  std::optional<VersionMark> mark;
  RollbackMark rollback;
  const char* duties;
};
const std::optional<VersionMark> kNothing;
VersionMark At(std::int64_t current, std::int64_t target) { return {current, target, kSchemaSemver}; }

const VersionRow kVersionRows[] = {
    {kNothing, RollbackMark::kNone, "END SERVE"},
    {At(kOurs - 1, kOurs - 1), RollbackMark::kNone, "BEGIN END SERVE"},
    {At(kOurs - 1, kOurs), RollbackMark::kNone, "CONTINUE END SERVE"},
    {At(kOurs - 1, kOurs + 1), RollbackMark::kNone, "CONTINUE END SERVE"},
    {At(kOurs, kOurs - 1), RollbackMark::kNone, "SHUT_DOWN"},
    {At(kOurs, kOurs - 1), RollbackMark::kBegun, "END SERVE"},
    {At(kOurs, kOurs), RollbackMark::kNone, "SERVE"},
    {At(kOurs, kOurs + 1), RollbackMark::kNone, "SERVE"},
    {At(kOurs + 1, kOurs - 1), RollbackMark::kNone, "SHUT_DOWN"},
    {At(kOurs + 1, kOurs - 1), RollbackMark::kBegun, "SHUT_DOWN"},
    {At(kOurs + 1, kOurs), RollbackMark::kNone, "SHUT_DOWN"},
    {At(kOurs + 1, kOurs), RollbackMark::kBegun, "SHUT_DOWN"},
    {At(kOurs + 1, kOurs), RollbackMark::kEnded, "END SERVE"},
    {At(kOurs + 1, kOurs + 1), RollbackMark::kNone, "SHUT_DOWN"},
};

std::string Duties(VersionFact fact) {
  std::string duties;
  for (auto duty = Advance(VersionDuty::kCheck, fact); duty; duty = Advance(*duty, VersionFact::kDone)) {
    duties += (duties.empty() ? "" : " ") + std::string(Name(*duty));
  }
  return duties;
}

TEST(VersionLaw, EachRowOfTheTable) {
  std::set<VersionFact> met;
  for (const VersionRow& row : kVersionRows) {
    const VersionFact fact = FactOf(row.mark, row.rollback, kOurs);
    met.insert(fact);
    EXPECT_EQ(Duties(fact), row.duties) << Name(fact);
  }
  EXPECT_EQ(met.size(), kVersionFacts - 1u) << "all but `done`";
}

TEST(VersionLaw, NothingElseIsAllowed) {
  int allowed = 0;
  for (int duty = 0; duty < kVersionDuties; ++duty) {
    for (int fact = 0; fact < kVersionFacts; ++fact) {
      allowed += Advance(static_cast<VersionDuty>(duty), static_cast<VersionFact>(fact)).has_value();
    }
  }
  EXPECT_EQ(allowed, 12 + 3) << "twelve facts from CHECK; BEGIN, CONTINUE and END are done";
}

TEST(VersionLaw, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_VERSION_LAW_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintVersionLaw())
      << "refresh it: build/bin/baton-law versions > docs/generated/version-law.md";
}

TEST(SemverTest, IsThreeNumbers) {
  EXPECT_EQ(Semver::Parse("2.10.3"), (Semver{{2, 10, 3}}));
  for (const char* wrong : {"", "2", "2.1", "2.1.", "2.1.x", "2.1.0.0", "-2.1.0", "+2.1.0", " 2.1.0", "2..0", "2.1.0-rc"}) {
    EXPECT_EQ(Semver::Parse(wrong), std::nullopt) << wrong;
  }
  EXPECT_LT(*Semver::Parse("2.9.0"), *Semver::Parse("2.10.0"));
}

TEST(SemverTest, RangeEndsBeforeTheNextMajor) {
  const Semver least{{2, 1, 0}};
  for (const char* in : {"2.1.0", "2.1.9", "2.30.0"}) EXPECT_TRUE(Serves(least, *Semver::Parse(in))) << in;
  for (const char* out : {"2.0.9", "1.9.9", "3.0.0"}) EXPECT_FALSE(Serves(least, *Semver::Parse(out))) << out;
}

// A database that is of this program's version.
Found Ours() {
  Found found;
  found.owner = Found::Owner::kBaton;
  found.mark = At(kOurs, kOurs);
  found.store.id = "s";
  found.epoch = 7;
  for (const Migration& m : ShippedMigrations()) found.applied[m.version] = {m.file, m.checksum};
  return found;
}
VersionVerdict VerdictOf(const Found& found, const std::optional<StoreMemory>& memory = {}) {
  return Judge(found, ShippedMigrations(), memory);
}
void ExpectRefused(const Found& found, const std::string& says, const std::optional<StoreMemory>& memory = {}) {
  const VersionVerdict verdict = VerdictOf(found, memory);
  EXPECT_EQ(verdict.duty, VersionDuty::kShutDown) << says;
  EXPECT_THAT(verdict.why, HasSubstr(says));
}

TEST(Verdict, OursIsServed) {
  EXPECT_EQ(VerdictOf(Ours()).duty, VersionDuty::kServe);
  EXPECT_EQ(VerdictOf(Ours(), StoreMemory{"s", kOurs, 7}).duty, VersionDuty::kServe);
}

TEST(Verdict, WhatIsNotOursIsNamed) {
  Found found;
  found.owner = Found::Owner::kOther;
  found.tables = 3;
  ExpectRefused(found, "3 tables that are not Baton's");
  found.owner = Found::Owner::kDiego;
  ExpectRefused(found, "baton admin adopt");
  found = Ours();
  found.in_recovery = true;
  ExpectRefused(found, "replica");
  found = Ours();
  found.mark.reset();
  ExpectRefused(found, "`versions` has no row");
  found = {};
  found.has_schema = false;
  ExpectRefused(found, "search_path");
}

TEST(Verdict, AChangedMigrationIsNamed) {
  Found found = Ours();
  found.applied[101].checksum = std::string(64, '0');
  ExpectRefused(found, "0101_convergence_cells_events.sql was changed");
  found = Ours();
  found.applied[100].checksum = "91b4b5f430a4ada24c88b34fadee734cbba8ee0cab6ad2574bb9302e566a9511";
  EXPECT_EQ(VerdictOf(found).duty, VersionDuty::kServe) << "a text that 0100 had";
}

TEST(Verdict, OutsideOfTheRangeIsNotServed) {
  Found found = Ours();
  found.mark->semver = "3.0.0";
  ExpectRefused(found, "calls itself 3.0.0");
  found.mark->semver = "rubbish";
  ExpectRefused(found, "calls itself rubbish");
}

TEST(Verdict, TheFutureIsRefusedWithBothVersions) {
  Found found = Ours();
  found.mark = VersionMark{kOurs + 1, kOurs + 1, "9.0.0"};
  ExpectRefused(found, "of schema " + std::to_string(kOurs + 1) + " (9.0.0");
}

TEST(Verdict, AVersionThatWasNeverAppliedIsRefused) {
  Found found = Ours();
  found.mark = At(kOurs - 1, kOurs - 1);
  found.applied.erase(kOurs);
  EXPECT_EQ(VerdictOf(found).duty, VersionDuty::kBegin);
  found.applied.erase(kOurs - 1);
  ExpectRefused(found, "not that the migration to it was applied");
}

TEST(Verdict, AStoreThatWasLostOrHasGoneBackIsNotServed) {
  const StoreMemory memory{"s", kOurs, 9};
  Found empty;
  ExpectRefused(empty, "the database is empty, but this batond remembers", memory);
  EXPECT_EQ(VerdictOf(empty).duty, VersionDuty::kEnd) << "nobody remembers one";
  ExpectRefused(Ours(), "has gone back: its last leader had epoch 7", memory);
  Found other = Ours();
  other.store.id = "t";
  other.epoch = 9;
  ExpectRefused(other, "another store (t)", memory);
  Found older = Ours();
  older.epoch = 9;
  older.mark = At(kOurs - 1, kOurs - 1);
  older.applied.erase(kOurs);
  ExpectRefused(older, "has gone back: it is of schema", memory);
  older.rollback = RollbackMark::kEnded;
  older.rollback_from = kOurs + 1;
  EXPECT_EQ(VerdictOf(older, memory).duty, VersionDuty::kBegin) << "it was taken back on purpose, and not from ours";
}

// Each batond has a memory of its own: another one took the data back, by its own right, and somebody forgot that since.
TEST(Verdict, WhatOthersHaveTakenBackSinceIsNotTakenForARestoredBackup) {
  Found older = Ours();
  older.mark = At(kOurs - 1, kOurs - 1);
  older.applied.erase(kOurs);
  older.epoch = 10;
  EXPECT_EQ(VerdictOf(older, StoreMemory{"s", kOurs, 9}).duty, VersionDuty::kBegin);
}

TEST(Verdict, WhatWasTakenBackIsNotMigratedAgainBySomeStandby) {
  Found found = Ours();
  found.mark = At(kOurs - 1, kOurs - 1);
  found.applied.erase(kOurs);
  found.rollback = RollbackMark::kEnded;
  found.rollback_from = kOurs;
  ExpectRefused(found, "taken back from schema " + std::to_string(kOurs));
}

// An open upgrade of a newer program: its record must be finished by nobody else.
TEST(Verdict, AnUpgradeOfANewerProgramIsServedOnlyWhereTheOlderLayoutIsServedAsItIs) {
  const auto duty = [](std::int64_t current, UpgradeState state, std::int64_t source) {
    Found found;
    found.owner = Found::Owner::kBaton;
    found.mark = VersionMark{current, kOurs + 1, kSchemaSemver};
    found.upgrade = UpgradeView{.state = state, .source = source, .target = kOurs + 1, .target_semver = "9.9.9"};
    for (const Migration& m : ShippedMigrations()) found.applied[m.version] = {m.file, m.checksum};
    return Judge(found, ShippedMigrations(), std::nullopt);
  };
  EXPECT_EQ(duty(kOurs, UpgradeState::kSyncing, kOurs).duty, VersionDuty::kServe);
  EXPECT_EQ(duty(kOurs, UpgradeState::kSwitched, kOurs).duty, VersionDuty::kShutDown);
  EXPECT_THAT(duty(2, UpgradeState::kWaiting, 2).why, HasSubstr("an online upgrade to schema 9.9.9 is WAITING"));
}

// N+1 is finished before N+2 begins, whatever state it is in.
TEST(Verdict, AnUpgradeOfAnOlderProgramIsFinishedByThatProgramFirst) {
  for (int state = 1; state < kUpgradeStates; ++state) {
    Found found;
    found.owner = Found::Owner::kBaton;
    found.mark = VersionMark{kOurs - 1, kOurs - 1, kSchemaServedFrom};
    found.upgrade = UpgradeView{
        .state = static_cast<UpgradeState>(state), .source = kOurs - 2, .target = kOurs - 1, .target_semver = "1.2.3"};
    for (const Migration& m : ShippedMigrations()) found.applied[m.version] = {m.file, m.checksum};
    const VersionVerdict verdict = Judge(found, ShippedMigrations(), std::nullopt);
    EXPECT_EQ(verdict.duty, VersionDuty::kShutDown);
    EXPECT_THAT(verdict.why, HasSubstr("finish it with a batond of that schema"));
  }
}

}  // namespace
}  // namespace baton
