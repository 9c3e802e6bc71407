// The loop that drives a rotation: only while it leads, on after errors, and anew where it was stuck and somebody asks.
#include "orchestrator/app/leader/key_rotation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "tests/fakes/no_metrics.h"
#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

// So many steps of work; then done, or stuck.
class ScriptedKeys final : public KeyStore {
 public:
  Status Reload() override {
    ++reloads;
    return refuse ? Status(Error{ErrorKind::kFailedPrecondition, "no key file", {}}) : Status(Done{});
  }
  Status Replenish() override { return Done{}; }
  Result<RotationProgress> Step(int) override {
    ++steps;
    if (failures > 0) {
      --failures;
      return Error{ErrorKind::kUnavailable, "the database does not answer", {}};
    }
    if (work > 0) --work;
    RotationProgress progress;
    progress.state = work > 0 ? RotationState::kWorking : stuck ? RotationState::kStuck : RotationState::kDone;
    if (work == 0) ended.store(true);
    return progress;
  }
  Status BeginAgain() override {
    ++again;
    stuck = false;
    return Done{};
  }
  Result<KeysView> Look(bool) override {
    looking = true;
    while (held) std::this_thread::yield();
    return KeysView{};
  }

  std::atomic<int> steps{0}, work{5}, failures{0}, reloads{0}, again{0};
  std::atomic<bool> stuck{false}, ended{false}, refuse{false}, held{false}, looking{false};
};

class KeyRotationLoop : public ::testing::Test {
 protected:
  static bool Await(const std::atomic<bool>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return condition;
  }
  // By way of the loop's own thread: everything before it is over.
  Result<KeyRotation::Report> Look() {
    std::promise<Result<KeyRotation::Report>> answer;
    rotation_.Look(false, [&](const Result<KeyRotation::Report>& report) { answer.set_value(report); });
    return answer.get_future().get();
  }
  Result<KeyRotation::Report> Rotate() {
    std::promise<Result<KeyRotation::Report>> answer;
    rotation_.Rotate([&](const Result<KeyRotation::Report>& report) { answer.set_value(report); });
    return answer.get_future().get();
  }

  SilentLog log_;
  NoMetrics metrics_;
  ScriptedKeys store_;
  KeyRotation rotation_{store_, log_, metrics_, {.look = milliseconds(1)}};
};

TEST_F(KeyRotationLoop, WorksToTheEndWhileItLeads) {
  EXPECT_FALSE(Look()) << "it does not lead";
  EXPECT_EQ(store_.steps, 0);
  rotation_.Lead();
  EXPECT_TRUE(Await(store_.ended));
  EXPECT_TRUE(Look());
  rotation_.Follow();
  EXPECT_FALSE(Look());
  const int steps = store_.steps;
  EXPECT_FALSE(Rotate());
  EXPECT_EQ(store_.reloads, 0);
  EXPECT_EQ(store_.steps, steps);
}

TEST_F(KeyRotationLoop, GoesOnAfterErrors) {
  store_.failures = 3;
  rotation_.Lead();
  EXPECT_TRUE(Await(store_.ended));
  const auto report = Look();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->last_error, "") << "the last step went well";
}

TEST_F(KeyRotationLoop, WhereItWasStuckAskingBeginsAnew) {
  store_.stuck = true;
  rotation_.Lead();
  EXPECT_TRUE(Await(store_.ended));
  ASSERT_TRUE(Look());
  EXPECT_EQ(store_.again, 0) << "not by itself, at once";
  EXPECT_TRUE(Rotate());
  EXPECT_EQ(store_.again, 1);
}

TEST_F(KeyRotationLoop, ARefusedKeyFileIsTheAnswer) {
  rotation_.Lead();
  store_.refuse = true;
  const auto report = Rotate();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "no key file");
}

// Each read the key file again, a tenth of a second of scrypt.
TEST_F(KeyRotationLoop, RotationsThatAreAskedForTogetherReadTheKeyFileOnce) {
  rotation_.Lead();
  store_.held = true;
  std::atomic<int> answered{0};
  rotation_.Look(false, [](const Result<KeyRotation::Report>&) {});
  EXPECT_TRUE(Await(store_.looking));
  for (int i = 0; i < 50; ++i) rotation_.Rotate([&](const Result<KeyRotation::Report>& report) { answered += report.ok(); });
  store_.held = false;
  ASSERT_TRUE(Look());
  EXPECT_EQ(answered, 50);
  EXPECT_EQ(store_.reloads, 1);
}

TEST_F(KeyRotationLoop, WhoAsksWhenItStopsGetsAnAnswer) {
  rotation_.Lead();
  rotation_.Stop();
  EXPECT_FALSE(Look());
}

}  // namespace
}  // namespace baton
