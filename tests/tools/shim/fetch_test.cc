// From which addresses downloads come.
#include "tools/shim/downloads/fetch.h"

#include <gtest/gtest.h>

namespace baton::shim {
namespace {

bool May(const char* address, const std::vector<std::string>& allowed = {}) {
  std::vector<IpNetwork> networks;
  for (const std::string& text : allowed) networks.push_back(*IpNetwork::From(text));
  return MayFetchFrom(*IpAddress::From(address), networks);
}

TEST(MayFetchFrom, OthersMachinesAlsoOfThisNetwork) {
  for (const char* text : {"93.184.216.34", "10.1.2.3", "192.168.1.1", "fd00::1", "2606:2800:220:1::1", "::ffff:10.0.0.1"}) {
    EXPECT_TRUE(May(text)) << text;
  }
}

TEST(MayFetchFrom, NeitherThisMachinesLoopbackNorWhatIsNoMachines) {
  for (const char* text : {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "169.254.169.254",
                           "::ffff:169.254.169.254", "fe80::1", "224.0.0.1", "ff02::1", "255.255.255.255", "fd00:ec2::254",
                           "fd20:ce::254", "168.63.129.16", "192.0.0.192", "100.100.100.200"}) {
    EXPECT_FALSE(May(text)) << text;
  }
}

TEST(MayFetchFrom, WhatTheOperatorNamesAndNothingBesideIt) {
  EXPECT_TRUE(May("127.0.0.1", {"10.0.0.0/8", "127.0.0.1/32"}));
  EXPECT_TRUE(May("::ffff:127.0.0.1", {"127.0.0.1/32"})) << "it is the same one";
  EXPECT_FALSE(May("127.0.0.2", {"127.0.0.1/32"}));
  EXPECT_FALSE(May("::1", {"127.0.0.0/8"}));
  EXPECT_TRUE(May("169.254.1.1", {"169.254.1.0/24"}));
  EXPECT_FALSE(May("169.254.169.254", {"169.254.1.0/24"}));
}

}  // namespace
}  // namespace baton::shim
