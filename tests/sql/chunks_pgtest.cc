// A chunk of a list that was kept and what PostgreSQL says was written since are what a read of all of it gives:
// whatever others write, and whenever they commit it.
#include "sql/read/chunk_reader.h"

#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include <csignal>
#include <random>

#include "orchestrator/base/uuid.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/values.h"
#include "sql/read/pg_reader.h"
#include "tests/fakes/own_postgres.h"
#include "tests/sql/pg_store_test.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kApps = 30;
constexpr int kMost = 20;  // rows that are read again, and not all of them
constexpr char kTheirs[] = "SET LOCAL session_replication_role = replica; ";  // no trigger and no foreign key of ours

std::string Guid(int number) { return "app-" + std::to_string(100 + number); }

std::string Encoded(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&out);
  out.Trim();
  return bytes;
}

ListPlace PlaceOf(const DesiredRead& row) { return {row.guid}; }
ListPlace PlaceOf(const ActualRead& row) { return {row.guid, row.lrp.id}; }

std::string Shown(const DesiredRead& row) {
  v2::DesiredLRP app;
  EXPECT_TRUE(wire::Fill(row.active, row.run_info, *app.mutable_definition()));
  wire::Fill(row.guid, row.desired, app);
  app.set_roll_id(row.open_roll.str());
  return Encoded(app);
}
std::string ShownInfo(const DesiredRead& row) {
  v2::DesiredLRPSchedulingInfo info;
  wire::FillSchedulingInfo(row.guid, row.desired, row.active, info);
  return Encoded(info);
}
std::string Shown(const ActualRead& row) {
  v2::ActualLRP lrp;
  wire::Fill(row.guid, row.lrp, lrp);
  return Encoded(lrp);
}

// Rows as somebody keeps them.
using Kept = std::map<ListPlace, std::string>;

template <class Row>
Kept KeptOf(const std::vector<Row>& rows) {
  Kept kept;
  for (const Row& row : rows) kept.emplace(PlaceOf(row), Shown(row));
  return kept;
}

class Chunks : public PgStoreTest {
 protected:
  Chunks() {
    EXPECT_TRUE(Do(Desire(ProcessGuid(Guid(0)), 1)));
    EXPECT_TRUE(Do([] {
      TestCall call{{.name = "insert", .guid = ProcessGuid(Guid(0)), .actor = "test"}};
      call.decide = [](AppEdit& edit) {
        edit.Insert({.incarnation = edit.state().desired->incarnation, .index = 0, .definition = DefinitionId("v1")});
        return Status(Done{});
      };
      return call;
    }()));
    for (int i = 1; i < kApps; ++i) Sql(Copy(Guid(i)));
    apps_ = Whole(*Desired());
    instances_ = Whole(*Actuals());
    EXPECT_EQ(apps_.rows.size(), static_cast<std::size_t>(kApps));
    EXPECT_EQ(instances_.rows.size(), static_cast<std::size_t>(kApps));
  }

