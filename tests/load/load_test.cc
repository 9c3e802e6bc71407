// The load against servers that misbehave exactly as told: each misbehaviour must be seen, and nothing else.
#include "tools/load/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "tests/load/scripted_server.h"
#include "tests/load/wait_until.h"

namespace baton::load {
namespace {

using Then = ScriptedReply::Then;
using ::testing::HasSubstr;

LoadOptions Options(const ScriptedServer& server) {
  return {.target = server.Target(), .rate = 100, .slow_every = 0, .timeout = std::chrono::milliseconds(2000)};
}

// Answers well, but misbehaves in the requests with these numbers.
ScriptedServer::Script WellBut(std::set<int> numbers, ScriptedReply bad) {
  return [numbers = std::move(numbers), bad = std::move(bad)](const ScriptedRequest& request) {
    return numbers.contains(request.number) ? bad : ScriptedReply{.body = HelloBody(0)};
  };
}

// The load until the server has seen so many requests, and what became of all of them.
LoadSnapshot RunUntil(int requests, ScriptedServer& server, const LoadOptions& options) {
  const std::unique_ptr<Load> load = Load::Start(options);
  EXPECT_TRUE(server.WaitForRequests(requests));
  load->Stop();
  LoadSnapshot snapshot = load->Snapshot();
  EXPECT_EQ(snapshot.requests, snapshot.answered + snapshot.failed);
  EXPECT_EQ(snapshot.requests, server.requests()) << "a request was sent twice, or not at all";
  return snapshot;
}

void ExpectFailures(const LoadSnapshot& snapshot, int failed, const std::string& text) {
  EXPECT_EQ(snapshot.failed, failed);
  ASSERT_EQ(snapshot.first_failures.size(), static_cast<std::size_t>(failed));
  for (const FailureRecord& failure : snapshot.first_failures) EXPECT_THAT(failure.text, HasSubstr(text));
}

struct Misbehaviour {
  const char* name;
  ScriptedReply reply;
  const char* text;
};

void PrintTo(const Misbehaviour& misbehaviour, std::ostream* out) { *out << misbehaviour.name; }

class MisbehaviourTest : public ::testing::TestWithParam<Misbehaviour> {};

// Four of them, two on new connections and two on kept ones: even numbers are new, odd ones kept.
TEST_P(MisbehaviourTest, IsAFailureEachTimeAndOnlyThen) {
  ScriptedServer server(WellBut({10, 21, 32, 43}, GetParam().reply));
  const LoadSnapshot snapshot = RunUntil(70, server, Options(server));
  ExpectFailures(snapshot, 4, GetParam().text);
  EXPECT_EQ(snapshot.reconnects, 0);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kNew)].failed, 1);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kKept)].failed, 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, MisbehaviourTest,
    ::testing::Values(
        Misbehaviour{"Closed", {.then = Then::kCloseUnanswered}, "the connection was closed before an answer"},
        Misbehaviour{"Halfway",
                     {.then = Then::kCloseHalfway, .body = HelloBody(0)},
                     "the connection was closed in the middle of an answer"},
        Misbehaviour{"Status503", {.status = 503, .body = "no server is available"}, "answered 503 'no server is"},
        Misbehaviour{"Status503AndClose",
                     {.then = Then::kAnnounceAndClose, .status = 503, .body = "no server is available"},
                     "answered 503 'no server is"},
        Misbehaviour{"Redirect", {.status = 302, .body = "elsewhere"}, "answered 302 'elsewhere'"},
        Misbehaviour{"EmptyBody", {.body = ""}, "answered 200 with a body that is not hello's: ''"},
        Misbehaviour{"ForeignBody", {.body = "<html>\nok</html>"}, "not hello's: '<html> ok</html>'"},
        Misbehaviour{"Late", {.body = HelloBody(0), .delay_ms = 2500}, "no answer within 2000 ms, it was waiting"},
        Misbehaviour{"Never", {.then = Then::kNothing}, "no answer within 2000 ms, it was waiting for the answer"}));

TEST(LoadTest, AServerThatMisbehavesNowhereGivesNoFailure) {
  ScriptedServer server(WellBut({}, {}));
  const LoadSnapshot snapshot = RunUntil(100, server, Options(server));
  EXPECT_EQ(snapshot.failed, 0);
  EXPECT_EQ(snapshot.reconnects, 0);
  EXPECT_NEAR(static_cast<double>(snapshot.by_kind[static_cast<int>(RequestKind::kNew)].answered),
              static_cast<double>(snapshot.by_kind[static_cast<int>(RequestKind::kKept)].answered), 1);
}

