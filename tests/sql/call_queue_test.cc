// Who waits for a writer, for how long, and who is refused.
#include "sql/store/call_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/fakes/test_call.h"

namespace baton {
namespace {

constexpr Priority kBoth[] = {Priority::kRolls, Priority::kCallers};
const CallQueue::Clock::time_point kStart{};

TestCall CallOf(Priority priority, const std::string& app, int number = 0) {
  return {{.guid = ProcessGuid(app), .request_id = std::to_string(number), .priority = priority}};
}

std::vector<std::string> Apps(const AppCommands& calls) {
  std::vector<std::string> apps;
  for (const auto& call : calls) apps.push_back(call->header().guid.str());
  return apps;
}

Priority UrgencyOf(const std::unique_ptr<AppCommand>& call) { return call->header().priority; }

// With the time at a hand, and small.
class TestedQueue {
 public:
  static constexpr CallQueue::Limits kLimits = {
      .batch = 8, .callers_min = 3, .app_in_batch = 2, .waiting = 40, .waiting_of_app = 10};
  static CallQueue::Limits OfTwoWriters() {
    CallQueue::Limits limits = kLimits;
    return limits.writers = 2, limits;
  }
  explicit TestedQueue(CallQueue::Limits limits = kLimits) : queue(limits) {}

  std::optional<CallQueue::Refusal> Put(Priority priority, const std::string& app) {
    std::unique_ptr<AppCommand> call = CallOf(priority, app, ++number_);
    return queue.Put(call, now);
  }
  int PutMany(int count, Priority priority, const std::string& app) {
    int taken = 0;
    for (int i = 0; i < count; ++i) taken += Put(priority, app) ? 0 : 1;
    return taken;
  }
  CallQueue::Taken Take() { return queue.Take(now); }
  // Batches that take so long each.
  void Batches(int count, Duration each) {
    for (int i = 0; i < count; ++i) {
      queue.Take(now);
      now += each;
      queue.Finished(now);
    }
  }

  CallQueue queue;
  CallQueue::Clock::time_point now = kStart;

