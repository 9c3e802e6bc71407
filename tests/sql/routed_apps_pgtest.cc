// What a standby has of the apps is what the rows say, whoever commits, whenever.
#include <gmock/gmock.h>

#include <random>

#include "sql/read/pg_reader.h"
#include "sql/read/pg_routed_apps.h"
#include "tests/fakes/long_form.h"
#include "tests/sql/open_writer.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// What is read of an app; an app with nothing in it is none.
struct Facts {
  std::optional<DesiredLrp> desired;
  std::map<DefinitionKey, Definition> definitions;
  std::map<ActualId, ActualLrp> actuals;

  bool operator==(const Facts&) const = default;
};

class RoutedAppsTest : public PgStoreTest {
 protected:
  void SetUp() override {
    for (const char* guid : {"a", "b", "c"}) ASSERT_TRUE(Do(Desire(ProcessGuid(guid), 1)));
  }

  void Begin() {
    const auto begun = copy_.Begin();
    ASSERT_TRUE(begun && *begun);
    ReadPages(copy_, have_);
  }
  static void ReadPages(PgRoutedApps& from, std::map<ProcessGuid, Facts>& into) {
    into.clear();
    for (std::optional<ProcessGuid> after(""); after;) {
      auto page = from.ReadPage(*after, 2, /*ahead=*/true);
      ASSERT_TRUE(page);
      for (AppState& app : page->apps) Take(std::move(app), into);
      after = page->next;
    }
  }
  static void Take(AppState app, std::map<ProcessGuid, Facts>& into) {
    into.erase(app.guid);
    if (!app.desired && app.actuals.empty()) return;  // its definitions wait for the collector
    into[app.guid] = {std::move(app.desired), std::move(app.definitions), std::move(app.actuals)};
  }
  // Which apps were told of.
  std::vector<std::string> Since() {
    auto written = copy_.Since();
    EXPECT_TRUE(written && !written->anew);
    std::vector<std::string> guids;
    for (AppState& app : written->apps) {
      guids.push_back(app.guid.str());
      Take(std::move(app), have_);
    }
    std::ranges::sort(guids);
    return guids;
  }
  void ExpectAll() {
    PgRoutedApps other(direct_url_);
    std::map<ProcessGuid, Facts> all;
    ReadPages(other, all);
    EXPECT_TRUE(have_ == all);
  }
  Status Commit(const std::string& guid, std::function<void(AppEdit&)> change) {
    TestCall call{{.name = "change", .guid = ProcessGuid(guid), .actor = "test"}};
    call.decide = [change = std::move(change)](AppEdit& edit) { return change(edit), Status(Done{}); };
    return Do(std::move(call));
  }
  static void Start(AppEdit& edit) {
    edit.Insert({.incarnation = edit.state().desired->incarnation, .index = 0, .definition = DefinitionId("v1")});
  }

  PgRoutedApps copy_{direct_url_};
  std::map<ProcessGuid, Facts> have_;
};

TEST_F(RoutedAppsTest, OfWhatIsWrittenEachAppIsTold) {
  Begin();
  ExpectAll();
  EXPECT_THAT(have_, testing::SizeIs(3));
  (void)Since();
  (void)Since();
  EXPECT_THAT(Since(), IsEmpty()) << "what was told is not told for ever";
  ASSERT_TRUE(Commit("b", Start));
  EXPECT_THAT(Since(), ElementsAre("b"));
  ExpectAll();
  ASSERT_TRUE(Commit("c", [](AppEdit& edit) { edit.ChangeDesired().routes.mapped = {{{"host.example"}, 8080}}; }));
  ASSERT_TRUE(Commit("a", [](AppEdit& edit) { edit.RemoveDesired(); }));
  ASSERT_TRUE(Do(Desire(ProcessGuid("d"), 1)));
  EXPECT_THAT(Since(), ::testing::IsSupersetOf({"a", "c", "d"}));
  EXPECT_THAT(have_, Not(Contains(::testing::Key(ProcessGuid("a")))));
  ExpectAll();
}

// What its routes lead to hangs on them.
TEST_F(RoutedAppsTest, AChangeOfPortAliasesAloneIsTold) {
  Begin();
  ASSERT_TRUE(Commit("b", [](AppEdit& edit) {
    edit.ChangeDefinition({edit.state().desired->incarnation, DefinitionId("v1")}).port_aliases = {{8080, 9090}};
  }));
  EXPECT_THAT(Since(), Contains("b"));
  ExpectAll();
}

TEST_F(RoutedAppsTest, ItBeginsBehindEveryoneWhoMayHaveWritten) {
  OpenWriter open(direct_url_);
  open.Write("one", "a");
  auto begun = copy_.Begin();
  ASSERT_TRUE(begun);
  EXPECT_FALSE(*begun);
  OpenWriter later(direct_url_);  // who comes meanwhile is not waited for
  later.Write("two", "b");
  EXPECT_FALSE(*copy_.Begin());
  open.Finish("COMMIT");
  EXPECT_TRUE(*copy_.Begin());
  ReadPages(copy_, have_);
  later.Finish("COMMIT");
  EXPECT_THAT(Since(), Contains("b"));
}

// Its event has an earlier sequence than what was told meanwhile.
TEST_F(RoutedAppsTest, WhatIsCommittedLateIsTold) {
  Begin();
  (void)Since();
  OpenWriter open(direct_url_);
  open.Write("late", "a");
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(Commit("b", [i](AppEdit& edit) { edit.ChangeDesired().annotation = std::to_string(i); }));
    EXPECT_THAT(Since(), Not(Contains("a")));
  }
  open.Finish("COMMIT");
  EXPECT_THAT(Since(), Contains("a"));
  (void)Since();
  (void)Since();
  EXPECT_THAT(Since(), IsEmpty());
}

