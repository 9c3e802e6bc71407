// A claim and the removal of its app at once: of those that share a commit (587 of 400 rounds' claims were taken) none is
// taken, and so nothing is started for an app that is gone.
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/leader/drive.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

constexpr int kInstances = 3;
constexpr int kRounds = 40;

// What each commit left, before its calls are answered.
class Commits final : public CommitListener {
 public:
  void OnCommitted(const Committed& committed) override {
    const std::lock_guard lock(mutex_);
    for (const ActualId& id : committed.changes.changed) {
      const ActualLrp& lrp = committed.after.actuals.at(id);
      if (lrp.state == LrpState::kClaimed && lrp.presence != Presence::kRetiring) claimed_.insert(id);
    }
    for (const ActualId& id : committed.changes.inserted) made_[committed.guid].push_back(id);
  }
  std::vector<ActualId> MadeFor(const ProcessGuid& guid) {
    const std::lock_guard lock(mutex_);
    return made_[guid];
  }
  bool HasLeftClaimed(const ActualId& id) {
    const std::lock_guard lock(mutex_);
    return claimed_.contains(id);
  }

 private:
  std::mutex mutex_;
  std::set<ActualId> claimed_;
  std::map<ProcessGuid, std::vector<ActualId>> made_;
};

class ClaimAndRemove : public PgStoreTest {
 protected:
  ClaimAndRemove() { store_.SetListener(&commits_); }
  ~ClaimAndRemove() override { store_.Stop(); }

  // As a driven call of a caller is decided.
  static TestCall Wish(TestCall call) {
    call.priority = Priority::kCallers;
    call.decide = [decide = std::move(call.decide)](AppEdit& edit) {
      if (Status refused = decide(edit); !refused) return refused;
      (void)RunPlanner(edit);
      return Status(Done{});
    };
    return call;
  }
  static TestCall Remove(const ProcessGuid& guid) {
    TestCall call{{.name = "remove", .guid = guid, .actor = "test"}};
    call.decide = DecideRemove;
    return Wish(std::move(call));
  }
  static TestCall Claim(const ProcessGuid& guid, const ActualId& id) {
    TestCall call{{.name = "claim", .guid = guid, .instance = id, .actor = "cell"}};
    call.decide = [ref = InstanceRef{id, InstanceGuid(id.str() + "-run"), CellId("cell")}](AppEdit& edit) {
      return DecideClaim(edit, ref);
    };
    return call;
  }
  std::vector<ActualId> DesireAndPlan(const ProcessGuid& guid) {
    EXPECT_TRUE(Do(Wish(Desire(guid, kInstances))));
    return commits_.MadeFor(guid);
  }

  Commits commits_;
};

TEST_F(ClaimAndRemove, InOneCommitNoClaimIsTaken) {
  const ProcessGuid app("app");
  const std::vector<ActualId> ids = DesireAndPlan(app);
  ASSERT_EQ(ids.size(), kInstances);
  std::promise<void> go = Hold();
  std::vector<std::future<Status>> claims;
  for (const ActualId& id : ids) claims.push_back(Submit(Claim(app, id)));
  auto removed = Submit(Remove(app));
  go.set_value();
  EXPECT_TRUE(removed.get());
  for (auto& claim : claims) {
    const Status status = claim.get();
    ASSERT_FALSE(status) << "it would be started, and its app is gone";
    EXPECT_EQ(status.error().kind, ErrorKind::kNotFound);
  }
}

TEST_F(ClaimAndRemove, AtOnceOnlyClaimsOfEarlierCommitsAreTaken) {
  for (int round = 0; round < kRounds; ++round) {
    const ProcessGuid app("app-" + std::to_string(round));
    const std::vector<ActualId> ids = DesireAndPlan(app);
    std::vector<std::future<Status>> claims;
    std::thread cell([&] {
      for (const ActualId& id : ids) claims.push_back(Submit(Claim(app, id)));
    });
    auto removed = Submit(Remove(app));
    cell.join();
    EXPECT_TRUE(removed.get());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (claims[i].get()) {
        EXPECT_TRUE(commits_.HasLeftClaimed(ids[i])) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace baton
