// The connection goes in the middle of a COMMIT: nobody knows whether it was done. Nothing is done twice, nothing is
// claimed that is not known, and whoever keeps something in memory learns what the rows say.
#include <gmock/gmock.h>

#include <condition_variable>
#include <map>
#include <mutex>

#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

using Cut = CommitCutter::Cut;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ProcessGuid kDoubtedApp("app");

// What a follower of the commits would know: the number of instances of each app.
class Follower final : public CommitListener {
 public:
  void OnCommitted(const Committed& committed) override {
    const std::lock_guard lock(mutex_);
    if (committed.after.desired) known_[committed.guid] = committed.after.desired->instances;
    changed_.notify_all();
  }
  bool AwaitKnown(const ProcessGuid& guid, int instances) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(30), [&] { return known_.contains(guid) && known_[guid] == instances; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<ProcessGuid, int> known_;
};

class InDoubt : public PgStoreTest, public ::testing::WithParamInterface<Cut> {
 protected:
  InDoubt() {
    store_.SetListener(&follower_);
    EXPECT_TRUE(Do(Desire(kDoubtedApp, 1)));
  }
  ~InDoubt() override { store_.Stop(); }  // before its listener

  void CutNext() { cutter_.CutNext(GetParam()); }
  static bool committed() { return GetParam() == Cut::kAfter; }

  Follower follower_;
};

TEST_P(InDoubt, ACallWithAKeyIsDoneOnce) {
  CutNext();
  int answer = 0;
  EXPECT_TRUE(Do(Grow(kDoubtedApp, 1, answer, "key")));
  EXPECT_EQ(answer, 2);
  EXPECT_EQ(Instances(kDoubtedApp), 2);
  EXPECT_EQ(store_.counts().in_doubt, 1u);
  EXPECT_TRUE(follower_.AwaitKnown(kDoubtedApp, 2));
}

TEST_P(InDoubt, CallsWithKeysKeepTheirOrder) {
  std::promise<void> go = Hold();
  std::vector<int> answers(5);
  std::vector<std::future<Status>> calls;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    calls.push_back(Submit(Grow(kDoubtedApp, 1, answers[i], "key " + std::to_string(i))));
  }
  CutNext();
  go.set_value();
  for (auto& call : calls) EXPECT_TRUE(call.get());
  EXPECT_THAT(answers, ElementsAre(2, 3, 4, 5, 6));
  EXPECT_EQ(Instances(kDoubtedApp), 6);
  EXPECT_EQ(store_.counts().in_doubt, 1u);
}

TEST_P(InDoubt, ACallWithoutAKeyIsToldThatNobodyKnows) {
  CutNext();
  int answer = 0;
  const Status status = Do(Grow(kDoubtedApp, 1, answer));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(status.error().message, HasSubstr("it may have been done"));
  EXPECT_TRUE(status.error().retry_after);
  EXPECT_EQ(Instances(kDoubtedApp), committed() ? 2 : 1);
}

// No call comes after it: what was committed is told all the same.
TEST_P(InDoubt, TheListenerIsToldWhatTheRowsSay) {
  CutNext();
  const ProcessGuid other("other");
  ASSERT_FALSE(Do(Desire(other, 7)));
  if (!committed()) {
    EXPECT_TRUE(Do(Desire(other, 8)));
  }
  EXPECT_TRUE(follower_.AwaitKnown(other, committed() ? 7 : 8));
}

INSTANTIATE_TEST_SUITE_P(Commit, InDoubt, ::testing::Values(Cut::kBefore, Cut::kAfter),
                         [](const auto& cut) { return cut.param == Cut::kBefore ? "NotDone" : "Done"; });

}  // namespace
}  // namespace baton
