// Only this process can say that a call is its own.
#include "orchestrator/transform/services/in_process.h"

#include <gtest/gtest.h>

#include <string>

namespace baton::transform {
namespace {

TEST(Within, WhatThisProcessSaysIsBelieved) {
  EXPECT_EQ(InProcessCaller(InProcessToken("cell/cell-7")), "cell/cell-7");
  EXPECT_EQ(InProcessCaller(InProcessToken("")), "");
  EXPECT_EQ(InProcessToken(""), InProcessToken("")) << "one secret for as long as the process lives";
  EXPECT_EQ(InProcessToken("").size(), 65u) << "32 bytes in hexadecimal, and a space";
}

TEST(Within, NothingElseIs) {
  const std::string word = InProcessToken("admin/root");
  EXPECT_EQ(InProcessCaller(""), std::nullopt);
  EXPECT_EQ(InProcessCaller("unknown"), std::nullopt);
  EXPECT_EQ(InProcessCaller(" admin/root"), std::nullopt);
  EXPECT_EQ(InProcessCaller(std::string(64, '0') + " admin/root"), std::nullopt);
  EXPECT_EQ(InProcessCaller(word.substr(0, 64)), std::nullopt);
  EXPECT_EQ(InProcessCaller(word.substr(1)), std::nullopt);
  EXPECT_EQ(InProcessCaller("x" + word), std::nullopt);
  EXPECT_EQ(InProcessCaller(word.substr(0, 64) + "/" + word.substr(65)), std::nullopt);
  for (std::size_t i = 0; i < 64; ++i) {
    std::string near = word;
    near[i] = near[i] == '0' ? '1' : '0';
    EXPECT_EQ(InProcessCaller(near), std::nullopt) << i;
  }
}

}  // namespace
}  // namespace baton::transform