  static std::string Copy(const std::string& guid) {
    const auto copy = [&](const std::string& table, const std::string& more) {
      return "INSERT INTO " + table + " SELECT (jsonb_populate_record(t, jsonb_build_object('process_guid', '" + guid +
             "'" + more + "))).* FROM " + table + " t WHERE t.process_guid = '" + Guid(0) + "'; ";
    };
    return copy("definitions", "") + copy("desired_lrps", "") +
           copy("actual_lrps", ", 'actual_id', '" + RandomUuid() + "'");
  }
  // Committed by somebody else.
  void Sql(const std::string& sql) {
    const SessionError error = OpenSession(direct_url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      return s.RunScript(sql), true;
    });
    ASSERT_TRUE(error.ok()) << sql << ": " << error.detail;
  }
  void SqlAlone(const std::string& sql) {
    const SessionError error = OpenSession(direct_url_)->RunAlone(sql);
    ASSERT_TRUE(error.ok()) << sql << ": " << error.detail;
  }

  Result<Page<DesiredRead>> Desired() {
    ProcessGuid after;
    return reader_.ListDesired({}, after, 1000);
  }
  Result<Page<ActualRead>> Actuals() {
    ProcessGuid after;
    ActualId id;
    return reader_.ListActuals({}, after, id, 1000);
  }

  // What is kept of a list: of all of it, or between two places.
  struct Chunk {
    KeptChunk where;
    Kept rows;
  };
  template <class Row>
  Chunk Whole(const Page<Row>& page) {
    Chunk chunk{.where = {.mark = page.mark}, .rows = KeptOf(page.rows)};
    return chunk;
  }
  static Kept Within(const KeptChunk& where, Kept rows) {
    std::erase_if(rows, [&](const auto& entry) {
      return entry.first <= where.after || (where.last && entry.first > *where.last);
    });
    return rows;
  }

  // What was read since is the same in the list of scheduling infos, which reads less of it.
  void ExpectInfo(const DesiredRead& row) {
    ProcessGuid after;
    const auto infos = reader_.ListDesired({.domain = {}, .guids = {row.guid}, .scheduling_only = true}, after, 10);
    ASSERT_EQ(infos->rows.size(), 1u);
    EXPECT_EQ(ShownInfo(row), ShownInfo(infos->rows[0]));
  }
  // Brings it up to date, as its keeper does. Nothing: it is to be read anew.
  template <class Row>
  std::optional<std::vector<ListPlace>> Update(Chunk& chunk, const Result<ChunkSince<Row>>& since) {
    if (!since || since->anew) return std::nullopt;
    std::vector<ListPlace> written;
    for (const Row& row : since->written) {
      written.push_back(PlaceOf(row));
      chunk.rows[PlaceOf(row)] = Shown(row);
      if constexpr (std::is_same_v<Row, DesiredRead>) ExpectInfo(row);
    }
    EXPECT_TRUE(std::ranges::is_sorted(written));
    for (const ListPlace& place : since->removed)
      EXPECT_EQ(chunk.rows.erase(place), 1u) << place.guid << "/" << place.id;
    chunk.where.mark = since->mark;
    return written;
  }
  const KeptChunk& WithRows(Chunk& chunk) {
    chunk.where.rows.clear();
    for (const auto& [place, shown] : chunk.rows) chunk.where.rows.push_back(place);
    return chunk.where;
  }
  // Both lists; how many rows of each were read for it.
  void Expect(const std::string& after) {
    const auto apps = Update(apps_, reader_.ReadDesiredSince(WithRows(apps_), kMost));
    if (!apps) {
      const KeptChunk where = apps_.where;
      apps_ = Whole(*Desired());
      apps_.where.after = where.after;
      apps_.where.last = where.last;
      apps_.rows = Within(where, apps_.rows);
    }
    apps_read_ = apps ? static_cast<int>(apps->size()) : -1;
    EXPECT_TRUE(apps_.rows == Within(apps_.where, KeptOf(Desired()->rows))) << "apps after " << after;
    const auto instances = Update(instances_, reader_.ReadActualsSince(WithRows(instances_), kMost));
    if (!instances) {
      const KeptChunk where = instances_.where;
      instances_ = Whole(*Actuals());
      instances_.where.after = where.after;
      instances_.where.last = where.last;
      instances_.rows = Within(where, instances_.rows);
    }
    instances_read_ = instances ? static_cast<int>(instances->size()) : -1;
    EXPECT_TRUE(instances_.rows == Within(instances_.where, KeptOf(Actuals()->rows))) << "instances after " << after;
  }
  // Only what lies behind one app up to another.
  void Cut(int after, int last) {
    apps_.where.after = {ProcessGuid(Guid(after))};
    apps_.where.last = {ProcessGuid(Guid(last))};
    apps_.rows = Within(apps_.where, apps_.rows);
    const auto place = [&](int app) {
      return std::ranges::find_if(instances_.rows,
                                  [&](const auto& entry) { return entry.first.guid.str() == Guid(app); })
          ->first;
    };
    const ListPlace from = place(after);
    instances_.where.last = place(last);
    instances_.where.after = from;
    instances_.rows = Within(instances_.where, instances_.rows);
  }

  std::unique_ptr<Session> session_ = [this] {
    auto session = Session::Open(direct_url_, PlainCipher(), Session::Plans::kPoints);  // as PgReads has them
    EXPECT_TRUE(session);
    return *std::move(session);
  }();
  PgReader reader_{*session_, log_};
  Chunk apps_;
  Chunk instances_;
  int apps_read_ = 0;  // again; -1: all
  int instances_read_ = 0;
};