TEST(LoadTest, ATargetThatNobodyListensOnFailsEachRequest) {
  std::string target;
  {
    ScriptedServer gone(WellBut({}, {}));
    target = gone.Target();
  }
  const std::unique_ptr<Load> load = Load::Start({.target = target, .rate = 100});
  ASSERT_TRUE(WaitUntil(*load, [](const LoadSnapshot& now) { return now.failed >= 50; }));
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  EXPECT_EQ(snapshot.failed, snapshot.requests);
  EXPECT_EQ(snapshot.first_failures.size(), 20u);
  EXPECT_THAT(snapshot.first_failures[0].text, HasSubstr("cannot connect: Connection refused"));
  EXPECT_GE(snapshot.longest_gap_ms, 490) << "it never answered: the gap is all the time";
}

// A close between two requests is the server's right; nothing was lost by it.
TEST(LoadTest, AKeptConnectionThatIsClosedWhileIdleIsAReconnect) {
  ScriptedServer server([](const ScriptedRequest& request) {
    const bool closes = request.kept && request.number % 10 == 1;
    return ScriptedReply{.then = closes ? Then::kCloseUnannounced : Then::kKeep, .body = HelloBody(0)};
  });
  LoadOptions options = Options(server);
  options.kept_connections = 4;
  const LoadSnapshot snapshot = RunUntil(95, server, options);
  EXPECT_EQ(snapshot.failed, 0);
  EXPECT_GE(snapshot.reconnects, 9);
  EXPECT_LE(snapshot.reconnects, 1 + (snapshot.requests - 2) / 10);
}

TEST(LoadTest, AKeptConnectionThatIsClosedAsAnnouncedIsAReconnect) {
  ScriptedServer server([](const ScriptedRequest& request) {
    const bool closes = request.kept && request.number % 10 == 1;
    return ScriptedReply{.then = closes ? Then::kAnnounceAndClose : Then::kKeep, .body = HelloBody(0)};
  });
  const LoadSnapshot snapshot = RunUntil(95, server, Options(server));
  EXPECT_EQ(snapshot.failed, 0);
  EXPECT_GE(snapshot.reconnects, 9);
}

TEST(LoadTest, RequestsAreSentOnTimeThoughNothingIsAnswered) {
  ScriptedServer server([](const ScriptedRequest&) { return ScriptedReply{.then = Then::kNothing}; });
  LoadOptions options = Options(server);
  options.timeout = std::chrono::milliseconds(400);
  const std::unique_ptr<Load> load = Load::Start(options);
  ASSERT_TRUE(server.WaitForRequests(100));
  const double due = static_cast<double>(load->NowMs()) / 10;
  EXPECT_NEAR(static_cast<double>(load->Snapshot().requests), due, 30);
  load->Stop();
  EXPECT_EQ(load->Snapshot().failed, load->Snapshot().requests);
}

TEST(LoadTest, NoMoreKeptConnectionsAreOpenedThanAllowed) {
  ScriptedServer server([](const ScriptedRequest&) { return ScriptedReply{.body = HelloBody(0), .delay_ms = 100}; });
  LoadOptions options = Options(server);  // 50 a second on kept ones, 100 ms each: at least 5 are needed
  options.kept_connections = 1;
  options.kept_connections_most = 3;
  const LoadSnapshot snapshot = RunUntil(60, server, options);
  EXPECT_EQ(server.most_kept_busy(), 3);
  EXPECT_EQ(snapshot.failed, 0);
  const auto& kinds = snapshot.by_kind;
  EXPECT_GT(kinds[static_cast<int>(RequestKind::kKept)].p99_ms, kinds[static_cast<int>(RequestKind::kNew)].p99_ms)
      << "waiting for a connection counts";
}

TEST(LoadTest, WaitingForAConnectionCountsAgainstTheTimeout) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return ScriptedReply{.body = HelloBody(0), .delay_ms = request.kept ? 300 : 0};
  });
  LoadOptions options = Options(server);
  options.kept_connections = options.kept_connections_most = 1;
  options.timeout = std::chrono::milliseconds(500);
  const std::unique_ptr<Load> load = Load::Start(options);
  ASSERT_TRUE(server.WaitForRequests(100));
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  const auto& kept = snapshot.by_kind[static_cast<int>(RequestKind::kKept)];
  EXPECT_GT(kept.failed, 10);
  EXPECT_EQ(snapshot.failed, kept.failed);
  // The answer alone takes 300 ms: it is the waiting that used up the rest of the 500.
  EXPECT_THAT(snapshot.first_failures.back().text, HasSubstr("no answer within 500 ms"));
}

