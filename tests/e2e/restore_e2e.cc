// The database is restored from a backup, while apps serve: it is refused until it is accepted, and then everything
// goes on. By PostgreSQL's own programs, as an operator does it.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <iostream>

#include "tests/e2e/scene.h"
#include "tests/schema/pg_tools.h"
#include "tools/cell/listing.h"
#include "tools/stack/stack_error.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kRestorePatience{30};

class Restored : public Scene {
 protected:
  Restored() : Scene(Two()) {}

  static stack::StackOptions Two() {
    stack::StackOptions options;
    options.batonds = 2;
    return options;
  }
  std::string Backup() const { return stack_->dir() + "/backup"; }
  void Dump() {
    testing::PgProgram({"pg_dump", "--format=custom", "--file", Backup(), "--dbname", stack_->database_url()});
  }
  // What is there goes, and nothing but what was dumped comes back.
  void Restore() {
    std::string beside = stack_->database_url();
    beside.replace(beside.find("dbname=baton"), 12, "dbname=postgres");
    testing::Psql(beside, "DROP DATABASE baton");
    testing::PgProgram({"pg_restore", "--exit-on-error", "--create", "--dbname", beside, Backup()});
  }
  std::string Content() { return testing::PgDump(stack_->database_url(), {}); }
  std::size_t Leader() {
    std::optional<std::size_t> leader;
    EXPECT_TRUE(Await([&] { return (leader = stack_->api().Leader()).has_value(); }));
    return leader.value_or(0);
  }
  void End(std::size_t which) {
    stack_->batond(which).Signal(SIGTERM);
    ASSERT_TRUE(stack_->batond(which).WaitForEnd(kRestorePatience));
    EXPECT_EQ(stack_->batond(which).exit_status(), 0);
  }
  void Annotate(const std::string& text) {
    v2::DesiredLRPUpdate update;
    update.set_annotation(text);
    stack_->api().Update(app_.process_guid, update);
  }
  bool CellsAreWelcome() {
    return Await([&] {
      const auto cells = stack_->api().Cells();
      return cells.size() == 2 && std::ranges::all_of(cells, [](const v2::Cell& cell) {
               return cell.connected() && cell.state() == "PRESENT";
             });
    });
  }
  // What the cells have in hand, in rows or not.
  int InHand() const {
    std::size_t count = 0;
    for (const int cell : {1, 2}) {
      count += cell::ListInstances(stack_->dir() + "/" + stack_->CellName(cell), /*all=*/false, /*now_ms=*/0).size();
    }
    return static_cast<int>(count);
  }
};

TEST_F(Restored, ABackupIsRefusedUntilItIsAcceptedAndNobodyNotices) {
  Begin();
  StartTraffic();
  Annotate("of the backup");
  const std::int64_t epoch_of_backup = stack_->api().Epoch();
  Dump();

  for (int i = 0; i < 3; ++i) {
    Annotate("written since " + std::to_string(i));
    const std::size_t leader = Leader();
    End(leader);
    stack_->StartBatond(leader);
  }
  stack::HelloApp later = app_;
  later.process_guid = "later";
  later.hostname = "later.example";
  EXPECT_EQ(EndOf(stack_->api().Desire(stack::DesiredHello(later, stack::HelloDefinition(later, "v1")))),
            v2::COMPLETED);
  const std::int64_t highest = stack_->api().Epoch();
  ASSERT_GE(highest, epoch_of_backup + 3);
  const std::size_t last = Leader();
  End(1 - last);
  End(last);
  Restore();

  const std::string restored = Content();
  for (const std::size_t which : {last, 1 - last}) {
    try {
      stack_->StartBatond(which);
      ADD_FAILURE() << "batond " << which << " took it for what it was";
    } catch (const stack::StackError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("the store has gone back"), HasSubstr("--accept-store")));
    }
  }
  EXPECT_EQ(Content(), restored) << "whoever refuses it writes nothing";

  stack_->StartBatond(last, {.program = {}, .database = {}, .arguments = {"--accept-store"}});
  EXPECT_TRUE(Await([&] { return stack_->api().Epoch() > highest; }));
  stack_->StartBatond(1 - last, {.program = {}, .database = {}, .arguments = {"--accept-store"}});
  EXPECT_TRUE(CellsAreWelcome());
  EXPECT_EQ(testing::Psql(stack_->database_url(), "SELECT process_guid FROM desired_lrps"), app_.process_guid + "\n");
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  const std::int64_t accepted = stack_->api().Epoch();
  End(Leader());
  ASSERT_TRUE(Await([&] { return stack_->api().Epoch() > accepted; })) << "the other one, with the same cells";
  EXPECT_TRUE(CellsAreWelcome());
  ExpectUnnoticed();
  std::cout << "restored: refused by both, accepted at epoch " << accepted << " beyond " << highest << " (backup "
            << epoch_of_backup << "), 0 failed\n";
}

// Its rows are of instances that are gone, and what took their place is in no row
// (docs/decisions/0051-what-a-restored-database-does-not-know-is-stopped.md).
TEST_F(Restored, WhatWasRolledSinceTheBackupIsStartedAsTheBackupHasItAndNothingElseIsLeft) {
  Begin();
  StartTraffic();
  Dump();
  ASSERT_EQ(EndOf(Update("v2")), v2::COMPLETED);
  ASSERT_TRUE(AwaitOnly("v2", app_.instances));
  const std::size_t last = Leader();
  End(1 - last);
  End(last);
  Restore();
  EXPECT_EQ(load_->Snapshot().failed, 0) << "instances and routes go on without Baton";

  for (const std::size_t which : {last, 1 - last}) {
    stack_->StartBatond(which, {.program = {}, .database = {}, .arguments = {"--accept-store"}});
  }
  EXPECT_TRUE(CellsAreWelcome());
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
  EXPECT_TRUE(Await([&] { return InHand() == app_.instances; })) << "of v2 none is left";
  load::LoadSnapshot before = load_->Snapshot();
  EXPECT_TRUE(Await([&] {
    const load::LoadSnapshot now = load_->Snapshot();
    if (now.failed > before.failed) before = now;
    return now.requests >= before.requests + 100;
  })) << "the router has it in force: a hundred in a row are answered";
  load_->Stop();
  const load::LoadSnapshot traffic = load_->Snapshot();
  std::cout << "restored: what was rolled since is started anew, " << traffic.failed << " of " << traffic.requests
            << " requests failed meanwhile\n";

  StartTraffic();
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED) << "the lost definition, sent again";
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
