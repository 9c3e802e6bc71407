// What is counted, where it is bounded, and when it is written down.
#include "orchestrator/app/calls/api_usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <set>

#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

const ApiMethod kPing{"v1", "Ping.Ping"};
const ApiMethod kWatch{"v2", "Rolls.WatchRoll"};

class CountingMetrics final : public Metrics {
 public:
  void Count(std::string_view, std::string_view label, double by) override {
    const std::lock_guard lock(mutex_);
    of_[std::string(label)] += by;
  }
  void Set(std::string_view, double, std::string_view) override {}
  void Observe(std::string_view, double, std::string_view) override {}
  double Of(const std::string& label) {
    const std::lock_guard lock(mutex_);
    return of_[label];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, double> of_;
};

// Adds up what it is given. Of the usage's thread alone until that is asked.
class Book final : public ApiUsageStore {
 public:
  Result<bool> Add(const std::vector<ApiCalls>& calls) override {
    if (away) return Error{ErrorKind::kUnavailable, "away", {}};
    if (!has_place) return false;
    for (const ApiCalls& one : calls) {
      EXPECT_GE(one.first_ago, one.last_ago);
      EXPECT_GE(one.last_ago, Duration(0));
      written[one.method.name + " by " + one.caller] += one.calls;
    }
    return true;
  }
  Result<std::vector<ApiUse>> Read() override { return std::vector<ApiUse>(); }

  std::int64_t Total() const {
    std::int64_t total = 0;
    for (const auto& [name, calls] : written) total += calls;
    return total;
  }

  bool away = false;
  bool has_place = true;
  std::map<std::string, std::int64_t> written;
};

class CountedUse : public ::testing::Test {
 protected:
  // By way of its thread: everything before is written down, or cannot be.
  Result<ApiUsage::Report> Look() {
    std::promise<Result<ApiUsage::Report>> answer;
    usage.Look([&](const Result<ApiUsage::Report>& report) { answer.set_value(report); });
    return answer.get_future().get();
  }
  void Count(const ApiMethod& method, const std::string& caller, int times = 1) {
    for (int i = 0; i < times; ++i) usage.Count(method, caller);
  }

  Book book;
  SilentLog log;
  CountingMetrics metrics;
  ApiUsage usage{book, log, metrics, {.every = std::chrono::hours(1), .rows_max = 3}};
};

using ::testing::ElementsAre;
using ::testing::Pair;

TEST_F(CountedUse, IsAddedUpByMethodAndCallerAndWrittenOnce) {
  usage.Lead();
  Count(kPing, "capi", 2);
  Count(kPing, "curl");
  Count(kWatch, "capi");
  ASSERT_TRUE(Look());
  ASSERT_TRUE(Look());
  EXPECT_THAT(book.written,
              ElementsAre(Pair("Ping.Ping by capi", 2), Pair("Ping.Ping by curl", 1), Pair("Rolls.WatchRoll by capi", 1)));
  EXPECT_EQ(metrics.Of("v1 Ping.Ping"), 3);
}

TEST_F(CountedUse, CallersBeyondTheBoundAreCountedTogether) {
  usage.Lead();
  for (int i = 0; i < 1000; ++i) Count(kPing, "caller-" + std::to_string(i), 2);
  ASSERT_TRUE(Look());
  EXPECT_LE(book.written.size(), 4u);
  EXPECT_GE(book.written["Ping.Ping by other"], 1994);
  EXPECT_EQ(book.Total(), 2000);
}

// Also where they pile up over many tries.
TEST_F(CountedUse, CallersBeyondTheBoundAreCountedTogetherWhileNothingIsWritten) {
  usage.Lead();
  book.away = true;
  for (int i = 0; i < 10; ++i) {
    Count(kPing, "caller-" + std::to_string(i));
    EXPECT_FALSE(Look());
  }
  book.away = false;
  ASSERT_TRUE(Look());
  EXPECT_LE(book.written.size(), 4u);
  EXPECT_GE(book.written["Ping.Ping by other"], 7);
  EXPECT_EQ(book.Total(), 10);
}

TEST_F(CountedUse, WhatCouldNotBeWrittenIsWrittenLater) {
  usage.Lead();
  Count(kPing, "capi", 2);
  book.away = true;
  const auto refused = Look();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  Count(kPing, "capi");
  book.away = false;
  ASSERT_TRUE(Look());
  EXPECT_THAT(book.written, ElementsAre(Pair("Ping.Ping by capi", 3)));
  EXPECT_EQ(metrics.Of("v1 Ping.Ping"), 3);
}

TEST_F(CountedUse, WithoutAPlaceItIsToldFromMemoryAndWrittenWhereOneComes) {
  usage.Lead();
  book.has_place = false;
  Count(kPing, "curl");
  Count(kPing, "capi", 2);
  const auto report = Look();
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->stored);
  ASSERT_EQ(report->uses.size(), 2u);
  EXPECT_EQ(report->uses[0].caller, "capi");
  EXPECT_EQ(report->uses[0].calls, 2);
  EXPECT_LE(report->uses[0].first_at, report->uses[0].last_at);
  book.has_place = true;
  ASSERT_TRUE(Look());
  EXPECT_EQ(book.written["Ping.Ping by capi"], 2);
}

TEST_F(CountedUse, OnlyWhoeverLeadsKeepsItsCallsAndTheMetricHasAll) {
  Count(kPing, "before");
  EXPECT_FALSE(Look()) << "it does not lead";
  usage.Lead();
  Count(kPing, "capi");
  usage.Follow();
  Count(kPing, "after");
  usage.Lead();
  ASSERT_TRUE(Look());
  EXPECT_THAT(book.written, ElementsAre(Pair("Ping.Ping by capi", 1)));
  EXPECT_EQ(metrics.Of("v1 Ping.Ping"), 3);
}

TEST_F(CountedUse, SettlingWritesWhatIsCounted) {
  usage.Lead();
  Count(kWatch, "capi");
  usage.Settle(seconds(10));
  usage.Stop();
  EXPECT_THAT(book.written, ElementsAre(Pair("Rolls.WatchRoll by capi", 1)));
  EXPECT_FALSE(Look()) << "stopped";
}

}  // namespace
}  // namespace baton
