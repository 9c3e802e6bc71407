// What `retire` and `cell drain` wait for, and what `explain` says of an app without a roll, against a real service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_cell.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Waiting : public ::testing::Test {
 protected:
  struct Said {
    int status = 0;
    std::string out;
    std::string err;
  };

  Waiting() {
    service.WaitForLead();
    one.emplace(service, "cell-1");
    one->Hello();
    one->KeepBeating();
  }

  Said Do(std::vector<std::string> words, const std::string& in = "") {
    std::istringstream input(in);
    std::ostringstream output, errors;
    Io io{input, output, errors, nullptr, [] {
            return std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                .count();
          }};
    words.insert(words.begin(), {"--batond", service.address(), "--actor", "tester"});
    const int status = cli::Run(words, io);
    return {status, output.str(), errors.str()};
  }
  Said Apply(const std::string& version, const std::string& more = "") {
    return Do({"apply", "-f", "-"},
              "guid: shop\ndomain: demo\nstrategy: {min_healthy_time: 0s}\n" + more + "definition:\n  identifier: " +
                  version + "\n  root_fs: 'host:'\n  ports: [8080]\n  action: {command: [/bin/" + version + "]}\n");
  }
  static std::string RunNext(ScriptedCell& cell) {
    const std::string id = cell.NextRun().actual_id();
    cell.Report(ScriptedCell::Claimed(id));
    cell.Report(ScriptedCell::Started(id));
    return id;
  }
  static void Stop(ScriptedCell& cell, const std::string& id) {
    ASSERT_TRUE(cell.WasToldToStop(id));
    v2::CellReport report = ScriptedCell::Claimed(id);
    report.mutable_stopped();
    cell.Report(report);
  }
  bool StateBecomes(const std::string& state) {
    return Eventually([&] { return Do({"rollout", "status", "shop"}).out.find("\n" + state) != std::string::npos; });
  }
  std::string RunVersion1() {
    EXPECT_EQ(Apply("v1").status, kDone);
    const std::string id = RunNext(*one);
    EXPECT_TRUE(StateBecomes("COMPLETED"));
    return id;
  }

  RunningService service;
  std::optional<ScriptedCell> one;
};

TEST_F(Waiting, ARetiredInstanceIsWaitedForUntilItIsGone) {
  const std::string first = RunVersion1();
  std::jthread cell([&] {
    RunNext(*one);
    Stop(*one, first);
  });
  const Said said = Do({"retire", "shop", "--wait", "--timeout", "1m"});
  EXPECT_EQ(said.status, kDone) << said.err;
  // What it says on the way depends on how fast the cell is: the next test has a cell that does nothing.
  EXPECT_THAT(said.out, AllOf(HasSubstr("app shop: 1 instance: slot 0 is replaced\n"),
                              HasSubstr("1 of 1 are gone\napp shop: done\n")));
}

TEST_F(Waiting, ARetirementThatIsNotDoneInTimeEndsWithWhatItWaitsFor) {
  RunVersion1();
  const Said said = Do({"retire", "shop", "--wait", "--timeout", "300ms"});
  EXPECT_EQ(said.status, kFailed);
  EXPECT_THAT(said.out,
              AllOf(HasSubstr("0 of 1 are gone\n"), HasSubstr("no roll is open, 1 of 1 slots are served"),
                    HasSubstr("evacuate.replacement")));
  EXPECT_THAT(said.err, HasSubstr("app shop is not done after 300 ms"));
}

TEST_F(Waiting, WhatARollThatIsPausedIsToReplaceWaitsAndIsTheNextOneThen) {
  const std::string first = RunVersion1();
  ASSERT_EQ(Apply("v1", "instances: 2\n").status, kDone);
  const std::string second = RunNext(*one);
  ASSERT_EQ(Apply("v2", "instances: 2\n").status, kDone);
  ASSERT_EQ(Do({"rollout", "pause", "shop"}).status, kDone);
  const Said said = Do({"retire", "shop", "--definition", "v1", "--wait", "--timeout", "300ms"});
  EXPECT_EQ(said.status, kFailed);
  EXPECT_THAT(said.out, AllOf(HasSubstr("slots 0, 1 wait for the roll to v2, which is PAUSED: resume\n"),
                              HasSubstr("retire.roll"), HasSubstr("unblocks:")));
  EXPECT_EQ(Do({"rollout", "resume", "shop"}).status, kDone);
  const Said again = Do({"retire", "shop", "--definition", "v1", "-o", "json"});
  EXPECT_THAT(again.out, AllOf(HasSubstr("ROLL_NEXT"), HasSubstr("slots 0, 1 are the roll's next ones, to v2")));
  for (const std::string& old : {first, second}) {
    RunNext(*one);
    Stop(*one, old);
  }
  EXPECT_TRUE(StateBecomes("COMPLETED"));
}

