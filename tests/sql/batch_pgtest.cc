// Calls that share a transaction do not share their fate.
#include <gmock/gmock.h>

#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class OneBatch : public PgStoreTest {};

TEST_F(OneBatch, DataThatTheDatabaseRefusesFailsItsOwnCallOnly) {
  std::vector<ProcessGuid> apps;
  for (int i = 0; i < 5; ++i) apps.emplace_back("app-" + std::to_string(i));
  for (const ProcessGuid& app : apps) ASSERT_TRUE(Do(Desire(app, 1)));
  const std::uint64_t batches = store_.counts().batches;

  std::promise<void> go = Hold();
  std::vector<int> answers(apps.size());
  std::vector<std::future<Status>> calls;
  for (std::size_t i = 0; i < apps.size(); ++i) {
    calls.push_back(Submit(Grow(apps[i], i == 2 ? -10 : 1, answers[i])));  // CHECK (instances >= 0)
  }
  go.set_value();
  for (std::size_t i = 0; i < apps.size(); ++i) {
    const Status status = calls[i].get();
    EXPECT_EQ(status.ok(), i != 2) << i;
    EXPECT_EQ(Instances(apps[i]), i == 2 ? 1 : 2);
    if (i != 2) continue;
    EXPECT_EQ(status.error().kind, ErrorKind::kInternal);
    EXPECT_THAT(status.error().message, HasSubstr("desired_lrps_instances_check"));
  }
  EXPECT_EQ(store_.counts().batches, batches + 1 + 1 + apps.size()) << "held; together; each alone";
}

TEST_F(OneBatch, ACallThatIsRefusedLeavesItsNeighboursOfTheSameAppAlone) {
  const ProcessGuid app("app");
  ASSERT_TRUE(Do(Desire(app, 1)));
  std::promise<void> go = Hold();
  int first = 0, last = 0;
  auto one = Submit(Grow(app, 1, first));
  TestCall refused{{.name = "refused", .guid = app, .actor = "test"}};
  refused.decide = [](AppEdit& edit) {
    edit.ChangeDesired().instances = 100;
    return Status(Error{ErrorKind::kAborted, "changed my mind", {}});
  };
  auto two = Submit(std::move(refused));
  auto three = Submit(Grow(app, 1, last));
  go.set_value();
  EXPECT_TRUE(one.get());
  EXPECT_EQ(two.get().error().kind, ErrorKind::kAborted);
  EXPECT_TRUE(three.get());
  EXPECT_EQ(first, 2);
  EXPECT_EQ(last, 3);
  EXPECT_EQ(Instances(app), 3);
}

// A call by part would write the defaults that stand in for what cannot be read; one that replaces all may.
TEST_F(OneBatch, ARefusedCallLeavesBrokenWhatItWouldHaveMended) {
  const ProcessGuid app("app");
  ASSERT_TRUE(Do(Desire(app, 1)));
  const auto session = OpenSession(direct_url_);
  const auto run = [&](const std::string& sql) {
    std::string first;
    EXPECT_TRUE(session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      for (const auto row : s.RunScript(sql)) first = row.Text();
      return true;
    }).ok()) << sql;
    return first;
  };
  const std::string stored = "SELECT encode(strategy, 'hex') FROM desired_lrps";
  run("UPDATE desired_lrps SET strategy = '\\x00'");

  const auto mending = [&](ErrorKind refused) {
    TestCall call{{.name = "mending", .guid = app, .actor = "test", .mends = true}};
    call.decide = [refused](AppEdit& edit) {
      edit.ChangeDesired().instances = 5;
      return refused == ErrorKind::kAborted ? Status(Error{refused, "changed my mind", {}}) : Status(Done{});
    };
    return call;
  };
  int grown = 0;
  std::promise<void> go = Hold();
  auto refused = Submit(mending(ErrorKind::kAborted));
  auto by_part = Submit(Grow(app, 1, grown));
  go.set_value();
  EXPECT_EQ(refused.get().error().kind, ErrorKind::kAborted);
  EXPECT_FALSE(by_part.get().ok());
  EXPECT_EQ(run(stored), "00");

  go = Hold();
  auto again = Submit(mending(ErrorKind::kAborted));
  auto replaced = Submit(mending(ErrorKind::kInternal));
  go.set_value();
  EXPECT_FALSE(again.get().ok());
  EXPECT_TRUE(replaced.get().ok());
  EXPECT_NE(run(stored), "00");
  EXPECT_EQ(Instances(app), 5);
}

}  // namespace
}  // namespace baton
