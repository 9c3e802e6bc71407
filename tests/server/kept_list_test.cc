// What is kept of a list is what is there: over rows that come, go and change between two readings and within one,
// however small its memory is and however old it gets.
#include "orchestrator/server/lists/kept_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <thread>

#include "tests/fakes/no_metrics.h"
#include "tests/server/counted_table.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kRows = 8;  // of a chunk

class KeptListTest : public ::testing::Test {
 protected:
  KeptListTest() { memory_.bytes_max = std::size_t{1} << 20; }

  void Fill(int count) {
    for (int i = 0; i < count; ++i) table_.Write(Guid(i), "first");
  }
  // From the list's begin to its end.
  ListedRows All() {
    ListedRows all;
    ListPlace after;
    for (bool last = false; !last;) {
      const auto next = list_.Read(table_, after, now_);
      EXPECT_TRUE(next);
      EXPECT_LE(next->rows.size(), static_cast<std::size_t>(kRows));
      all.insert(all.end(), next->rows.begin(), next->rows.end());
      EXPECT_TRUE(next->last || next->after > after) << "it goes on";
      after = next->after;
      last = next->last;
    }
    return all;
  }
  void ExpectAll(const std::string& after) {
    table_.read = table_.since = table_.written = 0;
    EXPECT_TRUE(All() == table_.Rows()) << after;
    EXPECT_LE(list_.rows(), static_cast<std::int64_t>(table_.Rows().size())) << "each row once, after " << after;
  }

  CountedTable table_;
  ListMemory memory_;
  NoMetrics metrics_;
  KeptList list_{memory_, metrics_, kRows};
  KeptList::Clock::time_point now_{};
};

TEST_F(KeptListTest, OfWhatWasNotWrittenNothingIsReadAgain) {
  Fill(30);
  ExpectAll("the first time");
  EXPECT_EQ(table_.read, 4);
  ExpectAll("the second time");
  EXPECT_EQ(table_.read, 0);
  EXPECT_EQ(table_.since, 4);
  EXPECT_EQ(table_.written, 0);
}

TEST_F(KeptListTest, OneThatWasWrittenIsReadAndNoOther) {
  Fill(30);
  ExpectAll("the first time");
  table_.Write(Guid(12), "second");
  ExpectAll("after a write");
  EXPECT_EQ(table_.written, 1);
  ExpectAll("once more");
  EXPECT_EQ(table_.written, 0);
  table_.Write(Guid(12), "third");
  table_.Remove(Guid(20));
  table_.Write(Guid(12) + "-new", "new");
  ExpectAll("after writes");
  EXPECT_EQ(table_.read, 0);
  EXPECT_EQ(table_.written, 2);
  ExpectAll("once more");
  EXPECT_EQ(table_.written, 0);
}

TEST_F(KeptListTest, AChunkThatGrewTooLargeIsTwo) {
  Fill(30);
  ExpectAll("the first time");
  for (int i = 0; i < kRows; ++i) table_.Write(Guid(4) + "-" + std::to_string(i), "new");
  ExpectAll("with twice as many");
  EXPECT_EQ(table_.read, 0);
}

// One that is read whole moves no other.
TEST_F(KeptListTest, AChunkThatGrewByMoreThanIsReadAtOnceIsReadWholeAndNoOtherIs) {
  Fill(30 * kRows);
  ExpectAll("the first time");
  for (int i = 0; i < 3 * kRows + 3; ++i) table_.Write(Guid(5) + "-" + std::to_string(100 + i), "new");
  ExpectAll("with many more");
  EXPECT_LE(table_.read, 5);
  ExpectAll("once more");
  EXPECT_EQ(table_.read, 0);
}

// Else a list of which most is gone would be as many reads as before.
TEST_F(KeptListTest, ChunksOfFewRowsBecomeOne) {
  Fill(30 * kRows);
  ExpectAll("the first time");
  for (int i = 0; i < 30 * kRows; ++i) {
    if (i % 10 != 0) table_.Remove(Guid(i));
  }
  ExpectAll("most are removed");
  ExpectAll("they are joined");
  ExpectAll("and again");
  ExpectAll("and stay so");
  EXPECT_LE(table_.since, 10) << "24 rows are left";
  EXPECT_EQ(table_.read, 0);
}

TEST_F(KeptListTest, TheEndOfTheListGrows) {
  ExpectAll("empty");
  table_.Write("z", "first");
  ExpectAll("the first one");
  for (int i = 0; i < 3 * kRows; ++i) table_.Write("z-" + std::to_string(10 + i), "new");
  ExpectAll("more than a chunk has");
  table_.Remove("z");
  ExpectAll("without the first one");
}

