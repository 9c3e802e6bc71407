// Instances are read without a lock, and changed as long as they are as they were read: whoever changes one in between
// (an operator by hand, a rotation of keys, another layout's writer) is overwritten by nobody.
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

const ProcessGuid kApp("app");

class RowGuardsTest : public PgStoreTest {
 protected:
  RowGuardsTest() {
    EXPECT_TRUE(Do(Desire(kApp, 3)));
    EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
      const std::int64_t incarnation = edit.state().desired->incarnation;
      for (int index = 0; index < 3; ++index) {
        ids_.push_back(edit.Insert({.incarnation = incarnation, .index = index, .definition = DefinitionId("v1")}).id);
      }
    })));
  }

  // Counts how often it decides.
  TestCall Call(const std::function<void(AppEdit&)>& decide) {
    decided_ = 0;
    TestCall call{{.name = "change", .guid = kApp, .actor = "test"}};
    call.decide = [this, decide](AppEdit& edit) {
      ++decided_;
      decide(edit);
      return Status(Done{});
    };
    return call;
  }
  // Committed by somebody else.
  void Sql(const std::string& sql) { PgStoreTest::Sql("SET LOCAL lock_timeout = '2s'; " + sql); }
  std::string Where(int index) const {
    return "WHERE actual_id = '" + ids_.at(static_cast<std::size_t>(index)).str() + "'";
  }
  std::string Row(int index) const { return "actual_lrps " + Where(index); }
  std::string Zone(int index) const { return "UPDATE actual_lrps SET zone = 'theirs' " + Where(index); }

  std::vector<ActualId> ids_;
  int decided_ = 0;
};

TEST_F(RowGuardsTest, OneThatSomebodyChangedSinceItWasReadIsDecidedAgain) {
  EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
    if (decided_ == 1) Sql(Zone(0));
    edit.Change(ids_[0]).crash_count = 7;
  })));
  EXPECT_EQ(decided_, 2);
  EXPECT_TRUE(Exists(direct_url_, Row(0) + " AND zone = 'theirs' AND crash_count = 7"));
}

TEST_F(RowGuardsTest, OneThatIsToGoAndWasChangedIsDecidedAgain) {
  EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
    if (decided_ == 1) Sql(Zone(0));
    if (edit.state().actuals.at(ids_[0]).zone.empty()) edit.Remove(ids_[0]);
  })));
  EXPECT_EQ(decided_, 2);
  EXPECT_TRUE(Exists(direct_url_, Row(0) + " AND zone = 'theirs'"));
}

TEST_F(RowGuardsTest, OneThatIsGoneMeanwhileIsChangedByNobody) {
  EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
    if (decided_ == 1) Sql("DELETE FROM " + Row(0));
    if (edit.state().actuals.contains(ids_[0])) edit.Change(ids_[0]).crash_count = 7;
    edit.Change(ids_[1]).crash_count = decided_;
  })));
  EXPECT_EQ(decided_, 2);
  EXPECT_FALSE(Exists(direct_url_, Row(0)));
  EXPECT_TRUE(Exists(direct_url_, Row(1) + " AND crash_count = 2"));
}

TEST_F(RowGuardsTest, WhatABatchDoesNotChangeIsFree) {
  EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
    Sql(Zone(1));
    edit.Change(ids_[0]).crash_count = 7;
    edit.Remove(ids_[2]);
  })));
  EXPECT_EQ(decided_, 1);
  EXPECT_TRUE(Exists(direct_url_, Row(0) + " AND zone = '' AND crash_count = 7"));
  EXPECT_TRUE(Exists(direct_url_, Row(1) + " AND zone = 'theirs' AND crash_count = 0"));
  EXPECT_FALSE(Exists(direct_url_, Row(2)));
}

TEST_F(RowGuardsTest, TheAppIsLocked) {
  EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
    EXPECT_FALSE(Exists(direct_url_, "(SELECT FROM desired_lrps FOR KEY SHARE SKIP LOCKED) AS free"));
    edit.Change(ids_[0]).crash_count = 7;
  })));
}

// Who changes pages of rows all the time (a rotation of keys) would come between each time.
TEST_F(RowGuardsTest, FromTheSecondTryOnNobodyComesBetween) {
  EXPECT_TRUE(Do(Call([this](AppEdit& edit) {
    const bool free = Exists(direct_url_, "(SELECT FROM " + Row(0) + " FOR UPDATE SKIP LOCKED) AS free");
    EXPECT_EQ(free, decided_ == 1);
    if (free) Sql(Zone(0));
    edit.Change(ids_[0]).crash_count = 7;
  })));
  EXPECT_EQ(decided_, 2);
}

// A commit in doubt may still be under way: who read around it would tell routers what is no longer so.
TEST_F(RowGuardsTest, AfterACommitInDoubtInstancesAreWaitedFor) {
  const auto other = OpenSession(direct_url_);
  std::future<Status> status;
  std::string zone;
  const SessionError error = other->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; " + Zone(0));
    cutter_.CutNext(CommitCutter::Cut::kBefore);
    EXPECT_FALSE(Do(Call([this](AppEdit& edit) { edit.Change(ids_[1]).crash_count = 7; })));
    status = Submit(Call([&](AppEdit& edit) { zone = edit.state().actuals.at(ids_[0]).zone; }));
    while (!SomebodyWaits(direct_url_) && status.wait_for(milliseconds(5)) == std::future_status::timeout) {
    }
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_TRUE(status.get());
  EXPECT_EQ(zone, "theirs");
  EXPECT_EQ(store_.counts().in_doubt, 1u);
}

}  // namespace
}  // namespace baton
