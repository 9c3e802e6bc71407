// Which connections end, by how many there are and what they hold.
#include "orchestrator/bounds/connection_book.h"

#include <gmock/gmock.h>

namespace baton::bounds {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::StrEq;

auto Is(const std::string& peer, const char* why) { return AllOf(Field(&CutOff::peer, peer), Field(&CutOff::why, StrEq(why))); }

class ConnectionBookTest : public ::testing::Test {
 protected:
  static KnownConnection Of(const std::string& who, std::int64_t id, bool of_machine = false) {
    return {{id, "p" + std::to_string(id)}, who, of_machine};
  }
  ConnectionBook book{
      {.all = 5, .of_caller = 2, .of_machine = 1, .handshakes = 2, .held_max = 100, .cancelled_max = 10}};
  ConnectionBook::Time now{std::chrono::hours(1)};
};

TEST_F(ConnectionBookTest, TheYoungestBeyondACallersShareEnd) {
  EXPECT_THAT(book.TooMany({Of("controller/a", 1), Of("controller/a", 2), Of("controller/b", 3)}), IsEmpty());
  const auto cut = book.TooMany({Of("controller/a", 1), Of("controller/a", 2), Of("controller/b", 3), Of("controller/a", 4)});
  ASSERT_THAT(cut, ElementsAre(Is("p4", "identity connections")));
  EXPECT_EQ(cut[0].limit, "2 connections of one caller (--identity-connections)");
  const auto of_cell = book.TooMany({Of("cell/c", 1, true), Of("cell/c", 2, true)});
  ASSERT_THAT(of_cell, ElementsAre(Is("p2", "identity connections")));
  EXPECT_EQ(of_cell[0].limit, "1 connections of one caller (--machine-connections)");
}

TEST_F(ConnectionBookTest, AndTheYoungestOfAll) {
  std::vector<KnownConnection> all;
  for (int id = 1; id <= 7; ++id) all.push_back(Of("", id));
  const auto cut = book.TooMany(all);
  ASSERT_THAT(cut, ElementsAre(Is("p6", "connections"), Is("p7", "connections")));
  EXPECT_EQ(cut[0].limit, "5 connections (--connections-most)");
}

TEST_F(ConnectionBookTest, TheOldestHandshakesEnd) {
  EXPECT_THAT(book.Unfinished({"a", "b"}, {}, now), IsEmpty());
  EXPECT_THAT(book.Unfinished({"a", "b", "p1"}, {Of("", 1)}, now + seconds(1)), IsEmpty()) << "one that is over is none";
  EXPECT_THAT(book.Unfinished({"c", "b", "a"}, {}, now + seconds(2)), ElementsAre(Is("a", "handshakes")));
  EXPECT_THAT(book.Unfinished({"c", "d"}, {}, now + seconds(3)), IsEmpty()) << "those that went are forgotten";
}

TEST_F(ConnectionBookTest, CallsThatHoldMemoryAreBounded) {
  EXPECT_FALSE(book.Flood(Of("", 1), {.calls_held = 100}, 0, now));
  const auto cut = book.Flood(Of("admin/x", 1), {.calls_held = 101}, 0, now);
  ASSERT_TRUE(cut);
  EXPECT_THAT(*cut, Is("p1", "calls held"));
  EXPECT_EQ(cut->who, "admin/x");
}

// A caller that began anew as soon as it was cut off took half a gigabyte in calls that were not free yet.
TEST_F(ConnectionBookTest, WhileEndedConnectionsHoldMemoryANewOneMayHoldLittle) {
  ConnectionBook of_many({.held_max = 1000, .cancelled_max = 10});
  EXPECT_FALSE(of_many.Flood(Of("", 1), {.calls_held = 101}, 1000, now));
  EXPECT_FALSE(of_many.Flood(Of("", 1), {.calls_held = 100}, 1001, now));
  const auto cut = of_many.Flood(Of("", 1), {.calls_held = 101}, 1001, now + seconds(9));
  ASSERT_TRUE(cut);
  EXPECT_THAT(*cut, Is("p1", "calls held"));
  EXPECT_FALSE(of_many.Flood(Of("", 1), {.calls_held = 101}, 1001, now + seconds(10))) << "it is no new one";
  EXPECT_TRUE(of_many.Flood(Of("", 1), {.calls_held = 1001}, 0, now + seconds(10)));
}

TEST_F(ConnectionBookTest, CancelsAreCountedFromTheFirstLookOnAndByTheTimeThatPassed) {
  EXPECT_FALSE(book.Flood(Of("", 1), {.calls_cancelled = 5000}, 0, now)) << "of an old connection";
  EXPECT_FALSE(book.Flood(Of("", 1), {.calls_cancelled = 5010}, 0, now + seconds(9)));
  EXPECT_TRUE(book.Flood(Of("", 1), {.calls_cancelled = 5011}, 0, now + seconds(9)));
  EXPECT_FALSE(book.Flood(Of("", 2), {.calls_cancelled = 0}, 0, now));
  EXPECT_FALSE(book.Flood(Of("", 2), {.calls_cancelled = 30}, 0, now + seconds(30)));
  EXPECT_FALSE(book.Flood(Of("", 2), {.calls_cancelled = 40}, 0, now + seconds(31))) << "another window";
  EXPECT_TRUE(book.Flood(Of("", 2), {.calls_cancelled = 41}, 0, now + seconds(32)));
  book.Forget({});
  EXPECT_FALSE(book.Flood(Of("", 2), {.calls_cancelled = 90}, 0, now + seconds(32)));
}

// --cancels-most 30 was held from 500 on.
TEST_F(ConnectionBookTest, ALookComesBeforeALimitIsReached) {
  EXPECT_EQ(book.suspicious(), 5);
  EXPECT_EQ(ConnectionBook({.cancelled_max = 1}).suspicious(), 0);
  EXPECT_EQ(ConnectionBook({.cancelled_max = 1'000'000}).suspicious(), 500);
}

}  // namespace
}  // namespace baton::bounds
