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
    TestCall call{{.name = "define", .guid = kRacedApp, .actor = "test"}};
    call.decide = [this](AppEdit& edit) {
      key_ = {edit.state().desired->incarnation, DefinitionId("old")};
      Definition old = edit.state().definitions.at({key_.incarnation, DefinitionId("v1")});
      old.id = key_.id;
      old.content_hash = std::string(64, 'b');
      edit.InsertDefinition(key_.incarnation, old, "");
      return Status(Done{});
    };
    EXPECT_TRUE(Do(std::move(call)));
    collector_.Lead({"leader", 1});
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
    while (!SomebodyWaits(direct_url_) && deleted.wait_for(milliseconds(5)) == std::future_status::timeout) {
    }
  });
  EXPECT_TRUE(end.error.ok() && end.leads) << end.error.detail;
  const auto count = deleted.get();
  ASSERT_TRUE(count) << count.error().message;
  EXPECT_EQ(*count, 0) << "it is in use by now";
  EXPECT_TRUE(InstanceIsThere());
  EXPECT_TRUE(DefinitionIsThere());
}

TEST_F(CollectRace, WhatWasCollectedMeanwhileIsNotReferredTo) {
  const Status status = Do(MakeInstance([&] {
    const auto deleted = collector_.DeleteDefinitions({{kRacedApp, key_}});
    ASSERT_TRUE(deleted) << deleted.error().message;
    EXPECT_EQ(*deleted, 1);
  }));
  EXPECT_FALSE(status) << "the foreign key speaks";
  EXPECT_FALSE(InstanceIsThere());
  EXPECT_FALSE(DefinitionIsThere());
}

}  // namespace
}  // namespace baton