TEST_F(Chunks, OfWhatNobodyWroteNothingIsRead) {
  SqlAlone("CHECKPOINT");
  for (int round = 0; round < 2; ++round) {
    Expect("nothing");
    EXPECT_EQ(apps_read_, 0);
    EXPECT_EQ(instances_read_, 0);
  }
}

TEST_F(Chunks, WhatWasWrittenIsReadAndNothingElse) {
  Sql("UPDATE desired_lrps SET instances = 7 WHERE process_guid = '" + Guid(3) + "'");
  Sql("UPDATE actual_lrps SET zone = 'z' WHERE process_guid IN ('" + Guid(4) + "', '" + Guid(5) + "')");
  Expect("an update");
  EXPECT_EQ(apps_read_, 1);
  EXPECT_EQ(instances_read_, 2);
  Sql(Copy("app-105a"));
  Expect("one more");
  EXPECT_EQ(apps_read_, 1);
  EXPECT_EQ(instances_read_, 1);
  Sql(kTheirs + ("DELETE FROM desired_lrps WHERE process_guid = '" + Guid(8) +
                 "'; DELETE FROM actual_lrps WHERE process_guid = '" + Guid(9) + "'"));
  Expect("one less");
  EXPECT_EQ(apps_read_, 0);
  EXPECT_EQ(instances_read_, 0);
  Sql(kTheirs +
      ("DELETE FROM desired_lrps WHERE process_guid = '" + Guid(8) +
       "'; DELETE FROM actual_lrps WHERE process_guid = '" + Guid(10) +
       "'; DELETE FROM definitions WHERE process_guid = '" + Guid(8) + "'; ") +
      Copy(Guid(8)));
  Expect("one less and one more");
}

// Only what lies between the two places counts, the second one with it.
TEST_F(Chunks, EndWhereTheirBoundsAre) {
  Cut(5, 20);
  Sql("UPDATE desired_lrps SET instances = instances + 1 WHERE process_guid IN ('" + Guid(5) + "', '" + Guid(6) +
      "', '" + Guid(20) + "', '" + Guid(21) + "')");
  Sql("UPDATE actual_lrps SET zone = 'z' WHERE process_guid IN ('" + Guid(5) + "', '" + Guid(6) + "', '" + Guid(20) +
      "', '" + Guid(21) + "')");
  Expect("an update on both sides of the bounds");
  EXPECT_EQ(apps_read_, 2);
  EXPECT_EQ(instances_read_, 2);
  Sql(kTheirs + ("DELETE FROM desired_lrps WHERE process_guid IN ('" + Guid(5) + "', '" + Guid(20) + "')"));
  Sql(Copy("app-105a") + Copy("app-120a"));
  Expect("rows that come and go there");
  EXPECT_EQ(apps_read_, 1);
}

TEST_F(Chunks, OneAppOfManyInstancesIsCutBetweenTwoOfThem) {
  for (int i = 0; i < 40; ++i) {
    Sql("INSERT INTO actual_lrps SELECT (jsonb_populate_record(t, jsonb_build_object('actual_id', '" + RandomUuid() +
        "', 'instance_index', " + std::to_string(i + 1) + "))).* FROM actual_lrps t WHERE t.process_guid = '" +
        Guid(7) + "' AND t.instance_index = 0");
  }
  instances_ = Whole(*Actuals());
  auto row = std::ranges::find_if(instances_.rows, [](const auto& entry) { return entry.first.guid.str() == Guid(7); });
  instances_.where.after = std::next(row, 5)->first;
  instances_.where.last = std::next(row, 20)->first;
  instances_.rows = Within(instances_.where, instances_.rows);
  ASSERT_EQ(instances_.rows.size(), 15u);
  Expect("the cut");
  EXPECT_EQ(instances_read_, 0);
  Sql("UPDATE actual_lrps SET zone = 'z' WHERE process_guid = '" + Guid(7) + "'");
  Expect("all of the app was written");
  EXPECT_EQ(instances_read_, 15);
}

