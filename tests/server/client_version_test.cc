#include "orchestrator/server/callers/client_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::HasSubstr;

Status Check(std::string_view version) { return CheckClientVersion(version, "baton-cell", "1.2.3"); }

TEST(ClientVersion, WhoIsOfTheSameReleaseOrAnOlderOneMayCall) {
  for (const char* version : {"1.2.3", "1.2.0", "1.2.99", "1.1.99", "0.99.99", "0.0.0"}) {
    EXPECT_TRUE(Check(version).ok()) << version;
  }
}

TEST(ClientVersion, WhoIsNewerIsToldBothVersionsAndWhatToDo) {
  for (const std::string version : {"1.3.0", "1.10.0", "2.0.0", "10.0.0"}) {
    const Status status = Check(version);
    ASSERT_FALSE(status.ok()) << version;
    EXPECT_EQ(status.error().kind, ErrorKind::kFailedPrecondition);
    EXPECT_EQ(status.error().message, "this batond is 1.2.3 and the client baton-cell is " + version +
                                          ": upgrade batond first, its clients after it");
  }
  EXPECT_THAT(CheckClientVersion("2.0.0", "", "1.2.3").error().message, HasSubstr("and the client is 2.0.0"));
}

TEST(ClientVersion, WhatIsNoVersionIsRefusedWithTheKeysName) {
  for (const std::string_view version : {"", "1", "1.2", "1.2.", "1.2.3.4", "1.2.3-rc1", "v1.2.3", " 1.2.3", "-1.2.3",
                                         "+1.2.3", "1..3", "99999999999999999999.0.0", "one.two.three"}) {
    const Status status = Check(version);
    ASSERT_FALSE(status.ok()) << version;
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument) << version;
    EXPECT_THAT(status.error().message, HasSubstr("baton-client-version")) << version;
  }
  EXPECT_LT(Check(std::string(10'000, '9')).error().message.size(), 300u);
}

}  // namespace
}  // namespace baton
