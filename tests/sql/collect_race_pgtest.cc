// The collector and an instance that is just being made of the same definition (invariants M11): whoever comes first,
// nothing refers to what is not there.
#include <atomic>
#include <future>

#include "sql/store/fence.h"
#include "sql/store/pg_collector.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

const ProcessGuid kRacedApp("app");

class CollectRace : public PgStoreTest {
 protected:
  CollectRace() {
    EXPECT_TRUE(Do(Desire(kRacedApp, 1)));
    key_ = Define("old", 'b');
    collector_.Lead({"leader", 1});
  }

  DefinitionKey Define(const std::string& id, char content) {
    DefinitionKey key;
    TestCall call{{.name = "define", .guid = kRacedApp, .actor = "test"}};
    call.decide = [&](AppEdit& edit) {
      key = {edit.state().desired->incarnation, DefinitionId(id)};
      Definition old = edit.state().definitions.at({key.incarnation, DefinitionId("v1")});
      old.id = key.id;
      old.content_hash = std::string(64, content);
      edit.InsertDefinition(key.incarnation, old, "");
      return Status(Done{});
    };
    EXPECT_TRUE(Do(std::move(call)));
    return key;
  }
  TestCall MakeInstance(const std::function<void()>& before = [] {}) {
    TestCall call{{.name = "make", .guid = kRacedApp, .actor = "test"}};
    call.decide = [this, before](AppEdit& edit) {
      before();
      edit.Insert({.incarnation = key_.incarnation, .index = 0, .definition = key_.id});
      return Status(Done{});
    };
    return call;
  }
  void Pin(bool pinned) {
    TestCall call{{.name = "pin", .guid = kRacedApp, .actor = "test"}};
    call.decide = [this, pinned](AppEdit& edit) {
      edit.ChangeDefinition(key_).pinned = pinned;
      return Status(Done{});
    };
    ASSERT_TRUE(Do(std::move(call)));
  }
  // Until as many wait for a lock, or `what` is over without one.
  template <class Value>
  void WaitUntil(int waiting, const std::future<Value>& what) {
    while (!SomebodyWaits(direct_url_, waiting) && what.wait_for(milliseconds(5)) == std::future_status::timeout) {
    }
  }
  bool InstanceIsThere() { return Exists(direct_url_, "actual_lrps WHERE definition_identifier = 'old'"); }
  bool DefinitionIsThere() { return Exists(direct_url_, "definitions WHERE definition_identifier = 'old'"); }

  DefinitionKey key_;
  PgCollector collector_{direct_url_, log_};
};

TEST_F(CollectRace, TheCollectorWaitsForAnInsertAndFindsItInUse) {
  const auto writer = OpenSession(direct_url_);
  std::future<Result<int>> deleted;
  const FencedEnd end = TransactFenced(*writer, {"leader", 1}, [&](Session& s, TimePoint) {
    s.RunScript(
        "INSERT INTO actual_lrps (actual_id, process_guid, incarnation, instance_index, presence,"
        " definition_identifier, roll_id, state, instance_guid, cell_id, net_info, zone, since, crash_count,"
        " crash_reason, placement_error, applied_by, drained_by, awaits_drain, modification_tag_epoch,"
        " modification_tag_index) SELECT 'x', process_guid, incarnation, 0, 'ORDINARY', 'old', '', 'UNCLAIMED', '', '',"
        " '', '', now(), 0, '', '', '{}', '{}', false, 'e', 0 FROM desired_lrps");
    deleted = std::async(std::launch::async, [&] { return collector_.DeleteDefinitions({{kRacedApp, key_}}); });
    WaitUntil(1, deleted);
  });
  EXPECT_TRUE(end.error.ok() && end.leads) << end.error.detail;
  const auto count = deleted.get();
  ASSERT_TRUE(count) << count.error().message;
  EXPECT_EQ(*count, 0) << "it is in use by now";
  EXPECT_TRUE(InstanceIsThere());
  EXPECT_TRUE(DefinitionIsThere());
}

// By hand. The collector's apps are locked meanwhile.
TEST_F(CollectRace, OneThatSomebodyHasLockedKeepsNoOtherFromBeingCollected) {
  const DefinitionKey other = Define("older", 'c');
  const auto holder = OpenSession(direct_url_);
  const SessionError error = holder->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(
        "SET LOCAL idle_in_transaction_session_timeout = 0; "
        "SELECT FROM definitions WHERE definition_identifier = 'old' FOR UPDATE");
    EXPECT_EQ(*collector_.DeleteDefinitions({{kRacedApp, key_}, {kRacedApp, other}}), 1);
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_TRUE(DefinitionIsThere());
}

// An update that went back to a definition whose time was over was refused: "the database refused it
// (desired_lrps_active)".
TEST_F(CollectRace, WhatABatchHasReadIsThereWhenItCommits) {
  const Status status = Do(MakeInstance([&] {
    const auto deleted = collector_.DeleteDefinitions({{kRacedApp, key_}});
    ASSERT_TRUE(deleted) << deleted.error().message;
    EXPECT_EQ(*deleted, 0) << "its app is being written";
  }));
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_TRUE(InstanceIsThere());
  EXPECT_TRUE(DefinitionIsThere());
}

TEST_F(CollectRace, ABatchThatComesWhileItDeletesReadsWhatIsLeft) {
  // The collector stays where it is until somebody waits for it, or nobody does.
  Sql("CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN FOR i IN 1..500 LOOP "
      "EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = "
      "current_database()); "
      "PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP; RETURN OLD; END $$; "
      "CREATE TRIGGER stays BEFORE DELETE ON definitions FOR EACH ROW EXECUTE FUNCTION stay()");
  bool read_it = true;
  auto deleted = std::async(std::launch::async, [&] { return collector_.DeleteDefinitions({{kRacedApp, key_}}); });
  while (!Exists(direct_url_, "pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()") &&
         deleted.wait_for(milliseconds(5)) == std::future_status::timeout) {
  }
  TestCall call{{.name = "look", .guid = kRacedApp, .actor = "test"}};
  call.decide = [&](AppEdit& edit) {
    read_it = edit.state().definitions.contains(key_);
    return Status(Done{});
  };
  EXPECT_TRUE(Do(std::move(call)));
  EXPECT_EQ(*deleted.get(), 1);
  EXPECT_FALSE(read_it);
}

TEST_F(CollectRace, OneThatWasPinnedSinceItWasFoundStays) {
  Pin(true);
  EXPECT_EQ(*collector_.DeleteDefinitions({{kRacedApp, key_}}), 0);
  EXPECT_TRUE(DefinitionIsThere());
  Pin(false);
  EXPECT_EQ(*collector_.DeleteDefinitions({{kRacedApp, key_}}), 1);
  EXPECT_FALSE(DefinitionIsThere());
}

}  // namespace
}  // namespace baton