 private:
  int number_ = 0;
};

TEST(CallQueue, AnAppThatWaitsAloneIsTakenWithTheNextBatchHoweverMuchAnotherIsWritten) {
  TestedQueue tested;
  tested.PutMany(10, Priority::kCallers, "busy");
  tested.Put(Priority::kCallers, "calm");
  EXPECT_EQ(Apps(tested.Take().calls), (std::vector<std::string>{"busy", "calm", "busy"}));
}

TEST(CallQueue, AnAppThatHadItsPartOfABatchSitsTheNextOneOutWhereOthersWait) {
  TestedQueue tested;
  tested.PutMany(10, Priority::kCallers, "busy");
  EXPECT_EQ(tested.Take().calls.size(), 2U);
  tested.Put(Priority::kCallers, "calm");
  EXPECT_EQ(Apps(tested.Take().calls), (std::vector<std::string>{"calm"}));
  EXPECT_EQ(Apps(tested.Take().calls), (std::vector<std::string>{"busy", "busy"}));
  EXPECT_EQ(Apps(tested.Take().calls), (std::vector<std::string>{"busy", "busy"})) << "nobody else waits";
}

TEST(CallQueue, WhatDrivesRollsIsTakenFirst) {
  TestedQueue tested;
  tested.Put(Priority::kCallers, "asked");
  tested.Put(Priority::kRolls, "rolls");
  EXPECT_EQ(Apps(tested.Take().calls), (std::vector<std::string>{"rolls", "asked"}));
}

TEST(CallQueue, CallersHaveTheirPartOfABatchHoweverManyAppsRoll) {
  TestedQueue tested;
  for (int i = 0; i < 20; ++i) tested.Put(Priority::kRolls, "roll-" + std::to_string(i));
  for (int i = 0; i < 20; ++i) tested.Put(Priority::kCallers, "app-" + std::to_string(i));
  const auto calls = tested.Take().calls;
  EXPECT_EQ(calls.size(), 8U);
  EXPECT_EQ(std::ranges::count(calls, Priority::kCallers, UrgencyOf), 3);
}

TEST(CallQueue, WhatDrivesRollsIsNotRefusedBecauseOfCallersOrASlowDatabase) {
  TestedQueue tested;
  for (int i = 0; i < 60; ++i) tested.Put(Priority::kCallers, "app-" + std::to_string(i));
  EXPECT_EQ(tested.queue.size(Priority::kCallers), 40U);
  tested.Take();
  tested.now += std::chrono::minutes(1);
  EXPECT_EQ(tested.PutMany(40, Priority::kRolls, "app-1"), 40);
  EXPECT_EQ(tested.Put(Priority::kRolls, "app-1")->why, CallQueue::Why::kFull) << "it has a bound of its own";
}

TEST(CallQueue, OneAppDoesNotFillIt) {
  TestedQueue tested;
  EXPECT_EQ(tested.PutMany(11, Priority::kCallers, "busy"), 10);
  EXPECT_EQ(tested.Put(Priority::kCallers, "busy")->why, CallQueue::Why::kFullOfApp);
  EXPECT_FALSE(tested.Put(Priority::kCallers, "calm"));
}

TEST(CallQueue, ACallThatWouldWaitTooLongIsRefusedAndTellsHowLong) {
  TestedQueue tested;
  tested.Batches(40, seconds(1));
  tested.Take();
  // Two of them are taken with each batch, of a second each: five are before the eighth.
  EXPECT_EQ(tested.PutMany(10, Priority::kCallers, "busy"), 10);
  TestedQueue slow;
  slow.Batches(40, seconds(2));
  slow.Take();
  EXPECT_EQ(slow.PutMany(10, Priority::kCallers, "busy"), 4);
  const auto refusal = slow.Put(Priority::kCallers, "busy");
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->why, CallQueue::Why::kSlow);
  EXPECT_GE(refusal->again, milliseconds(5900));
  EXPECT_LT(refusal->again, seconds(12));
  EXPECT_FALSE(slow.Put(Priority::kCallers, "calm")) << "its turn comes sooner";
}

// Held until its caller gave up, it would have taken a place, and its caller would know nothing of when to come again.
TEST(CallQueue, ACallWhoseDeadlineWouldPassBeforeItsTurnIsRefusedAndTellsHowLong) {
  TestedQueue tested;
  tested.Batches(40, seconds(1));
  const auto put = [&](Priority priority, Duration patience) {
    std::unique_ptr<AppCommand> call = TestCall{{.guid = ProcessGuid("a"), .priority = priority, .patience = patience}};
    return tested.queue.Put(call, tested.now);
  };
  EXPECT_FALSE(put(Priority::kCallers, milliseconds(10))) << "nothing is under way: it is taken at once";
  tested.Take();
  const auto refusal = put(Priority::kCallers, milliseconds(990));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->why, CallQueue::Why::kDeadline);
  EXPECT_GE(refusal->again, milliseconds(995));
  EXPECT_LT(refusal->again, seconds(2));
  EXPECT_TRUE(put(Priority::kCallers, Duration(-1))) << "it has passed";
  EXPECT_FALSE(put(Priority::kCallers, milliseconds(1010)));
  EXPECT_FALSE(put(Priority::kRolls, milliseconds(10))) << "what drives rolls is never refused for it";
}

TEST(CallQueue, ADatabaseThatStandsStillIsSlowBeforeItHasAnswered) {
  TestedQueue tested;
  tested.Take();
  EXPECT_FALSE(tested.Put(Priority::kCallers, "a"));
  tested.now += milliseconds(5100);
  EXPECT_EQ(tested.Put(Priority::kCallers, "b")->why, CallQueue::Why::kSlow);
  tested.queue.Finished(tested.now);
  EXPECT_FALSE(tested.Put(Priority::kCallers, "b")) << "nothing is under way: it is taken at once";
}

