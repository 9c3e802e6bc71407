// While an upgrade goes there and back, a store writes, and so does another program: nothing that was acknowledged is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <thread>

#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/statement_sample.h"
#include "tests/schema/pg_tools.h"
#include "tests/upgrade/writing_process.h"

namespace baton::testing {
namespace {

std::string DesiredOf(const std::string& url, const std::string& table, const std::string& column, const ProcessGuid& app) {
  return Psql(url, "SELECT " + column + " FROM " + table + ".desired_lrps WHERE process_guid = '" + app.str() + "'");
}

class Writers : public ::testing::Test {
 protected:
  Writers() {
    MakeWaiting(url);
    EXPECT_TRUE(process.Lead().ok());
  }
  Result<UpgradeView> Look() { return process.leads.upgrade().Look(); }
  // Steps until it is there; an error is tried again, as by orchestrator/app/upgrade.
  void Until(UpgradeState state, int rows = 12) {
    std::string why;
    for (int steps = 0; steps < 500; ++steps) {
      const auto view = Look();
      if (view && view->state == state) return;
      const auto more = process.leads.upgrade().Step(rows);
      if (!more) why = more.error().message;
    }
    if (const auto view = Look(); view) {
      for (const UpgradeShard& shard : view->shards) why += " " + shard.reason;
    }
    ADD_FAILURE() << "it does not become " << Name(state) << ": " << why;
  }
  void Begins() {
    const Status begun = process.leads.upgrade().Begin({.shards = 2, .keep_old = true});
    ASSERT_TRUE(begun.ok()) << begun.error().message;
  }
  void GoesBack() {
    const Status back = process.leads.upgrade().RollBack();
    ASSERT_TRUE(back.ok()) << back.error().message;
  }