TEST_F(KeptListTest, AnotherStoreIsReadWhole) {
  Fill(30);
  ExpectAll("the first time");
  table_.BecomeAnother();
  ExpectAll("another one");
  EXPECT_EQ(table_.read, 4);
}

TEST_F(KeptListTest, WhatIsOldIsReadAgainAndNotAllOfItAtOnce) {
  Fill(40 * kRows);
  ExpectAll("the first time");
  int most = 0;
  int all = 0;
  for (auto minutes = 0; minutes < 16; ++minutes) {
    now_ += std::chrono::minutes(1);
    ExpectAll("minute " + std::to_string(minutes));
    EXPECT_TRUE(minutes >= 9 || table_.read == 0) << minutes;
    most = std::max(most, table_.read);
    all += table_.read;
  }
  EXPECT_GE(all, 40);
  EXPECT_LE(most, 25);
}

TEST_F(KeptListTest, ARowThatCannotBeReadIsToldEachTimeAndTakesNoOtherWithIt) {
  Fill(30);
  table_.Break(Guid(12));
  for (int round = 0; round < 2; ++round) {
    ListPlace after;
    std::vector<std::string> broken;
    ListedRows rows;
    for (bool last = false; !last;) {
      const auto next = list_.Read(table_, after, now_);
      ASSERT_TRUE(next);
      for (const BrokenRow& row : next->broken) broken.push_back(row.key);
      rows.insert(rows.end(), next->rows.begin(), next->rows.end());
      after = next->after;
      last = next->last;
    }
    EXPECT_THAT(broken, ElementsAre(Guid(12)));
    EXPECT_TRUE(rows == table_.Rows());
  }
  EXPECT_EQ(list_.rows(), 22) << "its chunk is not kept";
  table_.Mend(Guid(12));
  ExpectAll("mended");
  EXPECT_EQ(table_.read, 1);
  table_.Break(Guid(12));
  table_.Write(Guid(12), "broken since");
  (void)list_.Read(table_, {ProcessGuid(Guid(7))}, now_);
  EXPECT_EQ(list_.rows(), 22) << "nor is what was kept of it before";
  table_.Mend(Guid(12));
  ExpectAll("mended again");
  ExpectAll("and kept");
  EXPECT_EQ(table_.read, 0);
}

TEST_F(KeptListTest, WhatFindsNoRoomIsReadWhole) {
  memory_.bytes_max = 2000;
  Fill(100);
  ExpectAll("the first time");
  EXPECT_LE(memory_.bytes, memory_.bytes_max);
  EXPECT_GT(memory_.bytes, 0u);
  ExpectAll("the second time");
  EXPECT_GT(table_.read, 0);
  EXPECT_GT(table_.since, 0);
}

TEST_F(KeptListTest, ItsMemoryIsCounted) {
  {
    KeptList list(memory_, metrics_, kRows);
    Fill(100);
    ListPlace after;
    for (bool last = false; !last;) {
      const auto next = list.Read(table_, after, now_);
      ASSERT_TRUE(next);
      after = next->after;
      last = next->last;
    }
    EXPECT_GT(memory_.bytes, 0u);
  }
  EXPECT_EQ(memory_.bytes, 0u);
}

TEST_F(KeptListTest, ServesTheDomainThatMostRowsAreOf) {
  EXPECT_TRUE(list_.Serves("any")) << "nothing is known yet";
  for (int i = 0; i < 30; ++i) table_.Write(Guid(i), "first", i % 10 == 0 ? "few" : "many");
  ExpectAll("the first time");
  EXPECT_TRUE(list_.Serves("many"));
  EXPECT_FALSE(list_.Serves("few"));
  EXPECT_FALSE(list_.Serves("nobody's"));
  EXPECT_TRUE(list_.Serves(""));
  for (int i = 0; i < 30; ++i) table_.Write(Guid(i), "second", i % 10 == 0 ? "many" : "few");
  ExpectAll("turned round");
  EXPECT_FALSE(list_.Serves("many"));
  EXPECT_TRUE(list_.Serves("few"));
}

