#include "tools/demo/departure.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

constexpr std::int64_t kLoadStart = 1'700'000'000'000'000'000;
constexpr std::int64_t kMs = 1'000'000;

v2::Event Removed(const std::string& guid, std::int64_t at_ms, v2::Presence presence = v2::RETIRING) {
  v2::Event event;
  event.set_kind("actual_removed");
  event.set_at(kLoadStart + at_ms * kMs);
  event.mutable_actual_before()->set_presence(presence);
  event.mutable_actual_before()->mutable_instance_key()->set_instance_guid(guid);
  return event;
}

// Its last request was due at 5000 and answered at 5800.
load::InstanceSpans Seen(const std::string& guid) {
  return {{guid, {.version = "v1", .index = 3, .first_answer_ms = 10, .last_answer_ms = 5800, .last_due_ms = 5000}}};
}

TEST(Departure, DrainIsTheTrafficsAndWaitIsWhatComesAfterIt) {
  const auto departures = demo::DeparturesIn({Removed("a", 6100)}, Seen("a"), kLoadStart);
  ASSERT_EQ(departures.size(), 1u);
  EXPECT_EQ(departures[0].instance_guid, "a");
  EXPECT_EQ(departures[0].version, "v1");
  EXPECT_EQ(departures[0].index, 3);
  EXPECT_EQ(departures[0].drain_ms, 800);
  EXPECT_EQ(departures[0].wait_ms, 300);
  EXPECT_EQ(departures[0].gone_at, kLoadStart + 6100 * kMs);
}

TEST(Departure, DrainDoesNotGrowWithTheWait) {
  const auto departures = demo::DeparturesIn({Removed("a", 15'000)}, Seen("a"), kLoadStart);
  ASSERT_EQ(departures.size(), 1u);
  EXPECT_EQ(departures[0].drain_ms, 800);
  EXPECT_GT(departures[0].wait_ms, demo::kDrainWaitMostMs);
}

TEST(Departure, OnlyWhatWasRetiringAndHadAnsweredIsJudged) {
  v2::Event changed = Removed("a", 6100);
  changed.set_kind("actual_changed");
  EXPECT_TRUE(demo::DeparturesIn({changed}, Seen("a"), kLoadStart).empty());
  EXPECT_TRUE(demo::DeparturesIn({Removed("a", 6100, v2::SURGE)}, Seen("a"), kLoadStart).empty()) << "it crashed";
  EXPECT_TRUE(demo::DeparturesIn({Removed("a", 6100, v2::SUSPECT)}, Seen("a"), kLoadStart).empty())
      << "its cell was lost";
  EXPECT_TRUE(demo::DeparturesIn({Removed("b", 6100)}, Seen("a"), kLoadStart).empty()) << "it never answered";
}

TEST(Departure, TheLongestWaitOfAll) {
  EXPECT_FALSE(demo::LongestWaitMs({}));
  EXPECT_EQ(demo::LongestWaitMs({{.wait_ms = 200}, {.wait_ms = 310}, {.wait_ms = 90}}), 310);
}

}  // namespace
}  // namespace baton
