// Writes of other programs to the tables of 1.x: they are told from ours, and 2.x takes them over.
#include "schema/legacy/take_over.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "orchestrator/app/apps/lifecycle.h"
#include "schema/layouts.h"
#include "tests/adopt/in_step_database.h"
#include "tests/adopt/random_app.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ProcessGuid kShop("shop");
const ProcessGuid kMill("mill");

LegacyApp Running(const std::string& guid) {
  RandomApps random(3);
  LegacyApp app = random.Next(guid);
  app.actuals.clear();
  app.instances = 3;
  app.tag_index = 7;
  for (int index = 0; index < 3; ++index) {
    LegacyInstance& lrp = app.actuals.emplace_back(random.Instance(index, v1::ActualLRP::ORDINARY, app.domain));
    lrp.state = "RUNNING";
    lrp.instance_guid = guid + "-start-" + std::to_string(index);
    lrp.cell_id = "cell-0";
    lrp.tag_epoch = "epoch";
  }
  return app;
}

class ForeignWrites : public ::testing::Test {
 protected:
  // As a program that knows nothing of Baton.
  void Write(const std::string& sql) { Psql(database.url(), sql); }
  std::vector<std::string> Take(const std::vector<ProcessGuid>& guids) {
    std::vector<std::string> faults;
    database.Within([&](Session& s) {
      s.RunScript("SET LOCAL lock_timeout = '20s'");  // whoever waits here waits for this very thread
      TakeOver(s, guids, faults);
    });
    return faults;
  }
  std::vector<ProcessGuid> Differing() {
    const baton::Compared compared = database.Compare({kShop, kMill});
    EXPECT_THAT(compared.faults, IsEmpty());
    return compared.differing;
  }
  std::string Events() { return Psql(database.url(), "SELECT kind FROM events ORDER BY sequence"); }
  void Scale(const ProcessGuid& guid, int instances) {
    TestCall call{{.name = "scale", .guid = guid}};
    call.decide = [=](AppEdit& edit) {
      edit.ChangeDesired().instances = instances;
      return Status(Done{});
    };
    EXPECT_TRUE(database.Do(std::move(call)).ok());
  }

  InStepDatabase database{{Running("shop"), Running("mill")}};
};

TEST_F(ForeignWrites, AreLoggedByNameAndOursAreNot) {
  Scale(kShop, 5);
  EXPECT_THAT(database.TakeChanges(), IsEmpty());
  Write("UPDATE legacy.desired_lrps SET annotation = annotation WHERE process_guid = 'mill'");
  EXPECT_THAT(database.TakeChanges(), ElementsAre("mill foreign"));
  EXPECT_THAT(database.TakeChanges(), IsEmpty());
}

TEST_F(ForeignWrites, OfEachKindAndTableAreLogged) {
  const auto logged_by = [&](const std::string& sql) {
    Write(sql);
    return database.TakeChanges();
  };
  EXPECT_THAT(logged_by("UPDATE legacy.actual_lrps SET crash_count = 1 WHERE process_guid = 'mill'"),
              ElementsAre("mill foreign"));
  EXPECT_THAT(logged_by("DELETE FROM legacy.actual_lrps WHERE instance_index = 2"),
              ElementsAre("mill foreign", "shop foreign"));
  EXPECT_THAT(logged_by("CREATE TABLE kept AS TABLE legacy.actual_lrps; DELETE FROM legacy.actual_lrps"),
              ElementsAre("mill foreign", "shop foreign"));
  EXPECT_THAT(logged_by("INSERT INTO legacy.actual_lrps SELECT * FROM kept WHERE process_guid = 'shop'"),
              ElementsAre("shop foreign"));
  EXPECT_THAT(logged_by("UPDATE legacy.actual_lrps SET crash_count = 1 WHERE false"), IsEmpty());
  EXPECT_THAT(logged_by("UPDATE legacy.desired_lrps SET process_guid = 'other' WHERE process_guid = 'mill'"),
              ElementsAre("mill foreign", "other foreign"));
  EXPECT_THAT(logged_by("DELETE FROM legacy.desired_lrps"), ElementsAre("other foreign", "shop foreign"));
}

