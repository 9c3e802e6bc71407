#include "tools/router/routes/tcp_ports.h"

#include <gtest/gtest.h>

namespace baton::router {
namespace {

TEST(TcpPorts, ARangeHasBothItsEnds) {
  const auto ports = ParseTcpPorts("1024-1026");
  ASSERT_TRUE(ports);
  EXPECT_FALSE(ports->Has(1023));
  EXPECT_TRUE(ports->Has(1024));
  EXPECT_TRUE(ports->Has(1026));
  EXPECT_FALSE(ports->Has(1027));
  EXPECT_TRUE(ParseTcpPorts("7000")->Has(7000));
  EXPECT_FALSE(TcpPorts{}.Has(0));
}

TEST(TcpPorts, WhatIsNoRangeIsRefused) {
  for (const char* text : {"", "-", "0-5", "5-4", "1-", "-1", "a-b", "1-65536", "65535-65536", "1 - 2", "1-2-3", "1-5001",
                           "99999999999-1"}) {
    EXPECT_FALSE(ParseTcpPorts(text)) << text;
  }
  EXPECT_TRUE(ParseTcpPorts("1-5000"));
  EXPECT_TRUE(ParseTcpPorts("65535-65535"));
}

TEST(TcpPorts, TheAddressOfABindIsWhatStandsBeforeItsPort) {
  EXPECT_EQ(HostOfBind("127.0.0.1:8080"), "127.0.0.1");
  EXPECT_EQ(HostOfBind(":80"), "");
  EXPECT_EQ(HostOfBind("[::1]:80"), "[::1]");
  EXPECT_EQ(HostOfBind("unix@/run/x"), std::nullopt);
  EXPECT_EQ(HostOfBind("a:80,b:81"), std::nullopt);
  EXPECT_EQ(HostOfBind("8080"), std::nullopt);
  EXPECT_EQ(PortOfBind("[::1]:8080"), 8080u);
}

}  // namespace
}  // namespace baton::router
