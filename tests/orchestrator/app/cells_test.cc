// The cells that are connected, where the database is away or another reign begins.
#include "orchestrator/app/cells/cells.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "tests/fakes/no_metrics.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/waiting_store.h"

namespace baton {
namespace {

class Silence final : public CellLink {
 public:
  void Send(CellOrders) override {}
  void End(const std::string&, ErrorKind) override {}
};

class CellsTest : public ::testing::Test {
 protected:
  // The database is away.
  class NoReads final : public Reads {
   public:
    explicit NoReads(CellsTest& test) : test_(test) {}
    void Run(std::function<void(Result<Reader*>)> work) override {
      test_.Count(test_.reads_);
      work(Error{ErrorKind::kUnavailable, "away", {}});
    }
    void Get(const ProcessGuid&, Got got) override { got(Error{ErrorKind::kUnavailable, "away", {}}); }

   private:
    CellsTest& test_;
  };
  // Says yes to everything.
  class Agreeing final : public Registry {
   public:
    explicit Agreeing(CellsTest& test) : test_(test) {}
    void RegisterCell(const CellRecord&, Duration, Answer done) override { done(Done{}); }
    void SetDraining(const CellId&, bool, const AuditEntry&, Answer done) override { done(Done{}); }
    void JudgeCells(Judge, std::function<void(const Result<CellJudgement>&)>) override {}
    void UpsertDomain(const std::string&, std::optional<Duration>, const AuditEntry&,
                      std::function<void(const Result<DomainRecord>&)>) override {}
    void DeleteExpiredDomains(Answer done) override { done(Done{}); }
    void ReadEgress(EgressAnswer done) override { done(EgressPolicy()); }
    void SetEgress(const std::string&, std::optional<UnenforcedEgress>, const AuditEntry&, EgressAnswer done) override {
      done(EgressPolicy());
    }
    void WriteDown(const AuditEntry&, Answer done) override { done(Done{}); }
    void RegisterConsumer(const ConsumerId&, const std::string&, Duration, ConsumerAnswer done) override { done(Registered{}); }
    void RemoveConsumer(const ConsumerId&, const std::optional<AuditEntry>&, Answer done) override { done(Done{}); }
    void RenewConsumers(std::vector<HeardConsumer>, Duration, Answer done) override { done(Done{}); }
    void Renew(std::vector<CellId>, Duration, Answer done) override {
      test_.Count(test_.renewals_);
      done(Done{});
    }
    void GiveGrace(Duration, Duration, Answer done) override { done(Done{}); }

   private:
    CellsTest& test_;
  };

  ~CellsTest() override { loop_.Stop(); }

  void Count(int& what) {
    const std::lock_guard lock(mutex_);
    ++what;
    changed_.notify_all();
  }
  int Now(const int& what) {
    const std::lock_guard lock(mutex_);
    return what;
  }
  // From the beginning, not from now: what is counted may have come before the wait for it.
  bool Await(const int& what, int wanted) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(20), [&] { return what >= wanted; });
  }

  // Again and again, also where the machine was busy for two heartbeats: the lease is renewed again then.
  void KeepHeard(const CellId& cell) {
    cells_.Heard(cell, link_.get());
    loop_.After(kHeartbeat / 4, [this, cell] { KeepHeard(cell); });
  }

  static constexpr Duration kHeartbeat = milliseconds(20);
  SilentLog log_;
  NoMetrics metrics_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int reads_ = 0, renewals_ = 0;
  WaitingStore store_;
  Loop loop_;
  Roller roller_{store_, loop_, log_, metrics_, [](const Effects&) {}};
  NoReads no_reads_{*this};
  Agreeing registry_{*this};
  std::shared_ptr<CellLink> link_ = std::make_shared<Silence>();
  Cells cells_{roller_, loop_, no_reads_, registry_, nullptr, log_, metrics_, {.heartbeat = kHeartbeat}};
};

TEST_F(CellsTest, AppsThatCouldNotBeReadAreAskedForAgain) {
  cells_.WakeAppsOn(CellId("cell-1"));
  EXPECT_TRUE(Await(reads_, 3));
}

// B2 came back at each change of leader: one cell's word was enough for a batond that had not read yet which others
// there are.
TEST_F(CellsTest, ALeaderThatDoesNotKnowItsCellsBelievesNoneOfALaterEpoch) {
  int believed = 0, refused = 0;
  cells_.OnLaterEpoch([&](auto, auto) { Count(believed); });
  loop_.Post([this] { cells_.Lead(3, {.id = "store"}); });
  class Refused final : public CellLink {
   public:
    explicit Refused(std::function<void()> told) : told_(std::move(told)) {}
    void Send(CellOrders) override {}
    void End(const std::string&, ErrorKind) override { told_(); }

   private:
    const std::function<void()> told_;
  };
  CellGreeting greeting;
  greeting.record.id = CellId("cell-1");
  greeting.store_id = "store";
  greeting.highest_epoch = 1000;
  cells_.Connected(std::make_shared<Refused>([&] { Count(refused); }), greeting);
  ASSERT_TRUE(Await(refused, 1));
  loop_.Post([&] { Count(refused); });
  ASSERT_TRUE(Await(refused, 2)) << "what came of the hello is over";
  EXPECT_EQ(believed, 0);
}

// With the rounds of the reigns before, twenty take one heartbeat.
TEST_F(CellsTest, LeasesAreRenewedOncePerHeartbeatInEachReign) {
  loop_.Post([this] {
    for (int i = 0; i < 50; ++i) {
      cells_.Lead(1, {});
      cells_.Follow();
    }
    cells_.Lead(1, {});
  });
  CellGreeting greeting;
  greeting.record.id = CellId("cell-1");
  cells_.Connected(link_, greeting);
  KeepHeard(greeting.record.id);
  ASSERT_TRUE(Await(renewals_, 1));
  const int before = Now(renewals_);
  const auto began = Loop::Steady::now();
  ASSERT_TRUE(Await(renewals_, before + 20));
  EXPECT_GE(Loop::Steady::now() - began, kHeartbeat * 18);
}

}  // namespace
}  // namespace baton