TEST_F(Waiting, ACellThatDrainsWithRoomNowhereIsExplainedAndEmptyOnceThereIsRoom) {
  const std::string first = RunVersion1();
  const Said late = Do({"cell", "drain", "cell-1", "--wait", "--timeout", "1s"});
  EXPECT_EQ(late.status, kFailed);
  EXPECT_THAT(late.out,
              AllOf(HasSubstr("cell cell-1 drains: 1 instance left of 1"),
                    HasSubstr("app shop, slot 0: EVACUATING RUNNING of v1"),
                    HasSubstr("the instance on cell-1, which drains, stays: no cell takes its replacement")));
  EXPECT_THAT(late.err, HasSubstr("cell cell-1 is not done after 1 s: 0 of 1 are gone"));
  EXPECT_THAT(Do({"explain", "cell", "cell-1"}).out,
              AllOf(HasSubstr("1 instance left of 1"), HasSubstr("no cell takes its replacement")));
  EXPECT_THAT(Do({"explain", "shop"}).out,
              AllOf(HasSubstr("no roll is open, 1 of 1 slots are served"), HasSubstr("no cell takes its replacement")));
  ScriptedCell two(service, "cell-2");
  std::jthread cells([&] {
    two.Hello();
    RunNext(two);
    Stop(*one, first);
  });
  const Said said = Do({"cell", "drain", "cell-1", "--wait"});
  EXPECT_EQ(said.status, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("1 of 1 are gone\ncell cell-1 is empty\n"));
}

TEST_F(Waiting, ARebalanceIsDryUntilItIsMeantAndThenMovesOneInstanceAtATime) {
  EXPECT_EQ(Apply("v1", "instances: 2\n").status, kDone);
  RunNext(*one);
  const std::string second = RunNext(*one);
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  EXPECT_THAT(Do({"admin", "rebalance"}).out, HasSubstr("no app can be spread more evenly\n"));
  ScriptedCell two(service, "cell-2");
  two.Hello();
  two.KeepBeating();
  ASSERT_TRUE(Eventually([&] { return Do({"admin", "rebalance"}).out.find("app shop:") != std::string::npos; }));
  const Said dry = Do({"admin", "rebalance"});
  EXPECT_EQ(dry.status, kDone) << dry.err;
  EXPECT_THAT(dry.out, AllOf(HasSubstr("app shop: 1 instance would move, 1 at a time\n"),
                             HasSubstr("cell cell-1 has 2 of its instances, cell-2 has 0"),
                             HasSubstr("nothing was moved: --yes moves them\n")));
  EXPECT_EQ(Do({"admin", "rebalance", "shop", "--most", "0"}).status, kUsage);
  EXPECT_EQ(Do({"admin", "rebalance", "nope"}).status, kFailed);
  std::jthread cells([&] {
    RunNext(two);
    Stop(*one, second);
  });
  const Said done = Do({"admin", "rebalance", "--yes", "--wait", "--timeout", "1m"});
  EXPECT_EQ(done.status, kDone) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("app shop: 1 instance is moved, 1 at a time\n"), HasSubstr("app shop: done\n"),
                              Not(HasSubstr("--yes"))));
  EXPECT_THAT(Do({"get", "apps", "-o", "wide"}).out, HasSubstr("cell-1 1, cell-2 1"));
  EXPECT_THAT(Do({"admin", "rebalance", "shop"}).out, HasSubstr("app shop: it is spread evenly\n"));
}

TEST_F(Waiting, ExplainSaysThatNothingHoldsAnAppUpThatIsWell) {
  RunVersion1();
  const Said said = Do({"explain", "shop"});
  EXPECT_EQ(said.status, kDone) << said.err;
  EXPECT_THAT(said.out,
              AllOf(HasSubstr("app shop: no roll is open, 1 of 1 slots are served"), HasSubstr("nothing holds it up")));
  EXPECT_THAT(Do({"rollout", "explain", "shop"}).out, HasSubstr("app shop: no roll is open, 1 of 1 slots are served"));
  EXPECT_EQ(Do({"explain", "nope"}).status, kFailed);
  EXPECT_EQ(Do({"explain", "cell", "nope"}).status, kFailed);
  EXPECT_EQ(Do({"explain", "shop", "cell-1"}).status, kUsage);
  EXPECT_EQ(Do({"retire", "shop", "--wait", "--timeout", "soon"}).status, kUsage);
  EXPECT_THAT(Do({"explain", "cell", "cell-1"}).out, AllOf(HasSubstr("it does not drain"), Not(HasSubstr("slot"))));
}