TEST(CallQueue, HintsOfThoseRefusedTogetherAreSpread) {
  TestedQueue tested;
  tested.Take();
  tested.now += seconds(10);
  std::set<Duration> hints;
  for (int i = 0; i < 8; ++i) hints.insert(tested.Put(Priority::kCallers, "app")->again);
  EXPECT_EQ(hints.size(), 8U);
  EXPECT_EQ(*hints.begin(), seconds(10));
  EXPECT_LT(*hints.rbegin(), seconds(20));
}

TEST(CallQueue, WhatNobodyWaitsForAnyMoreIsNotDoneAndTakesNobodysPlace) {
  TestedQueue tested;
  bool gone = false;
  for (int i = 0; i < 4; ++i) {
    TestCall asked = CallOf(Priority::kCallers, "app-" + std::to_string(i));
    if (i < 3) asked.abandoned = [&gone] { return gone; };
    std::unique_ptr<AppCommand> call = std::move(asked);
    ASSERT_FALSE(tested.queue.Put(call, tested.now));
  }
  for (int i = 0; i < 8; ++i) tested.Put(Priority::kRolls, "roll-" + std::to_string(i));
  gone = true;
  const auto taken = tested.Take();
  EXPECT_EQ(taken.abandoned.size(), 3U);
  EXPECT_EQ(Apps(taken.calls).back(), "app-3");
}

// Its commit may have been done: the caller's patience is not asked any more.
TEST(CallQueue, WhatIsPutBackIsTakenWhoeverStillWaitsForIt) {
  TestedQueue tested;
  bool gone = false;
  TestCall asked = CallOf(Priority::kCallers, "app");
  asked.abandoned = [&gone] { return gone; };
  std::unique_ptr<AppCommand> call = std::move(asked);
  ASSERT_FALSE(tested.queue.Put(call, tested.now));
  tested.queue.PutBack(tested.Take().calls);
  gone = true;
  EXPECT_EQ(tested.Take().calls.size(), 1U);
}

// The order of its calls would be anybody's otherwise.
TEST(CallQueue, AnAppIsWithOneWriterAtATime) {
  TestedQueue tested(TestedQueue::OfTwoWriters());
  tested.PutMany(3, Priority::kCallers, "a");
  EXPECT_EQ(tested.Take().calls.size(), 2U);
  EXPECT_EQ(tested.queue.ready(1), 0U) << "the third is its first writer's";
  EXPECT_EQ(tested.queue.ready(0), 1U);
  tested.Put(Priority::kRolls, "a");
  tested.Put(Priority::kCallers, "b");
  EXPECT_EQ(tested.queue.ready(1), 1U);
  EXPECT_EQ(Apps(tested.queue.Take(tested.now, 1).calls), (std::vector<std::string>{"b"}));
  EXPECT_EQ(Apps(tested.queue.Take(tested.now, 1).calls), (std::vector<std::string>{}));
  tested.queue.Finished(tested.now, 0);
  EXPECT_EQ(tested.queue.ready(1), 2U);
  EXPECT_EQ(Apps(tested.queue.Take(tested.now, 1).calls), (std::vector<std::string>{"a", "a"}));
}

// Its commit is in doubt: nobody else may tell of the app before what became of it is told.
TEST(CallQueue, AnAppThatIsKeptIsTakenByItsWriterAlone) {
  TestedQueue tested(TestedQueue::OfTwoWriters());
  tested.Put(Priority::kCallers, "a");
  AppCommands calls = tested.Take().calls;
  tested.queue.PutBack(std::move(calls));
  tested.queue.Finished(tested.now, 0, {ProcessGuid("a")});
  EXPECT_EQ(tested.queue.ready(1), 0U);
  EXPECT_EQ(tested.queue.Take(tested.now, 1).calls.size(), 0U);
  EXPECT_EQ(Apps(tested.Take().calls), (std::vector<std::string>{"a"}));
  tested.queue.Finished(tested.now, 0);
  tested.Put(Priority::kCallers, "a");
  EXPECT_EQ(tested.queue.Take(tested.now, 1).calls.size(), 1U);
}

