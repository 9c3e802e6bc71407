// One app that is written as fast as anybody can, beside others that begin their rolls: told in batches that a call
// waits, as batches are what the database does one after the other.
#include <atomic>

#include "orchestrator/app/leader/drive.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

class FairWrites : public PgStoreTest {
 protected:
  static constexpr int kOthers = 20;

  static TestCall Asked(TestCall call) {
    call.priority = Priority::kCallers;
    return call;
  }
  static TestCall Annotate(const ProcessGuid& guid) {
    TestCall call{{.name = "annotate", .guid = guid, .actor = "test", .priority = Priority::kCallers}};
    call.decide = [](AppEdit& edit) {
      edit.ChangeDesired().annotation += "x";
      return Status(Done{});
    };
    return call;
  }
  // An app, desired and planned: its first instances are rows when it is answered.
  static TestCall BeginRoll(const ProcessGuid& guid) {
    TestCall call = Asked(Desire(guid, 2));
    call.decide = [desire = std::move(call.decide)](AppEdit& edit) {
      if (Status refused = desire(edit); !refused) return refused;
      (void)RunPlanner(edit);
      return Status(Done{});
    };
    return call;
  }
  // Batches that ended from its coming until it was decided: the one that was under way then, at most.
  struct Waited {
    std::future<Status> answer;
    std::shared_ptr<std::uint64_t> decided_after = std::make_shared<std::uint64_t>(0);
    std::uint64_t came_after = 0;

    void ExpectNextBatch() {
      EXPECT_TRUE(answer.get());
      EXPECT_LE(*decided_after, came_after + 1);
    }
  };
  Waited BeginCountedRoll(const ProcessGuid& guid) {
    Waited waited;
    TestCall call = BeginRoll(guid);
    call.decide = [this, after = waited.decided_after, decide = std::move(call.decide)](AppEdit& edit) {
      *after = store_.counts().batches;
      return decide(edit);
    };
    waited.answer = Submit(std::move(call));
    waited.came_after = store_.counts().batches;  // or a little later: then it waited for less
    return waited;
  }
  static ProcessGuid Other(int i) { return ProcessGuid("other-" + std::to_string(i)); }

  const ProcessGuid busy_{"busy"};
};

// A second's worth of a thousand writes a second, all there before.
TEST_F(FairWrites, AThousandCallsOfOneAppMakeNoOtherWaitForMoreThanTheBatchUnderWay) {
  ASSERT_TRUE(Do(Desire(busy_, 1)));
  std::promise<void> go = Hold();
  std::vector<std::future<Status>> busy;
  for (int i = 0; i < 1000; ++i) busy.push_back(Submit(Annotate(busy_)));
  EXPECT_EQ(store_.waiting(Priority::kCallers), 1000U);
  std::vector<Waited> others;
  for (int i = 0; i < kOthers; ++i) others.push_back(BeginCountedRoll(Other(i)));
  auto refused = Submit(Annotate(busy_));
  EXPECT_EQ(refused.get().error().kind, ErrorKind::kResourceExhausted) << "its own thousand wait";
  go.set_value();
  for (Waited& other : others) other.ExpectNextBatch();
  for (auto& call : busy) EXPECT_TRUE(call.get());
}

TEST_F(FairWrites, AnAppWithSixtyFourWritesAlwaysUnderWayMakesNoOtherWaitForMoreThanTheBatchUnderWay) {
  ASSERT_TRUE(Do(Desire(busy_, 1)));
  std::atomic<bool> enough{false};
  std::atomic<int> under_way{0};
  std::promise<void> ended;
  std::function<void()> again = [&] {
    TestCall call = Annotate(busy_);
    call.done = [&](const Status& status) {
      EXPECT_TRUE(status);
      if (!enough) return again();
      if (--under_way == 0) ended.set_value();
    };
    store_.Submit(std::move(call));
  };
  under_way = 64;
  for (int i = 0; i < 64; ++i) again();
  for (int i = 0; i < kOthers; ++i) BeginCountedRoll(Other(i)).ExpectNextBatch();
  enough = true;
  ended.get_future().wait();
}

TEST_F(FairWrites, WhatDrivesRollsOvertakesCallersOfItsOwnAppToo) {
  ASSERT_TRUE(Do(Desire(busy_, 1)));
  std::promise<void> go = Hold();
  int asked = 0;
  int planned = 0;
  auto first = Submit(Asked(Grow(busy_, 1, asked)));
  auto second = Submit(Grow(busy_, 1, planned));
  go.set_value();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
  EXPECT_EQ(planned, 2);
  EXPECT_EQ(asked, 3);
}

TEST_F(FairWrites, WhatNobodyWaitsForAnyMoreIsNotDone) {
  ASSERT_TRUE(Do(Desire(busy_, 1)));
  std::promise<void> go = Hold();
  int answer = 0;
  TestCall call = Asked(Grow(busy_, 1, answer));
  call.abandoned = [] { return true; };
  auto gone = Submit(std::move(call));
  go.set_value();
  EXPECT_EQ(gone.get().error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(Instances(busy_), 1);
}

// Somebody looks into the tables and forgets to end his transaction.
TEST_F(FairWrites, ARowThatIsLockedHoldsUpItsAppAndNoOther) {
  PgStore two({.url = direct_url_, .writers = 2}, log_, [] {});
  two.Lead({"leader", 1});
  two.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
  const auto submit = [&two](TestCall call) {
    auto answer = std::make_shared<std::promise<Status>>();
    call.done = [answer](const Status& status) { answer->set_value(status); };
    two.Submit(std::move(call));
    return answer->get_future();
  };
  ASSERT_TRUE(Do(Desire(busy_, 1)));
  ASSERT_TRUE(Do(Desire(Other(0), 1)));
  std::future<Status> locked;
  const auto session = OpenSession(direct_url_);
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SELECT FROM desired_lrps WHERE process_guid = 'busy' FOR UPDATE");
    locked = submit(Annotate(busy_));
    while (two.waiting(Priority::kCallers) > 0) std::this_thread::yield();  // its batch is under way, without others
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(submit(Annotate(Other(0))).get());
    EXPECT_EQ(locked.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_TRUE(locked.get());
  two.Stop();
}

}  // namespace
}  // namespace baton