// 5 seconds became 183: only some commands knew a time for the whole wait, the others took it for that of one call.
TEST_F(Waiting, EachCommandThatWaitsEndsInTimeWithWhatItWaitsFor) {
  const auto ends_in_time = [&](const std::vector<std::string>& words, const std::string& in, const std::string& why,
                                const std::string& undone) {
    const auto began = std::chrono::steady_clock::now();
    const Said said = Do(words, in);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10)) << words[0];
    EXPECT_EQ(said.status, kFailed) << words[0] << said.err;
    EXPECT_THAT(said.out, HasSubstr(why)) << words[0];
    EXPECT_THAT(said.err, HasSubstr(undone)) << words[0];
  };
  const std::string app =
      "guid: shop\ndomain: demo\ndefinition:\n  root_fs: 'host:'\n  ports: [8080]\n  action: {command: [/bin/x]}\n";
  ends_in_time({"apply", "-f", "-", "--wait", "--timeout", "3s"}, app, "unblocks:",
               " of app shop is not done after 3 s: ROLLING after ");
  ends_in_time({"rollout", "status", "shop", "--watch", "--timeout", "3.0"}, "", "unblocks:",
               " of app shop is not done after 3 s: ROLLING after ");
  ends_in_time({"--timeout", "3s", "rollout", "pause", "shop", "--watch"}, "", "resume", "is not done after 3 s: PAUSED");
  ends_in_time({"scale", "shop", "2", "--wait", "--timeout", "3s"}, "", "0 of 2 slots are served\n",
               "app shop is not done after 3 s: 0 of 2 slots are served");
  RunNext(*one);
  ends_in_time({"delete", "shop", "--wait", "--timeout", "3s"}, "",
               "app shop is deleted, and goes as its instances stop\n  slot 0: ", "app shop is not done after 3 s: ");
}

TEST_F(Waiting, AScaledAppIsWaitedForUntilEachSlotIsServed) {
  RunVersion1();
  std::jthread cell([&] { RunNext(*one); });
  const Said said = Do({"scale", "shop", "2", "--wait", "--timeout", "1m"});
  EXPECT_EQ(said.status, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("app shop scaled to 2\n"));
  EXPECT_THAT(said.out, HasSubstr("app shop: all 2 slots are served\n"));
}

// Does something as soon as that text was printed.
class Tripwire : public std::stringbuf {
 public:
  Tripwire(std::string text, std::function<void()> then) : text_(std::move(text)), then_(std::move(then)) {}

 private:
  int sync() override {
    if (then_ && str().find(text_) != std::string::npos) std::exchange(then_, nullptr)();
    return 0;
  }
  std::string text_;
  std::function<void()> then_;
};

// It was "no batond takes calls", exit status 3.
TEST_F(Waiting, ATimeThatIsOverBetweenTwoAppsEndsWithWhatIsNotApplied) {
  RunningService other;
  other.WaitForLead();
  const auto app = [](const std::string& guid) {
    return "---\nguid: " + guid + "\ndomain: test\ndefinition: {root_fs: 'host:', action: {command: /bin/x}}\n";
  };
  Tripwire tripwire("app one created", [&] { other.Stop(); });
  std::istringstream input(app("one") + app("two") + app("three"));
  std::ostream output(&tripwire);
  std::ostringstream errors;
  Io io{input, output, errors, nullptr, [] { return std::int64_t{1}; }};
  EXPECT_EQ(cli::Run({"--batond", other.address(), "apply", "-f", "-", "--wait", "--timeout", "2s"}, io), kFailed)
      << errors.str();
  EXPECT_THAT(tripwire.str(), AllOf(HasSubstr("app two: whether it is applied is not known: no batond takes calls"),
                                    HasSubstr("app three is not applied\n")));
  EXPECT_THAT(errors.str(), HasSubstr("apply is not done after 2 s: 1 of 3 apps are applied"));
}

TEST_F(Waiting, ATimeThatIsOverWhileBatondIsAwayEndsTheWaitAndSaysSo) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> waits{
      {"0 of 2 slots are served", {"scale", "shop", "2", "--wait", "--timeout", "2s"}},
      {"opened v1", {"apply", "-f", "-", "--wait", "--timeout", "2s"}}};
  for (const auto& [printed, words] : waits) {
    RunningService other;
    other.WaitForLead();
    const v2::DesireLRPRequest request = RunningService::SmallApp("shop");
    if (words[0] == "scale") {
      ASSERT_TRUE(other.Desire(request).ok());
    }
    Tripwire tripwire(printed, [&] { other.Stop(); });
    std::istringstream input("guid: shop\ndomain: test\ndefinition: {identifier: v1, root_fs: 'host:', action: {command: /bin/x}}\n");
    std::ostream output(&tripwire);
    std::ostringstream errors;
    Io io{input, output, errors, nullptr, [] { return std::int64_t{1}; }};
    std::vector<std::string> all{"--batond", other.address()};
    all.insert(all.end(), words.begin(), words.end());
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(cli::Run(all, io), kFailed) << errors.str();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20)) << words[0];
    EXPECT_THAT(tripwire.str(), HasSubstr("what it waits for is not known: no batond takes calls at " + other.address()));
    EXPECT_THAT(errors.str(), HasSubstr(" is not done after 2 s: "));
  }
}

}  // namespace
}  // namespace baton::cli