TEST_F(ForeignWrites, OursAreLoggedWhileTheyAreTracked) {
  database.Within([](Session& s) { s.Run("TrackOwnChanges", {"true"}); });
  Scale(kShop, 5);
  EXPECT_THAT(database.TakeChanges(), ElementsAre("shop own"));
  Scale(kShop, 4);
  Write("UPDATE legacy.desired_lrps SET annotation = annotation WHERE process_guid = 'shop'");
  Scale(kShop, 3);
  EXPECT_THAT(database.TakeChanges(), ElementsAre("shop foreign")) << "one foreign write among ours is enough";
  database.Within([](Session& s) { s.Run("TrackOwnChanges", {"false"}); });
  Scale(kShop, 2);
  EXPECT_THAT(database.TakeChanges(), IsEmpty());
}

TEST_F(ForeignWrites, AreTakenOverAndInstancesKeepTheirIds) {
  const AppState before = database.Read(kShop);
  Write("UPDATE legacy.desired_lrps SET instances = 4, modification_tag_index = 8 WHERE process_guid = 'shop'; "
        "UPDATE legacy.actual_lrps SET availability_zone = 'far', modification_tag_index = 5000 WHERE process_guid = "
        "'shop' AND instance_index = 0; "
        "UPDATE legacy.actual_lrps SET instance_guid = 'other' WHERE process_guid = 'shop' AND instance_index = 1; "
        "DELETE FROM legacy.actual_lrps WHERE process_guid = 'shop' AND instance_index = 2");
  EXPECT_THAT(Differing(), ElementsAre(kShop));
  EXPECT_THAT(Take({kShop}), IsEmpty());
  EXPECT_THAT(Differing(), IsEmpty());
  EXPECT_THAT(database.TakeChanges(), IsEmpty()) << "it is done";
  const AppState after = database.Read(kShop);
  EXPECT_EQ(after.desired->instances, 4);
  EXPECT_EQ(after.desired->tag.index, 8u);
  ASSERT_EQ(after.actuals.size(), 2u);
  int kept = 0;
  for (const auto& [id, lrp] : after.actuals) {
    const bool known = before.actuals.contains(id);
    kept += known;
    EXPECT_EQ(known, lrp.index == 0);
    EXPECT_EQ(known, lrp.zone == "far");
  }
  EXPECT_EQ(kept, 1);
  EXPECT_THAT(Events(), HasSubstr("desired_changed"));
  EXPECT_THAT(Events(), HasSubstr("actual_removed"));
}

TEST_F(ForeignWrites, ATagThatWentBackIsPutForwardAgainAndThatIsNoForeignWrite) {
  Write("UPDATE legacy.desired_lrps SET modification_tag_index = 1 WHERE process_guid = 'shop'");
  EXPECT_THAT(Take({kShop}), IsEmpty());
  EXPECT_THAT(Differing(), IsEmpty());
  EXPECT_EQ(Psql(database.url(), "SELECT modification_tag_index FROM legacy.desired_lrps WHERE process_guid = 'shop'"),
            "7\n");
  EXPECT_THAT(database.TakeChanges(), IsEmpty());
}

TEST_F(ForeignWrites, AnAppThatCameAndOneThatWentAreTakenOver) {
  Write("CREATE TABLE mills AS SELECT * FROM legacy.desired_lrps WHERE process_guid = 'mill'; "
        "CREATE TABLE mill_lrps AS SELECT * FROM legacy.actual_lrps WHERE process_guid = 'mill'; "
        "DELETE FROM legacy.desired_lrps WHERE process_guid = 'mill'");
  EXPECT_THAT(Take({kMill}), IsEmpty());
  EXPECT_THAT(Differing(), IsEmpty());
  EXPECT_FALSE(database.Read(kMill).desired.has_value());
  EXPECT_EQ(database.Read(kMill).actuals.size(), 3u) << "what runs is left to convergence";
  EXPECT_EQ(Psql(database.url(), "SELECT count(*) FROM legacy.actual_lrps WHERE process_guid = 'mill'"), "0\n");
  Write("INSERT INTO legacy.desired_lrps SELECT * FROM mills; INSERT INTO legacy.actual_lrps SELECT * FROM mill_lrps");
  EXPECT_THAT(Take({kMill}), IsEmpty());
  EXPECT_THAT(Differing(), IsEmpty());
  const AppState again = database.Read(kMill);
  ASSERT_TRUE(again.desired.has_value());
  EXPECT_GT(again.desired->incarnation, 1);
  EXPECT_EQ(again.actuals.size(), 6u);
}

