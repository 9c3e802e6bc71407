#include "tools/batond/door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::batond {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Refused(const DoorSigns& said) {
  const auto door = DoorOf(said);
  return door ? "" : door.error().message;
}

TEST(DoorOf, IsTlsUnlessSomebodySaysOtherwise) {
  EXPECT_EQ(*DoorOf({.database = true, .tls = true}), Door::kTls);
  EXPECT_EQ(*DoorOf({.tls = true}), Door::kTls);
  EXPECT_EQ(*DoorOf({}), Door::kOwnTls) << "--embedded has its own";
  EXPECT_EQ(*DoorOf({.insecure = true}), Door::kInsecure);
  EXPECT_EQ(*DoorOf({.database = true, .insecure = true}), Door::kInsecure);
}

TEST(DoorOf, WhoSaysNothingWithADatabaseIsToldBothWays) {
  EXPECT_THAT(Refused({.database = true}), AllOf(HasSubstr("--tls DIR"), HasSubstr("baton certs"), HasSubstr("--insecure")));
}

TEST(DoorOf, BothAtOnceAreRefused) {
  for (const bool database : {false, true}) {
    EXPECT_THAT(Refused({.database = database, .tls = true, .insecure = true}), HasSubstr("choose one"));
  }
}

}  // namespace
}  // namespace baton::batond
