// The load against the real hello.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/examples/hello_process.h"
#include "tests/load/wait_until.h"
#include "tools/load/load.h"

namespace baton::load {
namespace {

LoadOptions Options(examples::ChildProcess& hello) {
  const std::string target = "127.0.0.1:" + std::to_string(examples::PortOf(hello));
  return {.target = target, .rate = 200, .slow_every = 20, .slow_ms = 300};
}

std::int64_t NanosSince1970() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

TEST(LoadHelloTest, AHealthyAppNeverFails) {
  examples::ChildProcess hello =
      examples::StartHello({{"VERSION", "v7"}, {"CF_INSTANCE_INDEX", "4"}, {"CF_INSTANCE_GUID", "guid-4"}});
  const std::int64_t before = NanosSince1970();
  const std::unique_ptr<Load> load = Load::Start(Options(hello));
  const std::int64_t after = NanosSince1970();
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.answered >= 400; }));
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  EXPECT_EQ(snapshot.failed, 0);
  EXPECT_EQ(snapshot.requests, snapshot.answered);
  EXPECT_EQ(snapshot.reconnects, 0);
  EXPECT_EQ(snapshot.answered_by_version, (std::map<std::string, std::int64_t>{{"v7", snapshot.answered}}));
  EXPECT_EQ(load->MinServing(0, load->NowMs()), 1);
  const AnswerRecord first = load->Answers().front();
  EXPECT_EQ(first.version, "v7");
  EXPECT_EQ(first.index, 4);
  EXPECT_EQ(first.instance, "guid-4");
  const InstanceSpans spans = load->Spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans.at("guid-4").answers, snapshot.answered);
  EXPECT_EQ(spans.at("guid-4").last_answer_ms, load->Answers().back().at_ms);
  EXPECT_GE(load->started_at(), before);
  EXPECT_LE(load->started_at(), after);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kNewSlow)].p50_ms, 297);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kKeptSlow)].p50_ms, 297);
}

TEST(LoadHelloTest, AnAppThatIsNotReadyFailsEachRequest) {
  examples::ChildProcess hello = examples::StartHello({{"NEVER_READY", "1"}});
  const std::unique_ptr<Load> load = Load::Start(Options(hello));
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.failed >= 20; }));
  load->Stop();
  EXPECT_EQ(load->Snapshot().answered, 0);
  EXPECT_THAT(load->Snapshot().first_failures.front().text, ::testing::HasSubstr("answered 503"));
}

TEST(LoadHelloTest, AnAppThatIsKilledTakesItsRequestsInFlightWithIt) {
  examples::ChildProcess hello = examples::StartHello();
  const std::unique_ptr<Load> load = Load::Start(Options(hello));
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.answered >= 200; }));
  hello.Signal(SIGKILL);
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.failed >= 300; }));
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  // 3 slow ones are in flight at any time: half of them on new connections.
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kNewSlow)].failed, 1);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kKeptSlow)].failed, 1);
  EXPECT_GE(snapshot.longest_gap_ms, 1400);
  EXPECT_EQ(load->MinServing(0, load->NowMs()), 0);
}

TEST(LoadHelloTest, ARestartOfTheAppIsSeen) {
  examples::ChildProcess first = examples::StartHello({{"VERSION", "v1"}});
  const std::string port = std::to_string(examples::PortOf(first));
  const std::unique_ptr<Load> load = Load::Start(Options(first));
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.answered >= 100; }));
  first.Signal(SIGTERM);
  ASSERT_EQ(first.WaitForEnd(), 0);
  examples::ChildProcess second = examples::StartHello({{"VERSION", "v2"}, {"PORT", port}});
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.answered_by_version.contains("v2"); }));
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  EXPECT_GE(snapshot.failed, 1) << "for some time nobody listened";
  EXPECT_EQ(snapshot.requests, snapshot.answered + snapshot.failed);
}

}  // namespace
}  // namespace baton::load
