// Only this process can say that a call is its own.
#include "orchestrator/transform/services/within.h"

#include <gtest/gtest.h>

#include <string>

namespace baton::transform {
namespace {

TEST(Within, WhatThisProcessSaysIsBelieved) {
  EXPECT_EQ(CallerWithin(WithinWord("cell/cell-7")), "cell/cell-7");
  EXPECT_EQ(CallerWithin(WithinWord("")), "");
  EXPECT_EQ(WithinWord(""), WithinWord("")) << "one secret for as long as the process lives";
  EXPECT_EQ(WithinWord("").size(), 65u) << "32 bytes in hexadecimal, and a space";
}

TEST(Within, NothingElseIs) {
  const std::string word = WithinWord("admin/root");
  EXPECT_EQ(CallerWithin(""), std::nullopt);
  EXPECT_EQ(CallerWithin("unknown"), std::nullopt);
  EXPECT_EQ(CallerWithin(" admin/root"), std::nullopt);
  EXPECT_EQ(CallerWithin(std::string(64, '0') + " admin/root"), std::nullopt);
  EXPECT_EQ(CallerWithin(word.substr(0, 64)), std::nullopt);
  EXPECT_EQ(CallerWithin(word.substr(1)), std::nullopt);
  EXPECT_EQ(CallerWithin("x" + word), std::nullopt);
  EXPECT_EQ(CallerWithin(word.substr(0, 64) + "/" + word.substr(65)), std::nullopt);
  for (std::size_t i = 0; i < 64; ++i) {
    std::string near = word;
    near[i] = near[i] == '0' ? '1' : '0';
    EXPECT_EQ(CallerWithin(near), std::nullopt) << i;
  }
}

}  // namespace
}  // namespace baton::transform