TEST(CallQueue, WhoWaitsForHisTurnIsToldOfTheFirstCallAndOfMany) {
  TestedQueue tested(TestedQueue::OfTwoWriters());
  const auto news = [&](const std::string& app) {
    EXPECT_FALSE(tested.Put(Priority::kCallers, app));
    return tested.queue.IsNews(ProcessGuid(app), /*much=*/4);
  };
  EXPECT_TRUE(news("a"));
  tested.queue.Take(tested.now, 0);
  EXPECT_FALSE(news("a") || tested.queue.HasFree()) << "its writer will look";
  EXPECT_TRUE(news("b"));
  EXPECT_FALSE(news("c") || news("d"));
  EXPECT_TRUE(news("e") && news("f") && tested.queue.HasFree());
  tested.queue.Finished(tested.now, 0, {ProcessGuid("a")});
  EXPECT_TRUE(news("a")) << "its writer does nothing now";
}

// One batch waits for a row that somebody has locked; the other writer goes on.
TEST(CallQueue, ABatchThatStandsStillMakesNobodyWaitWhomAnotherWriterTakes) {
  TestedQueue tested(TestedQueue::OfTwoWriters());
  tested.Put(Priority::kCallers, "stuck");
  tested.Take();
  tested.now += seconds(6);
  EXPECT_FALSE(tested.Put(Priority::kCallers, "a")) << "a writer is free";
  tested.queue.Take(tested.now, 1);
  tested.now += milliseconds(5);
  EXPECT_FALSE(tested.Put(Priority::kCallers, "b")) << "one of them is about to be";
  EXPECT_EQ(tested.Put(Priority::kCallers, "stuck")->why, CallQueue::Why::kSlow);
}

using Line = std::pair<Priority, std::string>;

// What is to be seen of a queue from outside.
struct Model {
  std::map<Line, std::deque<int>> waiting;  // what was put and not taken yet
  std::set<Line> resting;                   // had their part of the last batch, and have more

  std::size_t CanBeTaken(Priority priority) const {
    std::size_t count = 0;
    for (const auto& [key, line] : waiting) {
      if (key.first == priority && !resting.contains(key))
        count += std::min(line.size(), TestedQueue::kLimits.app_in_batch);
    }
    return count;
  }
  void RestOnlyWhereOthersWait() {
    if (CanBeTaken(Priority::kRolls) + CanBeTaken(Priority::kCallers) == 0) resting.clear();
  }
  void Take(const AppCommands& calls) {
    std::map<Line, std::size_t> taken;
    for (const auto& one : calls) {
      const CommandHeader& call = one->header();
      const Line key{call.priority, call.guid.str()};
      auto& line = waiting[key];
      const bool in_order = !line.empty() && std::to_string(line.front()) == call.request_id;
      RC_ASSERT(in_order);
      line.pop_front();
      ++taken[key];
    }
    for (const auto& [key, line] : waiting) {
      const bool in_time = line.empty() || taken.contains(key) || resting.contains(key);
      RC_ASSERT(in_time);  // there are no more apps than places
    }
    resting.clear();
    for (const auto& [key, count] : taken) {
      if (count == TestedQueue::kLimits.app_in_batch && !waiting[key].empty()) resting.insert(key);
    }
  }
};

void CheckShares(const Model& model, const AppCommands& calls) {
  const CallQueue::Limits limits = TestedQueue::kLimits;
  const std::size_t rolls = model.CanBeTaken(Priority::kRolls);
  const std::size_t callers = model.CanBeTaken(Priority::kCallers);
  const std::size_t callers_min = std::min(callers, limits.callers_min);
  const std::size_t rolls_min = std::min(rolls, limits.batch - limits.callers_min);
  const auto of_callers = static_cast<std::size_t>(std::ranges::count(calls, Priority::kCallers, UrgencyOf));
  RC_ASSERT(calls.size() <= limits.batch);
  RC_ASSERT(of_callers >= callers_min);
  RC_ASSERT(calls.size() - of_callers >= rolls_min);
  const bool rolls_first = std::ranges::is_sorted(calls, {}, UrgencyOf);
  RC_ASSERT(rolls_first);
}

