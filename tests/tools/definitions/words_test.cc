#include "tools/definitions/words.h"

#include <gtest/gtest.h>

namespace baton::definitions {
namespace {

TEST(Words, SizesAndCounts) {
  EXPECT_EQ(SizeText(1023), "1023 B");
  EXPECT_EQ(SizeText(1536), "1.5 KiB");
  EXPECT_EQ(SizeText(1 << 20), "1.0 MiB");
  EXPECT_EQ(Counted(1, "fault"), "1 fault");
  EXPECT_EQ(Counted(0, "fault"), "0 faults");
}

}  // namespace
}  // namespace baton::definitions