// One reads within another one's reading, and each part is what is there when it is read.
TEST_F(KeptListTest, EachPartIsWhatIsThereWhenItIsRead) {
  std::mt19937 random(11);
  Fill(60);
  for (int round = 0; round < 200; ++round) {
    ListPlace after;
    int turns = 0;
    for (bool last = false; !last;) {
      const auto next = list_.Read(table_, after, now_);
      ASSERT_TRUE(next);
      ListedRows there = table_.Rows();
      std::erase_if(
          there, [&](const ListedRow& row) { return row.place <= after || (!next->last && row.place > next->after); });
      EXPECT_TRUE(next->rows == there) << "round " << round;
      after = next->after;
      last = next->last;
      if (++turns == 3) ExpectAll("within another one's reading");
      table_.Write(Guid(static_cast<int>(random() % 60)) + (random() % 3 == 0 ? "-more" : ""),
                   std::to_string(random()));
      if (random() % 2 == 0) table_.Remove(table_.Guids().at(random() % table_.Guids().size()));
    }
    ExpectAll("round " + std::to_string(round));
    if (HasFailure()) return;
  }
}

// A list may go on behind any place, as one does that was read from rows up to there.
TEST_F(KeptListTest, BeginsBehindAnyPlace) {
  Fill(60);
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    (void)list_.Read(table_, {ProcessGuid(Guid(static_cast<int>(random() % 60)))}, now_);
    table_.Write(Guid(static_cast<int>(random() % 60)), std::to_string(random()));
    ExpectAll("round " + std::to_string(round));
  }
}

TEST_F(KeptListTest, IsOfSeveralThreads) {
  Fill(20 * kRows);
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      SharedTable table(table_, mutex);
      for (int round = 0; round < 30; ++round) {
        ListPlace after;
        for (bool last = false; !last;) {
          const auto next = list_.Read(table, after, now_);
          if (!next) return;
          after = next->after;
          last = next->last;
          const std::lock_guard lock(mutex);
          table_.Write(Guid(static_cast<int>(random() % 400)), std::to_string(random()));
          if (random() % 2 == 0) table_.Remove(table_.Guids().at(random() % table_.Guids().size()));
        }
        list_.DropOld(now_ + KeptList::kKept / 2);
        (void)list_.Serves("d");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ExpectAll("they are done");
}

TEST_F(KeptListTest, WhatIsOldLeavesItsMemory) {
  Fill(100);
  ExpectAll("the first time");
  list_.DropOld(now_ + KeptList::kKept - std::chrono::minutes(1));
  EXPECT_EQ(list_.rows(), 100);
  list_.DropOld(now_ + 2 * KeptList::kKept);
  EXPECT_EQ(list_.rows(), 0);
  EXPECT_EQ(memory_.bytes, 0u);
}

TEST_F(KeptListTest, IsWhatIsThereWhateverIsWritten) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t count) { return static_cast<int>(random() % count); };
    table_ = CountedTable();
    memory_.bytes_max = seed % 3 == 0 ? 3000 : std::size_t{1} << 20;
    for (int round = 0; round < 60; ++round) {
      for (int writes = below(40); writes > 0; --writes) {
        const std::vector<std::string> guids = table_.Guids();
        switch (below(6)) {
          case 0:
          case 1: table_.Write(Guid(below(200)), std::to_string(random())); break;
          case 2:
          case 3:
            if (!guids.empty())
              table_.Write(guids[static_cast<std::size_t>(below(guids.size()))], std::to_string(random()));
            break;
          case 4:
            if (!guids.empty()) table_.Remove(guids[static_cast<std::size_t>(below(guids.size()))]);
            break;
          default:
            if (below(40) == 0) {
              for (const std::string& guid : guids) table_.Remove(guid);
            } else if (below(20) == 0) {
              for (int i = 0; i < 3 * kRows; ++i) table_.Write(Guid(below(200)) + "-" + std::to_string(i), "many");
            }
        }
      }
      if (below(10) == 0) now_ += std::chrono::minutes(below(12));
      if (below(20) == 0) table_.BecomeAnother();
      ExpectAll("seed " + std::to_string(seed) + ", round " + std::to_string(round));
      if (HasFailure()) return;
    }
  }
}

TEST(PackedRows, AreWhatWasPacked) {
  EXPECT_THAT(PackedRows({}).Unpack(), IsEmpty());
  ListedRows rows;
  for (int i = 0; i < 1000; ++i) {
    rows.push_back({{ProcessGuid(Guid(i)), ActualId(i % 2 == 0 ? "" : "id")},
                    "d",
                    std::string(static_cast<std::size_t>(i), '\0')});
  }
  const PackedRows packed(rows);
  EXPECT_TRUE(packed.Unpack() == rows);
  EXPECT_LT(packed.bytes(), BytesOf(rows) / 10);
}

}  // namespace
}  // namespace baton