  const std::string url = FreshDatabase();
  WritingProcess process{url};
};

// One thread of calls on one app: each annotation is told apart, and each acknowledged one raises the tag by one.
struct Calls {
  ProcessGuid app;
  int acknowledged = 0;
  int refused = 0;
  void Make(WritingProcess& process, const std::atomic<bool>& stop) {
    while (!stop) {
      const Status status = process.Annotate(app, "call " + std::to_string(acknowledged + 1));
      ASSERT_TRUE(status.ok() || status.error().kind == ErrorKind::kUnavailable) << status.error().message;
      ++(status.ok() ? acknowledged : refused);
      if (!status.ok()) std::this_thread::yield();
    }
  }
};

TEST_F(Writers, ThereAndBackNothingThatWasAcknowledgedIsLostOrDoubled) {
  std::vector<Calls> calls;
  for (const char* app : {"app-0", "app-1", "app-2"}) calls.push_back({ProcessGuid(app)});
  std::map<ProcessGuid, int> tags;
  for (const Calls& c : calls) tags[c.app] = std::stoi(DesiredOf(url, "public", "modification_tag_index", c.app));
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (Calls& c : calls) threads.emplace_back([&] { c.Make(process, stop); });
  const ProcessGuid others("app-4");
  int scaled = 10;
  std::atomic<int> writes = 0;
  threads.emplace_back([&] {
    for (int next = scaled + 1; !stop; ++next) {
      if (SomebodyScales(url, others.str(), next)) scaled = next, ++writes;
    }
  });
  // Its writes are processes of their own, and few where the data is in memory: there and back until there were enough.
  for (int round = 0; round < 2 || (writes <= 5 && round < 100); ++round) {
    Begins();
    Until(UpgradeState::kSwitched);
    GoesBack();
    Until(UpgradeState::kWaiting);
  }
  Begins();
  Until(UpgradeState::kSwitched);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  int acknowledged = 0;
  for (const Calls& c : calls) {
    acknowledged += c.acknowledged;
    EXPECT_GT(c.acknowledged, 20);
    for (const char* layout : {"public", "legacy"}) {
      EXPECT_EQ(DesiredOf(url, layout, "modification_tag_index", c.app), std::to_string(tags[c.app] + c.acknowledged) + "\n")
          << layout;
    }
    EXPECT_EQ(DesiredOf(url, "public", "annotation", c.app),
              Psql(url, "SELECT '\\x42540100'::bytea || convert_to('call " + std::to_string(c.acknowledged) + "', 'UTF8')"));
  }
  EXPECT_GT(writes, 5);
  EXPECT_EQ(DesiredOf(url, "public", "instances", others), std::to_string(scaled) + "\n") << "of the other program";
  EXPECT_EQ(Wrong(url), "");
  std::cout << acknowledged << " writes of a store and " << writes << " of another program, " << process.leads.upgrade().Look()->write_stop_ms
            << " ms without writes\n";
}

// Also in the very last moment: between the last comparison and the commit of the switch.
TEST_F(Writers, WhatAnotherProgramHasCommittedBeforeTheSwitchIsThereAfterIt) {
  const ProcessGuid app("app-4");
  int committed = 0;
  bool met = true;
  StatementSample next(3);
  for (int at = next(); met; at = next()) {
    SCOPED_TRACE("statement " + std::to_string(at) + " of the switch");
    met = false;
    bool written = false, switching = false, writing = false;
    int count = 0;
    Begins();
    Session::SetHook([&](std::string_view statement) {
      switching = switching || statement == "AwaitWriters";
      if (writing || !switching || ++count != at) return;
      writing = met = true;
      written = SomebodyScales(url, app.str(), 100 + at);
      writing = false;
    });
    Until(UpgradeState::kSwitched);
    Session::SetHook(nullptr);
    committed += written ? 1 : 0;
    EXPECT_TRUE(!written || DesiredOf(url, "public", "instances", app) == std::to_string(100 + at) + "\n") << "it is lost";
    ASSERT_EQ(Wrong(url), "");
    GoesBack();
    Until(UpgradeState::kWaiting);
    ASSERT_EQ(Wrong(url), "");
    if (HasFailure()) return;
  }
  EXPECT_GT(committed, 1);
}

// It was told as a fault of the rows, which somebody has to look after; what wrote often enough kept the switch from ever coming.
TEST_F(Writers, AnAppThatIsWrittenAgainBetweenTwoLooksAtItHoldsUpNothing) {
  const ProcessGuid app("app-4");
  Begins();
  ASSERT_TRUE(SomebodyScales(url, app.str(), 100));
  int written = 0;
  bool taken = false, written_anew = false, writing = false;
  Session::SetHook([&](std::string_view statement) {
    if (writing) return;
    taken = taken || statement == "TakeLegacyChangesOf";
    if (taken && statement == "COMMIT") taken = false, written_anew = true;
    if (!written_anew || statement != "ReadLegacyMadeAt" || written == 3) return;
    written_anew = false, writing = true;  // it is about to be looked at
    written += SomebodyScales(url, app.str(), 101 + written) ? 1 : 0;
    writing = false;
  });
  for (int steps = 0; steps < 500 && Look()->state != UpgradeState::kSwitched; ++steps) {
    EXPECT_TRUE(process.leads.upgrade().Step(12).ok());
    const auto view = Look();
    for (const UpgradeShard& shard : view->shards) EXPECT_EQ(shard.reason, "");
  }
  Session::SetHook(nullptr);
  EXPECT_EQ(written, 3);
  EXPECT_EQ(DesiredOf(url, "public", "instances", app), "103\n");
  EXPECT_EQ(Wrong(url), "");
}

// The older layout does not count there: it is written anew, once, and that is the end of it.
TEST_F(Writers, WhatAnotherProgramWritesOnTheWayBackIsWrittenOverOnce) {
  Begins();
  Until(UpgradeState::kSwitched);
  const std::string instances = DesiredOf(url, "public", "instances", ProcessGuid("app-0"));
  GoesBack();
  Psql(url, "UPDATE legacy.desired_lrps SET instances = 99 WHERE process_guid = 'app-0'; "
            "DELETE FROM legacy.actual_lrps WHERE process_guid = 'app-0'");
  for (int page = 0; page < 2; ++page) ASSERT_TRUE(process.leads.upgrade().Step(1).ok());
  EXPECT_EQ(Look()->state, UpgradeState::kSyncingBack);
  EXPECT_EQ(DesiredOf(url, "legacy", "instances", ProcessGuid("app-0")), instances);
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM legacy.changes WHERE foreign_write"), "0\n");
  Until(UpgradeState::kWaiting);
  EXPECT_EQ(DesiredOf(url, "public", "instances", ProcessGuid("app-0")), instances);
}

// It waits for another program's lock: writes of all other apps go on, and it is tried again.
TEST_F(Writers, AWriteThatDoesNotEndStopsNoOthers) {
  Begins();
  std::promise<void> locked, release;
  std::thread other([&] {
    const auto session = OpenSession(url);
    (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      s.RunScript(
          "SET LOCAL idle_in_transaction_session_timeout = 0; SELECT FROM legacy.desired_lrps WHERE process_guid = "
          "'app-0' FOR UPDATE");
      locked.set_value();
      release.get_future().wait();
      return true;
    });
  });
  locked.get_future().wait();
  std::atomic<bool> written = false;
  std::thread writer([&] { written = process.Annotate(ProcessGuid("app-0"), "at last").ok(); });
  while (!SomebodyWaits(url)) std::this_thread::yield();
  std::string why;
  for (int steps = 0; why.empty() && steps < 20; ++steps) {
    const auto began = std::chrono::steady_clock::now();
    const auto more = process.leads.upgrade().Step(60);
    if (!more) why = more.error().message;
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4));
    EXPECT_TRUE(process.leads.gate().Enter()) << "others may write";
  }
  EXPECT_THAT(why, ::testing::HasSubstr("does not end"));
  EXPECT_EQ(Look()->state, UpgradeState::kSyncing);
  release.set_value();
  other.join();
  writer.join();
  EXPECT_TRUE(written);
  Until(UpgradeState::kSwitched);
  EXPECT_EQ(Wrong(url), "");
}