TEST(LoadTest, EachTwentiethRequestIsSlowOfBothKinds) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return ScriptedReply{.body = HelloBody(0), .delay_ms = request.target == "/slow?ms=50" ? 50 : 0};
  });
  LoadOptions options = Options(server);
  options.rate = 200;
  options.slow_every = 20;
  options.slow_ms = 50;
  const LoadSnapshot snapshot = RunUntil(200, server, options);
  EXPECT_EQ(snapshot.failed, 0);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kNewSlow)].answered, 5);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kKeptSlow)].answered, 4);
  EXPECT_GE(snapshot.by_kind[static_cast<int>(RequestKind::kKeptSlow)].p50_ms, 49);
  EXPECT_EQ(snapshot.answered / 20, snapshot.by_kind[static_cast<int>(RequestKind::kNewSlow)].answered +
                                        snapshot.by_kind[static_cast<int>(RequestKind::kKeptSlow)].answered);
}

// Of three slots the last one answers nothing from the 300th request to the 700th: two seconds.
TEST(LoadTest, OneSlotOfThreeThatStopsForTwoSecondsIsMissed) {
  ScriptedServer server([](const ScriptedRequest& request) {
    const bool stopped = request.number >= 300 && request.number < 700;
    return ScriptedReply{.body = HelloBody(request.number % (stopped ? 2 : 3))};
  });
  LoadOptions options = Options(server);
  options.rate = 200;
  const std::unique_ptr<Load> load = Load::Start(options);
  ASSERT_TRUE(server.WaitForRequests(300));
  const std::int64_t stops_ms = load->NowMs();
  ASSERT_TRUE(server.WaitForRequests(700));
  const std::int64_t back_ms = load->NowMs();
  ASSERT_TRUE(server.WaitForRequests(1000));
  load->Stop();
  EXPECT_EQ(load->Snapshot().failed, 0);
  EXPECT_EQ(load->MinServing(0, stops_ms - 100), 3);
  EXPECT_EQ(load->MinServing(0, load->NowMs()), 2);
  EXPECT_EQ(load->MinServing(stops_ms, back_ms), 2);
  EXPECT_EQ(load->MinServing(back_ms + 100, load->NowMs()), 3);
}

TEST(LoadTest, TheTimeAfterStopIsNoGapAndNoWindow) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return ScriptedReply{.body = HelloBody(0), .delay_ms = request.target == "/" ? 0 : 1500};
  });
  LoadOptions options = Options(server);
  options.slow_every = 110;
  const std::unique_ptr<Load> load = Load::Start(options);
  ASSERT_TRUE(server.WaitForRequests(110));  // the slow one is on its way for 1.5 s
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  EXPECT_GE(load->NowMs(), 2500);
  EXPECT_EQ(snapshot.failed, 0);
  EXPECT_LT(snapshot.longest_gap_ms, 1000);
  EXPECT_EQ(load->MinServing(0, load->NowMs()), 1);
}

TEST(LoadTest, TheReportHoldsEverything) {
  ScriptedServer server(WellBut({5}, {.status = 503, .body = "sorry"}));
  const std::unique_ptr<Load> load = Load::Start(Options(server));
  ASSERT_TRUE(server.WaitForRequests(120));
  load->Stop();
  const auto report = nlohmann::json::parse(load->Report());
  EXPECT_EQ(report["failed"], 1);
  EXPECT_EQ(report["first_failures"][0]["text"], "answered 503 'sorry' (request 1 on its connection)");
  EXPECT_EQ(report["first_failures"][0]["kind"], "kept");
  EXPECT_EQ(report["answered_by_version"]["v1"], report["answered"]);
  EXPECT_EQ(report["min_serving"], 1);
  ASSERT_EQ(report["instances"].size(), 1u);
  EXPECT_EQ(report["instances"][0]["answered"], report["answered"]);
  EXPECT_LT(report["instances"][0]["first_ms"], report["instances"][0]["last_ms"]);
  EXPECT_EQ(report["seconds"][0]["failed"], 1);
  EXPECT_EQ(report["seconds"][0]["slots"], nlohmann::json::array({0}));
}

TEST(LoadTest, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THROW(Load::Start({.target = "127.0.0.1"}), std::invalid_argument);
  EXPECT_THROW(Load::Start({.rate = 0}), std::invalid_argument);
  EXPECT_THROW(Load::Start({.kept_connections = 9, .kept_connections_most = 8}), std::invalid_argument);
}

}  // namespace
}  // namespace baton::load
