#include "orchestrator/base/uuid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace baton {
namespace {

TEST(Uuid, IsOfVersion4AndInLowerCase) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(RandomUuid(),
                ::testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  }
}

TEST(Uuid, IsAnotherWithEachCallOnEachThread) {
  constexpr int kEach = 1000;
  std::vector<std::vector<std::string>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& own : made) {
      threads.emplace_back([&own] {
        for (int i = 0; i < kEach; ++i) own.push_back(RandomUuid());
      });
    }
  }
  std::set<std::string> all;
  for (const auto& own : made) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), made.size() * kEach);
}

}  // namespace
}  // namespace baton