RC_GTEST_PROP(CallQueues, KeepTheOrderOfAnAppTheTurnsOfAllAndTheirBounds, ()) {
  TestedQueue tested;
  Model model;
  for (int number = 0; number < 200; ++number) {
    if (*rc::gen::inRange(0, 8) != 0) {
      const Priority priority = *rc::gen::element(Priority::kRolls, Priority::kCallers);
      const std::string app = "app-" + std::to_string(*rc::gen::element(0, 0, 0, 1, 2));
      std::unique_ptr<AppCommand> call = CallOf(priority, app, number);
      if (!tested.queue.Put(call, tested.now)) model.waiting[{priority, app}].push_back(number);
    } else {
      auto calls = tested.Take().calls;
      model.RestOnlyWhereOthersWait();
      CheckShares(model, calls);
      model.Take(calls);
      if (*rc::gen::inRange(0, 4) == 0) {
        for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
          const CommandHeader& header = (*call)->header();
          model.waiting[{header.priority, header.guid.str()}].push_front(std::stoi(header.request_id));
        }
        tested.queue.PutBack(std::move(calls));
      }
      tested.queue.Finished(tested.now);
    }
    const std::size_t put_back = TestedQueue::kLimits.batch;
    for (const Priority priority : kBoth)
      RC_ASSERT(tested.queue.size(priority) <= TestedQueue::kLimits.waiting + put_back);
    for (const auto& [key, line] : model.waiting) {
      const bool bounded =
          key.first == Priority::kRolls || line.size() <= TestedQueue::kLimits.waiting_of_app + put_back;
      RC_ASSERT(bounded);
    }
  }
}

RC_GTEST_PROP(CallQueues, OfSeveralWritersKeepTheOrderOfAnAppAndLoseNothing, ()) {
  constexpr std::size_t kWriters = 3;
  CallQueue::Limits limits = TestedQueue::kLimits;
  limits.writers = kWriters;
  TestedQueue tested(limits);
  std::map<Line, std::deque<int>> waiting;
  std::map<std::size_t, std::set<std::string>> under_way;
  for (int number = 0; number < 300; ++number) {
    if (*rc::gen::inRange(0, 3) != 0) {
      const Priority priority = *rc::gen::element(Priority::kRolls, Priority::kCallers);
      const std::string app = "app-" + std::to_string(*rc::gen::inRange(0, 5));
      std::unique_ptr<AppCommand> call = CallOf(priority, app, number);
      if (!tested.queue.Put(call, tested.now)) waiting[{priority, app}].push_back(number);
    } else {
      const std::size_t writer = *rc::gen::inRange<std::size_t>(0, kWriters);
      if (under_way.contains(writer)) {
        tested.queue.Finished(tested.now, writer);
        under_way.erase(writer);
      } else {
        for (const auto& call : tested.queue.Take(tested.now, writer).calls) {
          const std::string app = call->header().guid.str();
          auto& line = waiting[{call->header().priority, app}];
          RC_ASSERT(!line.empty());
          RC_ASSERT(std::to_string(line.front()) == call->header().request_id);
          line.pop_front();
          for (const auto& [other, apps] : under_way) RC_ASSERT(other == writer || !apps.contains(app));
          under_way[writer].insert(app);
        }
        under_way.try_emplace(writer);
      }
    }
    for (std::size_t writer = 0; writer < kWriters; ++writer) {
      std::size_t ready = 0;
      for (const auto& [line, calls] : waiting) {
        const bool with_another = std::ranges::any_of(under_way, [&, app = line.second](const auto& one) {
          return one.first != writer && one.second.contains(app);
        });
        ready += with_another ? 0 : calls.size();
      }
      RC_ASSERT(tested.queue.ready(writer) == ready);
    }
  }
}

}  // namespace
}  // namespace baton