// What somebody writes just now is left for the next look, and not waited for.
TEST_F(Writers, AProgramThatDoesNotCommitIsNotWaitedFor) {
  ASSERT_TRUE(SomebodyScales(url, "app-4", 30));
  std::promise<void> locked, release;
  std::thread other([&] {
    const auto session = OpenSession(url);
    (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      s.RunScript("UPDATE legacy.desired_lrps SET instances = 31 WHERE process_guid = 'app-4'");
      locked.set_value();
      release.get_future().wait();
      return true;
    });
  });
  locked.get_future().wait();
  const auto began = std::chrono::steady_clock::now();
  for (int looks = 0; looks < 3; ++looks) EXPECT_TRUE(process.leads.upgrade().Step(12).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4));
  release.set_value();
  other.join();
  Begins();
  Until(UpgradeState::kSwitched);
  EXPECT_EQ(DesiredOf(url, "public", "instances", ProcessGuid("app-4")), "31\n");
}

TEST_F(Writers, WithoutKeepOldTheOlderLayoutIsNotWrittenAfterTheSwitch) {
  ASSERT_TRUE(process.leads.upgrade().Begin({.shards = 2}).ok());
  Until(UpgradeState::kSwitched);
  ASSERT_TRUE(process.Annotate(ProcessGuid("app-0"), "newer").ok());
  EXPECT_NE(DesiredOf(url, "legacy", "modification_tag_index", ProcessGuid("app-0")),
            DesiredOf(url, "public", "modification_tag_index", ProcessGuid("app-0")));
  EXPECT_FALSE(process.leads.upgrade().RollBack().ok());
}

// Nobody has noted it: the comparison alone can tell.
TEST_F(Writers, AShardThatDiffersInWhatCannotBeReadIsNotReady) {
  Psql(url, "UPDATE legacy.desired_lrps SET run_info = '' WHERE process_guid = 'app-2'; DELETE FROM legacy.changes");
  Begins();
  for (int page = 0; page < 40; ++page) (void)process.leads.upgrade().Step(12);
  const auto view = Look();
  EXPECT_EQ(view->state, UpgradeState::kSyncing);
  int ready = 0;
  std::string reasons;
  for (const UpgradeShard& shard : view->shards) ready += shard.ready, reasons += shard.reason;
  EXPECT_EQ(ready, 1);
  EXPECT_THAT(reasons, ::testing::HasSubstr("app-2: "));
}

}  // namespace
}  // namespace baton::testing
