// Who calls, as it is counted.
#include "orchestrator/server/callers/caller_name.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

constexpr char kPeer[] = "ipv4:10.0.0.1:4711";

TEST(CallerNames, WhatTheCallerSaysItIsComesFirst) {
  EXPECT_EQ(CallerName("capi", "cc/1.2 grpc-go/1.58.3", kPeer), "capi");
  EXPECT_EQ(CallerName("  ann@host ", "", kPeer), "ann@host");
}

TEST(CallerNames, ThenItsOwnWordsOfTheUserAgent) {
  EXPECT_EQ(CallerName("", "cc/1.2 grpc-go/1.58.3", kPeer), "cc/1.2");
  EXPECT_EQ(CallerName("", "my cc/1.2 grpc-c++/1.51.1 grpc-c/29.0.0 (linux; chttp2)", kPeer), "my cc/1.2");
  EXPECT_EQ(CallerName("", "curl/7.88.1", kPeer), "curl/7.88.1");
  EXPECT_EQ(CallerName("   ", "curl/7.88.1", kPeer), "curl/7.88.1") << "blanks are no name";
}

TEST(CallerNames, AUserAgentThatIsOnlyGrpcsHasItsAddressBesideIt) {
  EXPECT_EQ(CallerName("", "grpc-c++/1.51.1 grpc-c/29.0.0 (linux; chttp2)", kPeer), "grpc-c++/1.51.1 10.0.0.1");
  EXPECT_EQ(CallerName("", "", kPeer), "10.0.0.1");
  EXPECT_EQ(CallerName("", "", "ipv6:%5B::1%5D:4711"), "::1");
  EXPECT_EQ(CallerName("", "", "ipv6:[fe80::1]:4711"), "fe80::1");
  EXPECT_EQ(CallerName("", "", "unix:/run/batond.sock"), "unix");
  EXPECT_EQ(CallerName("", "", ""), "unknown");
}

TEST(CallerNames, OneThatIsTooLongOrNoTextIsCutAndCleaned) {
  EXPECT_EQ(CallerName(std::string(10'000, 'a'), "", kPeer), std::string(kCallerNameMax, 'a'));
  EXPECT_EQ(CallerName("", std::string(10'000, 'b'), kPeer), std::string(kCallerNameMax, 'b'));
  EXPECT_EQ(CallerName("", "grpc-" + std::string(10'000, 'c'), kPeer).size(), 50 + std::string(" 10.0.0.1").size());
  EXPECT_EQ(CallerName(std::string("a\0b\nc\xc3\xa4", 7), "", kPeer), "a?b?c??");
}

}  // namespace
}  // namespace baton
