// What an instance wrote, read while it is written.
#include "tools/cell/instances/output_tail.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/shim/output_log.h"

namespace baton::cell {
namespace {

class OutputTailTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kFileBytes = 100;

  OutputTailTest() : dir_(std::filesystem::temp_directory_path() / ("baton-output-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(dir_);
  }
  ~OutputTailTest() override { std::filesystem::remove_all(dir_); }

  std::string path() const { return dir_ / "log"; }
  void Write(shim::OutputLog& log, int from, int to) {
    for (int i = from; i < to; ++i) log.Append("line " + std::to_string(i));
  }
  // The file system's clock ticks each 4 ms, and a file's number is given again at once: of one tick, two files of one number look like one.
  void AwaitTick() const {
    const std::string fresh = dir_ / "fresh";
    do {
      std::ofstream(fresh) << "now";
    } while (std::filesystem::last_write_time(fresh) == std::filesystem::last_write_time(path()));
  }
  static std::string Lines(int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
  }

  std::filesystem::path dir_;
};

TEST_F(OutputTailTest, TheLastLinesAreThoseThatWereAskedFor) {
  shim::OutputLog log(path());
  EXPECT_EQ(LastOutput(path(), 3).bytes, "");
  Write(log, 0, 5);
  EXPECT_EQ(LastOutput(path(), 2).bytes, Lines(3, 5));
  EXPECT_EQ(LastOutput(path(), 100).bytes, Lines(0, 5));
  log.Append("");
  EXPECT_EQ(LastOutput(path(), 2).bytes, "line 4\n\n");
}

TEST_F(OutputTailTest, BytesThatAreNoTextComeAsTheyAre) {
  shim::OutputLog log(path());
  const std::string odd("\0\xff\x1b[31m", 7);
  log.Append(odd);
  EXPECT_EQ(LastOutput(path(), 1).bytes, odd + "\n");
}

// Through every rename of a full file, whatever part of it was read before.
TEST_F(OutputTailTest, WhatComesAfterAPlaceComesOnceAndWhole) {
  shim::OutputLog log(path(), kFileBytes);
  Write(log, 0, 3);
  OutputTail tail = LastOutput(path(), 100);
  std::string read = tail.bytes;
  for (int i = 3; i < 200; i += 5) {
    Write(log, i, i + 5);
    tail = OutputAfter(path(), tail.place);
    EXPECT_FALSE(tail.lost) << i;
    EXPECT_FALSE(tail.more) << i;
    read += tail.bytes;
  }
  EXPECT_EQ(read, Lines(0, 203));
  EXPECT_EQ(OutputAfter(path(), tail.place).bytes, "");
}

TEST_F(OutputTailTest, WhatIsGoneIsSaid) {
  shim::OutputLog log(path(), kFileBytes);
  Write(log, 0, 3);
  const OutputTail before = LastOutput(path(), 100);
  AwaitTick();
  Write(log, 3, 100);
  const OutputTail after = OutputAfter(path(), before.place);
  EXPECT_TRUE(after.lost);
  EXPECT_TRUE(after.bytes.ends_with(Lines(95, 100))) << after.bytes;
  EXPECT_TRUE(OutputAfter(path(), "nonsense").lost);
}

TEST_F(OutputTailTest, WhatWasFollowedBeforeAnythingWasWrittenIsNotLost) {
  const OutputTail before = LastOutput(path(), 10);
  EXPECT_EQ(before.bytes, "");
  shim::OutputLog log(path());
  Write(log, 0, 2);
  const OutputTail after = OutputAfter(path(), before.place);
  EXPECT_EQ(after.bytes, Lines(0, 2));
  EXPECT_FALSE(after.lost);
}

// As it is for a moment, while the log goes from a full file to the next one.
TEST_F(OutputTailTest, BetweenTwoFilesNothingComesTwice) {
  shim::OutputLog log(path());
  Write(log, 0, 3);
  const OutputTail before = LastOutput(path(), 1);
  Write(log, 3, 5);
  std::filesystem::rename(path(), path() + ".1");
  const OutputTail between = OutputAfter(path(), before.place);
  EXPECT_EQ(between.bytes, Lines(3, 5));
  for (const OutputTail& from : {between, LastOutput(path(), 1), OutputAfter(path(), between.place)}) {
    const OutputTail again = OutputAfter(path(), from.place);
    EXPECT_EQ(again.bytes, "");
    EXPECT_FALSE(again.lost);
  }
  std::ofstream(path()) << "line 5\n";
  const OutputTail after = OutputAfter(path(), between.place);
  EXPECT_EQ(after.bytes, Lines(5, 6));
  EXPECT_FALSE(after.lost);
}

TEST_F(OutputTailTest, MuchComesInParts) {
  shim::OutputLog log(path());
  const OutputTail before = LastOutput(path(), 1);
  Write(log, 0, 40'000);  // more than fits one answer, in both files
  std::string read;
  int parts = 0;
  for (OutputTail tail{.bytes = {}, .place = before.place, .more = true, .lost = false}; tail.more; ++parts) {
    tail = OutputAfter(path(), tail.place);
    EXPECT_LE(tail.bytes.size(), OutputTail::kBytesMax);
    read += tail.bytes;
  }
  EXPECT_EQ(read, Lines(0, 40'000));
  EXPECT_GT(parts, 1);
  EXPECT_EQ(LastOutput(path(), 40'000).bytes.size(), OutputTail::kBytesMax);
}

}  // namespace
}  // namespace baton::cell