TEST_F(ForeignWrites, AnAppThatCannotBeTakenIsAFaultAndTheOthersGoOn) {
  Write("UPDATE legacy.desired_lrps SET memory_mb = -1 WHERE process_guid = 'shop'; "
        "UPDATE legacy.desired_lrps SET instances = 1 WHERE process_guid = 'mill'");
  const auto before = database.Read(kShop).desired;
  EXPECT_THAT(Take({kShop, kMill}), ElementsAre(::testing::AllOf(HasSubstr("shop: "), HasSubstr("memory_mb is -1"))));
  EXPECT_EQ(database.Read(kShop).desired, before);
  EXPECT_EQ(database.Read(kMill).desired->instances, 1);
  Write("UPDATE legacy.desired_lrps SET memory_mb = 1 WHERE process_guid = 'shop'; "
        "UPDATE legacy.actual_lrps SET state = 'MOVING' WHERE process_guid = 'shop' AND instance_index = 0");
  EXPECT_THAT(Take({kShop}), ElementsAre(HasSubstr("shop/0")));
  EXPECT_EQ(database.Read(kShop).actuals.size(), 3u);
}

// A writer that has not committed holds rows of 1.x and then wants the log; who waited for it would hold the log.
TEST_F(ForeignWrites, OneThatIsNotCommittedIsNotWaitedFor) {
  const auto other = OpenSession(database.url());
  const SessionError error = other->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("UPDATE legacy.desired_lrps SET instances = 9 WHERE process_guid = 'shop'");
    EXPECT_THAT(Take({kShop}), IsEmpty());
    EXPECT_EQ(database.Read(kShop).desired->instances, 3);
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_THAT(Take({kShop}), IsEmpty());
  EXPECT_EQ(database.Read(kShop).desired->instances, 9);
  EXPECT_THAT(Differing(), IsEmpty());
  EXPECT_THAT(database.TakeChanges(), IsEmpty());
}

TEST_F(ForeignWrites, WhatCannotBePutForwardNowIsLookedAtAgain) {
  const auto other = OpenSession(database.url());
  Write("UPDATE legacy.desired_lrps SET modification_tag_index = 1 WHERE process_guid = 'shop'");
  const SessionError error = other->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(
        "SET LOCAL idle_in_transaction_session_timeout = 0; SELECT * FROM legacy.desired_lrps WHERE process_guid = "
        "'shop' FOR UPDATE");
    EXPECT_THAT(Take({kShop}), IsEmpty());
    return false;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_THAT(Differing(), ElementsAre(kShop));
  std::vector<std::string> logged;
  database.Within([&](Session& s) {
    for (const auto row : s.Run("ListLegacyChanges", {"10"})) logged.push_back(row.Text("process_guid"));
  });
  EXPECT_THAT(logged, ElementsAre("shop"));
  EXPECT_THAT(Take({kShop}), IsEmpty());
  EXPECT_THAT(Differing(), IsEmpty());
}

TEST_F(ForeignWrites, TheTriggersMayBeMadeTwiceAndGoWithTheTables) {
  database.Within([](Session& s) {
    s.Run("TrackOwnChanges", {"true"});
    s.Run("MakeLegacyTriggers");
    EXPECT_EQ(s.RunScript("SELECT own FROM legacy.tracking")[0].Text(), "t") << "what holds stays";
    s.RunScript("DELETE FROM legacy.left_out");
    DropLegacyShape(s);
  });
  EXPECT_EQ(Psql(database.url(), "SELECT count(*) FROM pg_namespace WHERE nspname = 'legacy'"), "0\n");
}

}  // namespace
}  // namespace baton::testing
