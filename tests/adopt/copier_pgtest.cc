// The copy from 1.1 to 2.x, as a migrator drives it.
#include "schema/legacy/copier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/layouts.h"
#include "schema/legacy/rows.h"
#include "schema/migrator/migrator.h"
#include "tests/adopt/diego.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Copy : public ::testing::Test {
 protected:
  Copy() : url(FreshDatabase()), session(OpenSession(url)) { Within(MakeLegacyLayout); }

  void Within(const std::function<void(Session&)>& body) const {
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      body(s);
      return true;
    });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  void Have(const std::string& guid, int instances) const {
    LegacyApp app;
    app.guid = ProcessGuid(guid);
    app.domain = "cf";
    app.instances = instances;
    app.root_fs = "preloaded:x";
    app.tag_epoch = "e";
    app.run_info.mutable_action()->mutable_run_action()->set_path("/bin/x");
    app.run_info.mutable_action()->mutable_run_action()->set_user("vcap");
    (*app.run_info.mutable_metric_tags())["source_id"].set_static_(guid);
    for (int i = 0; i < instances; ++i) {
      LegacyInstance& lrp = app.actuals.emplace_back();
      lrp.index = i;
      lrp.domain = "cf";
      lrp.state = "RUNNING";
      lrp.cell_id = "c";
      lrp.instance_guid = "i" + std::to_string(i);
      lrp.tag_epoch = "e";
    }
    Within([&](Session& s) { InsertLegacyApps(s, {app}); });
  }
  // The rows of each batch.
  std::vector<std::int64_t> Batches(int most) const {
    std::vector<std::int64_t> rows;
    LegacyCopier copier;
    CopyBatch batch;
    Within(MakeTargetShape);
    while (!batch.done && rows.size() < 100) {
      Within([&](Session& s) { batch = copier.Next(s, batch.checkpoint, most); });
      if (!batch.done) rows.push_back(batch.rows);
    }
    return rows;
  }
  std::int64_t Left(const std::string& checkpoint) const {
    std::int64_t left = 0;
    Within([&](Session& s) { left = LegacyCopier().CountLeft(s, checkpoint); });
    return left;
  }

  const std::string url;
  const std::unique_ptr<Session> session;
};

TEST_F(Copy, ABatchIsWholeAppsWithinItsNumberOfRows) {
  Have("a", 2);
  Have("b", 1);
  Have("c", 9);
  Have("d", 0);
  EXPECT_THAT(Batches(5), ElementsAre(5, 10, 1)) << "at least one app, however many instances it has";
  EXPECT_THAT(Batches(1000), ElementsAre(16));
  EXPECT_EQ(Psql(url, "SELECT process_guid, count(*) FROM actual_lrps GROUP BY 1 ORDER BY 1"), "a|2\nb|1\nc|9\n");
}

TEST_F(Copy, CountsWhatIsLeft) {
  Have("a", 2);
  Have("b", 1);
  EXPECT_EQ(Left(""), 5);
  EXPECT_EQ(Left("a"), 2);
  EXPECT_EQ(Left("b"), 0);
}

TEST_F(Copy, NamesAreInTheOrderOfBytes) {
  Have("B", 0);
  Have("a", 0);
  Have("A:1", 0);
  Have("_", 0);
  EXPECT_THAT(Batches(1), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM desired_lrps"), "4\n");
}

TEST_F(Copy, AnEmptyDatabaseIsCopied) {
  EXPECT_THAT(Batches(10), IsEmpty());
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM desired_lrps"), "0\n");
}

// Metric tags moved out of the run info with 1.1; a row says by itself which format it has.
TEST_F(Copy, RowsOfBothFormatsAreRead) {
  Have("old", 1);
  EXPECT_EQ(Psql(url, "SELECT metric_tags IS NULL FROM legacy.desired_lrps"), "t\n");
  EXPECT_THAT(CopyToTarget(url), IsEmpty());
  EXPECT_THAT(Psql(url, "SELECT convert_from(substr(metric_tags, 5), 'SQL_ASCII') FROM desired_lrps"),
              AllOf(HasSubstr("source_id"), HasSubstr("old")));
}

TEST_F(Copy, OverwritesWhateverIsInTheTargetShape) {
  Have("a", 2);
  Have("c", 1);
  Have("gone", 1);
  ASSERT_THAT(CopyToTarget(url), IsEmpty());
  Psql(url,
       "DELETE FROM legacy.actual_lrps WHERE process_guid = 'gone'; DELETE FROM legacy.desired_lrps WHERE "
       "process_guid = 'gone'; DELETE FROM legacy.actual_lrps WHERE process_guid = 'a' AND instance_index = 1; "
       "UPDATE desired_lrps SET instances = 77; UPDATE actual_lrps SET cell_id = 'other'; "
       "INSERT INTO domains VALUES ('stale')");
  ASSERT_THAT(CopyToTarget(url), IsEmpty());
  EXPECT_EQ(Psql(url, "SELECT process_guid, instances FROM desired_lrps ORDER BY 1"), "a|2\nc|1\n");
  EXPECT_EQ(Psql(url, "SELECT process_guid, instance_index, cell_id FROM actual_lrps ORDER BY 1"), "a|0|c\nc|0|c\n");
  EXPECT_EQ(Psql(url, "SELECT process_guid FROM definitions ORDER BY 1"), "a\nc\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM domains"), "0\n");
}

TEST_F(Copy, ABrokenRowIsNamedAndStopsNoOthers) {
  Have("a", 1);
  Have("b", 1);
  Have("c", 1);
  Psql(url,
       "UPDATE legacy.desired_lrps SET run_info = 'rubbish' WHERE process_guid = 'a'; "
       "UPDATE legacy.actual_lrps SET state = 'MOVING' WHERE process_guid = 'b'; "
       "INSERT INTO legacy.actual_lrps SELECT 'zzz', instance_index, presence, domain, state, instance_guid, "
       "cell_id, placement_error, since, net_info, crash_count, crash_reason, modification_tag_epoch, "
       "modification_tag_index FROM legacy.actual_lrps WHERE process_guid = 'c'");
  EXPECT_THAT(CopyToTarget(url),
              ElementsAre(AllOf(HasSubstr("a: "), HasSubstr("legacy.desired_lrps.run_info of a")),
                          AllOf(HasSubstr("b/0"), HasSubstr("'MOVING'")), HasSubstr("zzz: legacy.actual_lrps")));
  EXPECT_EQ(Psql(url, "SELECT process_guid FROM desired_lrps ORDER BY 1"), "b\nc\n");
}

TEST_F(Copy, AFieldThatIsLeftOutIsKeptAsALine) {
  Have("a", 0);
  Psql(url, "UPDATE legacy.desired_lrps SET volume_placement = '\\x42540100' || '\\x0a03736d62'::bytea");
  EXPECT_THAT(CopyToTarget(url), IsEmpty());
  EXPECT_THAT(Psql(url, "SELECT kind, row_key, field, reason FROM legacy.left_out"),
              HasSubstr("FIELD|a|volume_placement|it asks for driver 'smb'"));
}

TEST_F(Copy, AnAppThatIsDesiredAnewGetsAGreaterIncarnation) {
  Have("a", 1);
  EXPECT_THAT(CopyToTarget(url), IsEmpty());
  EXPECT_EQ(Psql(url, "SELECT DISTINCT incarnation FROM actual_lrps"), "1\n");
  EXPECT_EQ(Psql(url, "SELECT nextval('incarnations')"), "2\n");
}

}  // namespace
}  // namespace baton::testing
