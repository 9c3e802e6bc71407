#include "tools/router/routes/naming.h"

#include <gtest/gtest.h>

namespace baton::router {
namespace {

TEST(Naming, PoolBackendsAreNumberedAndRecognised) {
  EXPECT_EQ(PoolBackendName(0), "be_0000");
  EXPECT_EQ(PoolBackendName(12345), "be_12345");
  EXPECT_TRUE(IsPoolBackend(PoolBackendName(7)));
  EXPECT_TRUE(IsPoolBackend(PoolBackendName(99999)));
}

TEST(Naming, TheFixedBackendsAreNoneOfThePool) {
  for (const std::string_view name : {kNoRouteBackend, kIdleBackend, kFullBackend, kNextBackend}) {
    EXPECT_FALSE(HasInstances(name));
  }
  EXPECT_FALSE(IsPoolBackend("be_12"));
  EXPECT_FALSE(IsPoolBackend("web"));
  EXPECT_FALSE(IsPoolBackend("be_00x0"));
}

TEST(Naming, BackendsOfTcpPortsAreRecognised) {
  EXPECT_EQ(TcpBackendName(1024), "tcp_01024");
  EXPECT_TRUE(IsTcpBackend(TcpBackendName(65535)));
  EXPECT_TRUE(HasInstances("tcp_00001"));
  EXPECT_FALSE(IsPoolBackend("tcp_01024"));
  for (const char* name : {"tcp_1024", "tcp_001024", "tcp_0102x", "tcp_"}) EXPECT_FALSE(IsTcpBackend(name));
}

TEST(Naming, WhatCouldEndACommandIsNoName) {
  for (const char* text : {"a;b", "a b", "a\nb", "a\\", "", "A.example", "a/b", "a:80"}) EXPECT_FALSE(IsHostName(text));
  for (const char* text : {"a;b", "a b", "a\nb", "a/b", ""}) EXPECT_FALSE(IsServerName(text));
  for (const char* text : {"relative", "/a b", "/a;b", "/a,b", ""}) EXPECT_FALSE(IsPlainPath(text));
}

TEST(Naming, OrdinaryNamesPass) {
  EXPECT_TRUE(IsHostName("my-app_1.apps.example"));
  EXPECT_TRUE(IsServerName("1b4e28ba-2fa1-11d2-883f-0016d3cca427"));
  EXPECT_TRUE(IsPlainPath("/run/baton/hosts.map"));
}

TEST(Naming, AddressesAreAsHaproxyPrintsThem) {
  EXPECT_EQ(CanonicalAddress("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(CanonicalAddress("0:0:0:0:0:0:0:1"), "::1");
  EXPECT_EQ(CanonicalAddress("localhost"), std::nullopt);
  EXPECT_EQ(CanonicalAddress("127.0.0.1;show env"), std::nullopt);
  EXPECT_EQ(CanonicalAddress(""), std::nullopt);
}

}  // namespace
}  // namespace baton::router
