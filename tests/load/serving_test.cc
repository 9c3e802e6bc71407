#include "tools/load/serving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace baton::load {
namespace {

using Answers = std::vector<SlotAnswer>;

TEST(ServingTest, CountsTheSlotsOfAWindow) {
  const Answers answers = {{100, 0}, {200, 1}, {300, 1}, {400, 2}};
  EXPECT_EQ(MinServing(answers, 0, 1000), 3);
}

TEST(ServingTest, AWindowTakesItsFirstMillisecondAndNotItsLast) {
  EXPECT_EQ(MinServing(Answers{{0, 0}, {999, 1}}, 0, 1000), 2);
  EXPECT_EQ(MinServing(Answers{{0, 0}, {1000, 1}}, 0, 1000), 1);
}

TEST(ServingTest, WithoutAnswersNobodyServes) { EXPECT_EQ(MinServing(Answers{}, 0, 1000), 0); }

TEST(ServingTest, LessThanAWindowTellsNothing) {
  EXPECT_EQ(MinServing(Answers{{100, 0}}, 0, 999), std::nullopt);
  EXPECT_EQ(MinServing(Answers{{100, 0}}, 500, 0), std::nullopt);
}

TEST(ServingTest, OneSlotMissingForASecondIsSeenWhereverItFalls) {
  // Slot 1 last answers at 1234 and again at 2235: the window [1235, 2235) is without it.
  const Answers answers = {{500, 0}, {1000, 1}, {1234, 1}, {1400, 0}, {2235, 1}, {2300, 0}, {3000, 1}};
  EXPECT_EQ(MinServing(answers, 500, 3000), 1);
}

TEST(ServingTest, OneSlotMissingForLessThanASecondIsNotSeen) {
  const Answers answers = {{500, 0}, {1000, 1}, {1234, 1}, {1400, 0}, {2234, 1}, {2300, 0}, {3000, 1}};
  EXPECT_EQ(MinServing(answers, 500, 3000), 2);
}

TEST(ServingTest, OnlyWindowsWithinTheRangeCount) {
  // Nothing is answered before 1000 and after 3000.
  const Answers answers = {{1000, 0}, {1000, 1}, {1500, 0}, {1500, 1}, {2000, 0}, {2000, 1}, {2500, 0}, {2500, 1}};
  EXPECT_EQ(MinServing(answers, 1000, 3000), 2);
  EXPECT_EQ(MinServing(answers, 0, 3000), 0);
  EXPECT_EQ(MinServing(answers, 1000, 3501), 0);
}

// The definition, word for word.
int EveryWindow(const Answers& answers, std::int64_t from_ms, std::int64_t to_ms) {
  std::size_t least = SIZE_MAX;
  for (std::int64_t start = from_ms; start + 1000 <= to_ms; ++start) {
    std::set<int> slots;
    for (const SlotAnswer& answer : answers) {
      if (answer.at_ms >= start && answer.at_ms < start + 1000) slots.insert(answer.index);
    }
    least = std::min(least, slots.size());
  }
  return static_cast<int>(least);
}

Answers RandomAnswers(std::mt19937& random) {
  std::uniform_int_distribution<int> count(0, 60), slot(0, 4), at_ms(0, 4000);
  Answers answers;
  for (int i = count(random); i > 0; --i) answers.push_back({at_ms(random), slot(random)});
  std::sort(answers.begin(), answers.end(), [](const SlotAnswer& a, const SlotAnswer& b) { return a.at_ms < b.at_ms; });
  return answers;
}

TEST(ServingTest, IsTheLeastOfAllWindows) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("SIM_SEED=" + std::to_string(seed));
    std::mt19937 random(seed);
    const Answers answers = RandomAnswers(random);
    std::uniform_int_distribution<std::int64_t> from(0, 2000), length(1000, 2500);
    const std::int64_t from_ms = from(random);
    const std::int64_t to_ms = from_ms + length(random);
    ASSERT_EQ(MinServing(answers, from_ms, to_ms), EveryWindow(answers, from_ms, to_ms));
  }
}

}  // namespace
}  // namespace baton::load
