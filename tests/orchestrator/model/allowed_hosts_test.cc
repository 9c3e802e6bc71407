// Whom batond may ask: by name, by number, and where a name has led.
#include "orchestrator/model/calls/allowed_hosts.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

AllowedHosts Of(const std::vector<std::string>& entries) {
  auto hosts = AllowedHosts::From(entries);
  EXPECT_TRUE(hosts.ok());
  return *std::move(hosts);
}
IpAddress Ip(const char* text) { return *IpAddress::From(text); }

TEST(AllowedHosts, NobodyIsByDefault) {
  EXPECT_FALSE(AllowedHosts().MayAsk("judge.example", 443));
  EXPECT_FALSE(AllowedHosts().MayConnect("judge.example", 443, Ip("1.1.1.1")));
}

TEST(AllowedHosts, ANameIsItselfAndNothingBelowIt) {
  const AllowedHosts hosts = Of({"Judge.Example", "other.example:8443"});
  EXPECT_TRUE(hosts.MayAsk("judge.example.", 80));
  EXPECT_FALSE(hosts.MayAsk("a.judge.example", 80));
  EXPECT_FALSE(hosts.MayAsk("judge.example.evil", 80));
  EXPECT_TRUE(hosts.MayAsk("other.example", 8443));
  EXPECT_FALSE(hosts.MayAsk("other.example", 443));
}

// Where routers may send requests, on a cell's word.
TEST(IpAddressOfAMachine, IsNotLinkLocalNorNobodysNorEverybodys) {
  for (const char* text : {"127.0.0.1", "10.1.2.3", "192.168.1.1", "93.184.216.34", "::1", "fd00::1", "2606:2800:220:1::1",
                           "::ffff:10.0.0.1", "223.255.255.255", "169.253.0.1"}) {
    EXPECT_TRUE(Ip(text).IsOfAMachine()) << text;
  }
  for (const char* text : {"0.0.0.0", "0.1.2.3", "169.254.169.254", "::ffff:169.254.169.254", "224.0.0.1", "255.255.255.255",
                           "240.0.0.1", "::", "fe80::1", "febf::1", "ff02::1"}) {
    EXPECT_FALSE(Ip(text).IsOfAMachine()) << text;
  }
}

TEST(AllowedHosts, ANameLeadsToNoAddressOfTheInside) {
  const AllowedHosts hosts = Of({"judge.example"});
  EXPECT_TRUE(hosts.MayConnect("judge.example", 80, Ip("93.184.216.34")));
  EXPECT_TRUE(hosts.MayConnect("judge.example", 80, Ip("2606:2800:220:1::1")));
  for (const char* inside :
       {"127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.19.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::127.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1"}) {
    EXPECT_FALSE(hosts.MayConnect("judge.example", 80, Ip(inside))) << inside;
  }
}

TEST(AllowedHosts, ANetworkAllowsNumbersAndNamesThatLeadIntoIt) {
  const AllowedHosts hosts = Of({"10.1.0.0/16", "fd00::/8"});
  EXPECT_TRUE(hosts.MayAsk("10.1.255.255", 80));
  EXPECT_TRUE(hosts.MayAsk("::ffff:10.1.2.3", 80)) << "the same address in another spelling";
  EXPECT_FALSE(hosts.MayAsk("10.2.0.0", 80));
  EXPECT_TRUE(hosts.MayAsk("fd12::1", 80));
  EXPECT_TRUE(hosts.MayAsk("judge.inside", 80)) << "it may lead there";
  EXPECT_TRUE(hosts.MayConnect("judge.inside", 80, Ip("10.1.2.3")));
  EXPECT_FALSE(hosts.MayConnect("judge.inside", 80, Ip("93.184.216.34")));
}

TEST(AllowedHosts, AnAddressThatIsNamedIsThatAddress) {
  const AllowedHosts hosts = Of({"127.0.0.1:8080", "[fd00::1]:9090"});
  EXPECT_TRUE(hosts.MayAsk("127.0.0.1", 8080));
  EXPECT_TRUE(hosts.MayConnect("127.0.0.1", 8080, Ip("127.0.0.1")));
  EXPECT_FALSE(hosts.MayAsk("127.0.0.1", 8081));
  EXPECT_TRUE(hosts.MayConnect("fd00::1", 9090, Ip("fd00::1")));
  EXPECT_FALSE(hosts.MayConnect("fd00::1", 9090, Ip("fd00::2")));
  EXPECT_TRUE(Of({"[fd00:0::1]:9090"}).MayAsk("fd00::1", 9090)) << "libcurl writes it so";
}

TEST(AllowedHosts, OddEntriesAreRefused) {
  for (const char* odd : {"", "http://judge.example", "judge.example:", "judge.example:0", "judge.example:65536", "10.0.0.0/33",
                          "fd00::/129", "judge.example/8", "*.example", "fd00::1", "[fd00::1", "[judge]:80", "a b", "10.0.0.0/-1"}) {
    EXPECT_FALSE(AllowedHosts::From({odd}).ok()) << odd;
  }
}

}  // namespace
}  // namespace baton
