// The file that remembers which store this batond last saw.
#include "schema/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace baton {
namespace {

using ::testing::HasSubstr;

class MemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/baton-memory-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  void Say(const std::string& text) { std::ofstream(path()) << text; }
  std::string path() const { return dir_ + "/state"; }

  std::string dir_;
};

TEST_F(MemoryTest, IsReadAsItWasWritten) {
  const MemoryFile file(path());
  EXPECT_EQ(*file.Read(), std::nullopt);
  ASSERT_TRUE(file.Write({"id", 101, 7}).ok());
  const auto memory = file.Read();
  ASSERT_TRUE(memory && *memory);
  EXPECT_EQ((*memory)->store_id, "id");
  EXPECT_EQ((*memory)->version, 101);
  EXPECT_EQ((*memory)->epoch, 7);
  EXPECT_EQ(std::filesystem::status(path()).permissions(), std::filesystem::perms(0600));
}

TEST_F(MemoryTest, EpochsOnlyGrowWithinAStore) {
  const MemoryFile file(path());
  ASSERT_TRUE(file.Write({"id", 101, 7}).ok());
  ASSERT_TRUE(file.Write({"id", 100, 5}).ok());
  EXPECT_EQ((*file.Read())->epoch, 7);
  EXPECT_EQ((*file.Read())->version, 100) << "taken back on purpose";
  ASSERT_TRUE(file.Write({"other", 101, 1}).ok());
  EXPECT_EQ((*file.Read())->epoch, 1);
}

TEST_F(MemoryTest, SealedOnlyStaysWhateverElseIsWritten) {
  const MemoryFile file(path());
  ASSERT_TRUE(file.WriteSealedOnly().ok());
  EXPECT_TRUE((*file.Read())->sealed_only);
  ASSERT_TRUE(file.Write({"id", 101, 7}).ok());
  ASSERT_TRUE(file.Write({"other", 102, 1}).ok());
  EXPECT_TRUE((*file.Read())->sealed_only);
  EXPECT_EQ((*file.Read())->store_id, "other");
  ASSERT_TRUE(file.WriteSealedOnly().ok());
  EXPECT_EQ((*file.Read())->version, 102);
  ASSERT_TRUE(file.Forget().ok());
  EXPECT_TRUE((*file.Read())->sealed_only) << "another store is accepted, what opens is not";
  EXPECT_EQ((*file.Read())->store_id, "");
}

TEST_F(MemoryTest, AStoreWithoutANameIsOneToo) {
  const MemoryFile file(path());
  ASSERT_TRUE(file.Write({"", 100, 3}).ok());
  EXPECT_EQ((*file.Read())->store_id, "");
}

TEST_F(MemoryTest, DamagedIsRefusedAndNotTakenForNone) {
  const MemoryFile file(path());
  for (const char* text : {"", "x", "baton store memory 1\n", "baton store memory 1\nstore a\nversion 1\n",
                           "baton store memory 1\nstore a\nversion 1\nepoch x\n",
                           "baton store memory 1\nstore a\nversion -1\nepoch 1\n", "baton store memory 1\nstore\n"}) {
    Say(text);
    const auto memory = file.Read();
    ASSERT_FALSE(memory.ok()) << text;
    EXPECT_THAT(memory.error().message, HasSubstr(path()));
  }
}

TEST_F(MemoryTest, WithoutAPathNothingIsRemembered) {
  const MemoryFile file("");
  EXPECT_TRUE(file.Write({"id", 1, 1}).ok());
  EXPECT_EQ(*file.Read(), std::nullopt);
}

TEST_F(MemoryTest, WhatCannotBeWrittenIsSaid) {
  const MemoryFile file(dir_ + "/nowhere/state");
  const Status status = file.Write({"id", 1, 1});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace baton
