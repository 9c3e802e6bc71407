// Which known word is meant.
#include "tools/command_line/nearest.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

const std::vector<std::string> kKnown{"get", "status", "describe"};

TEST(Nearest, TwoChangesAreForgivenAndThreeAreNot) {
  EXPECT_EQ(Nearest("stauts", kKnown), "status");
  EXPECT_EQ(Nearest("describ", kKnown), "describe");
  EXPECT_EQ(Nearest("gett", kKnown), "get");
  EXPECT_EQ(Nearest("dsrib", kKnown), std::nullopt);
  EXPECT_EQ(Nearest("frobnicate", kKnown), std::nullopt);
  EXPECT_EQ(Nearest("get", {}), std::nullopt);
}

TEST(Nearest, AWordOfTwoLettersIsNearToTooMuch) { EXPECT_EQ(Nearest("gt", kKnown), std::nullopt); }

}  // namespace
}  // namespace baton