TEST_F(RoutedAppsTest, AnotherHistoryIsReadAnew) {
  Begin();
  (void)Since();
  Sql("SELECT setval(pg_get_serial_sequence('events', 'sequence'), 1)");
  EXPECT_TRUE(copy_.Since()->anew) << "sequences that were given out before";
}

TEST_F(RoutedAppsTest, OtherTablesAreReadAnew) {
  Begin();
  Sql("ALTER TABLE desired_lrps RENAME TO past; CREATE TABLE desired_lrps (LIKE past INCLUDING ALL)");
  EXPECT_TRUE(copy_.Since()->anew);
}

// A migration writes rows of which no event tells, and this one was there and back before anybody looked.
TEST_F(RoutedAppsTest, ASchemaThatWasChangedMeanwhileIsReadAnew) {
  Begin();
  Sql("UPDATE versions SET target = target - 1");
  Sql("UPDATE versions SET target = target + 1");
  EXPECT_TRUE(copy_.Since()->anew);
}

TEST_F(RoutedAppsTest, NothingIsBegunWhileTheSchemaIsAnother) {
  for (const char* change : {"UPDATE versions SET target = target - 1", "UPDATE versions SET current = target"}) {
    Sql(change);
    const auto begun = copy_.Begin();
    ASSERT_FALSE(begun) << change;
    EXPECT_EQ(begun.error().kind, ErrorKind::kFailedPrecondition);
  }
  Sql("UPDATE versions SET target = target + 1, current = current + 1");
  EXPECT_TRUE(*copy_.Begin());
}

TEST_F(RoutedAppsTest, WithoutARowOfTheSchemaNothingIsBegunOrKept) {
  Begin();
  Sql("DELETE FROM versions");
  EXPECT_TRUE(copy_.Since()->anew);
  EXPECT_FALSE(copy_.Begin());
}

TEST_F(RoutedAppsTest, EventsThatAreGoneUnreadAreReasonToReadAnew) {
  Begin();
  (void)Since();
  (void)Since();
  ASSERT_TRUE(Commit("a", Start));
  ASSERT_TRUE(Commit("b", Start));
  Sql("DELETE FROM events WHERE sequence < (SELECT max(sequence) FROM events)");
  EXPECT_TRUE(copy_.Since()->anew);
  Sql("DELETE FROM events");
  EXPECT_TRUE(copy_.Since()->anew) << "not one is left";
}

TEST_F(RoutedAppsTest, AnAppThatCannotBeReadIsNamedOnceAndReadUntilItIsMended) {
  Begin();
  Sql("CREATE TABLE kept AS SELECT routes FROM desired_lrps WHERE process_guid = 'b'");
  Sql("UPDATE desired_lrps SET routes = '\\x01ff' WHERE process_guid = 'b'");
  Sql("INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), 'k', 'b', 0, '')");
  auto written = copy_.Since();
  ASSERT_TRUE(written);
  EXPECT_THAT(written->broken, Contains(::testing::StartsWith("b: ")));
  for (const AppState& app : written->apps) EXPECT_FALSE(app.guid.str() == "b" && app.desired);
  for (int i = 0; i < 3; ++i) {
    written = copy_.Since();
    EXPECT_THAT(written->broken, IsEmpty());
  }
  Sql("UPDATE desired_lrps SET routes = kept.routes FROM kept WHERE process_guid = 'b'");
  EXPECT_THAT(Since(), ElementsAre("b"));
  EXPECT_THAT(Since(), IsEmpty());
  ExpectAll();
}

// Commits by several at once, and looks in between.
TEST_F(RoutedAppsTest, IsWhatTheRowsSayAfterAnyCommits) {
  std::mt19937 random(static_cast<unsigned>(LongForm("BATON_EDIT_SEED", 7)));
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(Do(Desire(ProcessGuid("app-" + std::to_string(i)), 1)));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Do(Desire(ProcessGuid("late-" + std::to_string(i)), 1)));
  Begin();
  for (int round = 0; round < LongForm("BATON_EDIT_ROUNDS", 40); ++round) {
    std::vector<std::unique_ptr<OpenWriter>> open;
    for (int i = draw(3); i > 0; --i) {
      open.push_back(std::make_unique<OpenWriter>(direct_url_));
      const std::string guid = "late-" + std::to_string(i);
      open.back()->Run("UPDATE desired_lrps SET domain = 'd-" + std::to_string(round) + "' WHERE process_guid = '" +
                       guid + "'");
      open.back()->Write("k", guid);
    }
    for (int i = draw(4); i >= 0; --i) {
      const std::string guid = "app-" + std::to_string(draw(12));
      const int what = draw(4);
      (void)Commit(guid, [&](AppEdit& edit) {
        if (!edit.state().desired) return;
        const DefinitionKey v1{edit.state().desired->incarnation, DefinitionId("v1")};
        if (what == 0) edit.ChangeDesired().routes.mapped = {{{"h" + std::to_string(draw(5))}, 8080}};
        if (what == 1 && edit.state().actuals.empty()) Start(edit);
        if (what == 2) edit.ChangeDefinition(v1).port_aliases = {{8080, draw(9) + 1}};
        if (what == 3 && edit.state().actuals.empty()) edit.RemoveDesired();
      });
      if (what == 3) (void)Do(Desire(ProcessGuid(guid), 1));
    }
    if (draw(2) == 0) (void)Since();
    for (const auto& writer : open) writer->Finish(draw(2) == 0 ? "COMMIT" : "ROLLBACK");
    if (draw(3) != 0) continue;
    (void)Since();
    ExpectAll();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

}  // namespace
}  // namespace baton