// A foreign key and our rules forbid it; hands do it.
TEST_F(Chunks, ADefinitionThatSomebodyChangedIsSeen) {
  Sql(kTheirs + ("UPDATE definitions SET memory_mb = 77 WHERE process_guid = '" + Guid(3) + "'"));
  Expect("a change of a definition");
  EXPECT_EQ(apps_read_, 1);
}

TEST_F(Chunks, OneThatCannotBeReadIsReadWithAllOthers) {
  Sql(kTheirs + ("UPDATE desired_lrps SET routes = 'rubbish' WHERE process_guid = '" + Guid(3) +
                 "'; UPDATE actual_lrps SET net_info = 'rubbish' WHERE process_guid = '" + Guid(4) + "'"));
  EXPECT_TRUE(reader_.ReadDesiredSince(WithRows(apps_), kMost)->anew);
  EXPECT_TRUE(reader_.ReadActualsSince(WithRows(instances_), kMost)->anew);
}

TEST_F(Chunks, WhereMuchWasWrittenAllIsRead) {
  Sql("UPDATE desired_lrps SET instances = 7; UPDATE actual_lrps SET zone = 'z'");
  Expect("an update of all");
  EXPECT_EQ(apps_read_, -1);
  EXPECT_EQ(instances_read_, -1);
}

// A row that was written and not committed while the list was read: as a whole, or what was written since.
TEST_F(Chunks, WhatWasUnderWayWhenTheyWereReadIsSeen) {
  const std::string app = " WHERE process_guid = '" + Guid(3) + "'";
  const std::string other = " WHERE process_guid = '" + Guid(4) + "'";
  for (const int looks : {0, 3}) {
    const std::string number = std::to_string(looks);
    for (const std::string& write :
         {"UPDATE desired_lrps SET instances = 1" + number + app + "; UPDATE actual_lrps SET zone = 'late" + number +
              "'" + app,
          "SAVEPOINT a; UPDATE desired_lrps SET instances = 2" + number + app +
              "; RELEASE a; SAVEPOINT b; UPDATE actual_lrps SET zone = 'later" + number + "'" + app + "; RELEASE b",
          Copy("app-103a" + number),
          kTheirs + ("DELETE FROM desired_lrps" + other + "; DELETE FROM actual_lrps" + other)}) {
      const SessionError error =
          OpenSession(direct_url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
            s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; " + write);
            apps_ = Whole(*Desired());
            instances_ = Whole(*Actuals());
            for (int i = 0; i < looks; ++i) {
              Sql("UPDATE desired_lrps SET instances = instances + 1 WHERE process_guid = '" + Guid(20) + "'");
              Expect("it is under way: " + write);
            }
            return true;
          });
      ASSERT_TRUE(error.ok()) << error.detail;
      Expect("it is committed: " + write);
    }
  }
}

TEST_F(Chunks, AnotherStoreIsReadWhole) {
  apps_.where.mark.store += "0";
  instances_.where.mark.store += "0";
  EXPECT_TRUE(reader_.ReadDesiredSince(WithRows(apps_), kMost)->anew);
  EXPECT_TRUE(reader_.ReadActualsSince(WithRows(instances_), kMost)->anew);
}

TEST_F(Chunks, TablesThatTookTheOnesPlacesAreReadWhole) {
  Sql("CREATE SCHEMA other; CREATE SCHEMA aside; CREATE TABLE other.desired_lrps AS TABLE desired_lrps; CREATE TABLE "
      "other.definitions AS TABLE definitions; "
      "CREATE TABLE other.actual_lrps AS TABLE actual_lrps");
  Expect("nothing that was read was written");
  EXPECT_EQ(apps_read_, 0);
  for (const char* const table : {"desired_lrps", "definitions", "actual_lrps"}) {
    SCOPED_TRACE(table);
    const std::string name(table);
    Expect("before");
    Sql("ALTER TABLE " + name + " SET SCHEMA aside; ALTER TABLE other." + name + " SET SCHEMA public");
    EXPECT_TRUE(reader_.ReadDesiredSince(WithRows(apps_), kMost)->anew);
    EXPECT_TRUE(reader_.ReadActualsSince(WithRows(instances_), kMost)->anew);
    Expect("another table");
  }
}

