// Another PostgreSQL becomes the primary under a running batond: what was acknowledged is there, and nothing more is
// read from the old one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <memory>
#include <set>
#include <thread>

#include "sql/session/kept_session.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/postgres_pair.h"
#include "tests/server/event_follower.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;
using Isolation = Session::Isolation;

// Desires one app after the other, and reads each that was acknowledged. What is answered UNAVAILABLE is asked for
// again, and may be there by then.
class Desirer {
 public:
  explicit Desirer(RunningService& service) : service_(service), thread_([this] { Desire(); }) {}
  ~Desirer() { Stop(); }
  void Stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  int acknowledged() const { return acknowledged_; }
  std::int64_t longest_gap_ms() const { return longest_gap_ms_; }
  // Apps that were acknowledged and then not found.
  int not_found() const { return not_found_; }
  static std::string Guid(int n) { return "app-" + std::to_string(n); }

 private:
  void Desire() {
    auto last = Clock::now();
    while (!stopping_) {
      const grpc::Status status = service_.Desire(RunningService::SmallApp(Guid(acknowledged_)));
      if (!status.ok() && status.error_code() != grpc::StatusCode::ALREADY_EXISTS) continue;
      const auto now = Clock::now();
      longest_gap_ms_ =
          std::max<std::int64_t>(longest_gap_ms_, std::chrono::duration_cast<milliseconds>(now - last).count());
      last = now;
      Read(acknowledged_++);
    }
  }
  void Read(int n) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(Guid(n));
    v2::GetDesiredLRPResponse response;
    grpc::Status status;
    do {
      status = service_.apps->GetDesiredLRP(Context().get(), request, &response);
    } while (status.error_code() == grpc::StatusCode::UNAVAILABLE && !stopping_);
    not_found_ += status.error_code() == grpc::StatusCode::NOT_FOUND ? 1 : 0;
  }

  RunningService& service_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> acknowledged_ = 0;
  std::atomic<int> not_found_ = 0;
  std::atomic<std::int64_t> longest_gap_ms_ = 0;
  std::thread thread_;
};

class Failover : public ::testing::Test {
 protected:
  Failover() { service_.WaitForLead(); }

  bool MoreIsAcknowledged() {
    const int enough = desirer_.acknowledged() + 20;
    return Eventually([&] { return desirer_.acknowledged() >= enough; }, seconds(60));
  }
  std::set<std::string> Desired() {
    std::set<std::string> guids;
    EXPECT_TRUE(Eventually([&] {
      guids.clear();
      const auto context = Context();
      const auto pages = service_.apps->ListDesiredLRPs(context.get(), {});
      for (v2::ListDesiredLRPsResponse page; pages->Read(&page);) {
        for (const auto& app : page.desired_lrps()) guids.insert(app.process_guid());
      }
      return pages->Finish().ok();
    }));
    return guids;
  }
  // Each that was acknowledged is there, and was told of once.
  void ExpectNothingIsLost(const std::string& scene) {
    // Its read may be the first on a session that leads to the old primary: UNAVAILABLE, and it comes again.
    std::unique_ptr<EventFollower> follower;
    EXPECT_TRUE(Eventually([&] {
      if (!follower || follower->over()) follower = std::make_unique<EventFollower>(service_, EventFollower::After(0));
      return follower->answers() > 0;
    }));
    EXPECT_TRUE(MoreIsAcknowledged());
    desirer_.Stop();
    const std::set<std::string> desired = Desired();
    int lost = 0;
    for (int n = 0; n < desirer_.acknowledged(); ++n) lost += desired.contains(Desirer::Guid(n)) ? 0 : 1;
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(desirer_.not_found(), 0) << "read from the old primary";
    const auto told = [&] {
      std::map<std::string, int> of;
      for (const v2::Event& event : follower->events())
        of[event.process_guid()] += event.kind() == "desired_created" ? 1 : 0;
      return of;
    };
    EXPECT_TRUE(follower->WaitFor([&] { return told().size() >= desired.size(); }))
        << told().size() << " of " << desired.size();
    for (const auto& [guid, times] : told()) EXPECT_EQ(times, 1) << guid;
    std::cout << "failover " << scene << ": outage_ms " << desirer_.longest_gap_ms() << ", writes acknowledged "
              << desirer_.acknowledged() << ", lost " << lost << '\n';
  }

  PostgresPair pair_;
  RunningService service_{pair_.url()};
  Desirer desirer_{service_};
};

TEST_F(Failover, ASwitchoverLosesNothingAndIsFollowedThereAndBack) {
  for (const int old : {0, 1}) {
    ASSERT_TRUE(MoreIsAcknowledged());
    pair_.Stop(old);
    pair_.Promote(1 - old);
    pair_.Follow(old);
    ASSERT_TRUE(MoreIsAcknowledged());
  }
  ExpectNothingIsLost("switchover");
}

TEST_F(Failover, AKilledPrimaryLosesNothing) {
  ASSERT_TRUE(MoreIsAcknowledged());
  pair_.Kill(0);
  pair_.Promote(1);
  ASSERT_TRUE(MoreIsAcknowledged());
  ExpectNothingIsLost("primary killed");
}

// Its sessions stay open, and what is read there gets older and older.
TEST_F(Failover, APrimaryThatBecomesReadOnlyUnderOpenSessionsIsLeftAtOnce) {
  ASSERT_TRUE(MoreIsAcknowledged());
  pair_.MakeReadOnly(0);
  pair_.Promote(1);
  ASSERT_TRUE(MoreIsAcknowledged());
  ExpectNothingIsLost("read-only primary");
}

class ReadOnlySession : public ::testing::Test {
 protected:
  SessionError Write() {
    return session_->Transact(Isolation::kReadCommitted,
                              [](Session& s) { return s.RunScript("CREATE TABLE more ()"), true; });
  }
  SessionError Read(Isolation isolation) {
    return session_->Transact(isolation, [](Session& s) { return s.Run("ReadNow"), true; });
  }

  PostgresPair pair_;
  KeptSession kept_{pair_.url(), PlainCipher()};
  Session* session_ = *kept_.Get();
};

TEST_F(ReadOnlySession, IsLeftByWhoWrites) {
  pair_.MakeReadOnly(0);
  const SessionError error = Write();
  EXPECT_EQ(error.fault, Fault::kBroken);
  EXPECT_EQ(error.sqlstate, "25006");
  EXPECT_TRUE(session_->broken());
  EXPECT_FALSE(kept_.Get().ok()) << "the other one is a replica yet";
  pair_.Promote(1);
  EXPECT_TRUE(Eventually([&] { return kept_.Get().ok(); }));
}

TEST_F(ReadOnlySession, IsLeftByWhoOnlyReads) {
  for (const Isolation isolation : {Isolation::kSnapshotReadOnly, Isolation::kEachAlone}) {
    session_ = *kept_.Get();
    EXPECT_TRUE(Read(isolation).ok()) << "the transaction is read-only, the server is not";
    EXPECT_FALSE(session_->broken());
    pair_.MakeReadOnly(0);
    const SessionError error = Read(isolation);
    EXPECT_EQ(error.fault, Fault::kBroken);
    EXPECT_TRUE(session_->broken());
    pair_.MakeWritable(0);
  }
  // Who asked for a replica keeps it.
  const auto replica = OpenSession(pair_.UrlOf(1));
  EXPECT_TRUE(replica->Transact(Isolation::kSnapshotReadOnly, [](Session& s) { return s.Run("ReadNow"), true; }).ok());
  EXPECT_FALSE(replica->broken());
}

}  // namespace
}  // namespace baton