// A list of some, or of a domain, is nobody's to keep.
TEST_F(Chunks, OnlyAListOfAllHasAMark) {
  ProcessGuid after;
  EXPECT_THAT(reader_.ListDesired({.domain = "test"}, after, 10)->mark.horizon, IsEmpty());
  after = ProcessGuid();
  EXPECT_THAT(reader_.ListDesired({.domain = {}, .guids = {ProcessGuid(Guid(1))}}, after, 10)->mark.horizon, IsEmpty());
  ActualId id;
  after = ProcessGuid();
  EXPECT_THAT(reader_.ListActuals({.domain = {}, .guid = ProcessGuid(Guid(1)), .cell = {}, .index = {}}, after, id, 10)
                  ->mark.horizon,
              IsEmpty());
}

TEST_F(Chunks, AreAsIfAllWereRead) {
  std::mt19937 random(3);
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  Cut(4, 25);
  for (int round = 0; round < 150; ++round) {
    const std::string app = " WHERE process_guid = '" + Guid(1 + below(kApps - 1)) + "'";  // the first one is copied
    const int which = below(12);
    switch (which) {
      case 0: Sql("UPDATE desired_lrps SET instances = " + std::to_string(round) + app); break;
      case 1: Sql("UPDATE actual_lrps SET zone = '" + std::to_string(round) + "'" + app); break;
      case 2: Sql(kTheirs + ("DELETE FROM desired_lrps" + app)); break;
      case 3: Sql("DELETE FROM actual_lrps" + app); break;
      case 4:
      case 5: Sql(Copy(Guid(1 + below(kApps - 1)) + "-" + std::to_string(round))); break;
      case 6: SqlAlone("VACUUM FREEZE desired_lrps, actual_lrps, definitions"); break;
      case 7: SqlAlone("VACUUM FULL desired_lrps, actual_lrps, definitions"); break;
      case 8: Sql(kTheirs + ("UPDATE definitions SET memory_mb = " + std::to_string(round) + app)); break;
      case 9:
        Sql("UPDATE desired_lrps SET annotation = annotation" + app + "; UPDATE actual_lrps SET zone = zone" + app);
        break;
      case 10:  // it is another app's then
        Sql(kTheirs +
            ("UPDATE actual_lrps SET process_guid = '" + Guid(1 + below(kApps - 1)) +
             "', instance_index = instance_index + " + std::to_string(100 + round)) +
            app);
        break;
      default:
        Sql("UPDATE actual_lrps SET actual_id = gen_random_uuid()::text" +
            app);  // as one that was removed and one that came
    }
    if (below(3) == 0) continue;  // several before the next look
    Expect("round " + std::to_string(round) + ", " + std::to_string(which));
    if (HasFailure()) return;
  }
}

// It gives out the numbers of those again that it forgot.
TEST(ChunksOfAServer, ThatCameBackFromACrashAreReadWhole) {
  OwnPostgres server;
  SilentLog log;
  const auto mark = [&] {
    const auto session = OpenSession(server.postgres->url());
    ProcessGuid after;
    return PgReader(*session, log).ListDesired({}, after, 10)->mark;
  };
  const ReadMark before = mark();
  EXPECT_EQ(mark().store, before.store);
  const auto victim = OpenSession(server.postgres->url());
  std::int64_t pid = 0;
  (void)victim->Transact(Session::Isolation::kReadCommitted,
                         [&](Session& s) { return pid = s.RunScript("SELECT pg_backend_pid()")[0].Int(), true; });
  ASSERT_EQ(kill(static_cast<pid_t>(pid), SIGKILL), 0);
  ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(30), {}, [&] { return victim->Ended(); }));
  ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(60), {}, [&] { return Session::Open(server.postgres->url()).ok(); }));
  EXPECT_NE(mark().store, before.store);
}

}  // namespace
}  // namespace baton
