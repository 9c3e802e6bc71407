#include "tools/router/haproxy/haproxy_config.h"

#include <gmock/gmock.h>

#include "tests/tools/router/route_of.h"

namespace baton::router {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const HaproxyFiles kFiles("/run/x");

TEST(HaproxyConfig, HasThePresentServersInIt) {
  RouteTable table;
  table.Replace({1, 1}, {{RouteOf("a.example"), "i1", "10.0.0.1", 81, false}, {RouteOf("a.example"), "i2", "::1", 82, false}});
  const std::string text = MakeConfig({"127.0.0.1:8080", 2}, kFiles, table, {.backend_of = {{RouteOf("a.example"), "be_0001"}}});
  EXPECT_THAT(text, HasSubstr("server i1 10.0.0.1:81 "));
  EXPECT_THAT(text, HasSubstr("server i2 [::1]:82 "));
  EXPECT_LT(text.find("backend be_0001"), text.find("server i1"));
}

TEST(HaproxyConfig, LeavesDrainingServersToTheOldWorker) {
  RouteTable table;
  table.Replace({1, 1}, {{RouteOf("a.example"), "i1", "10.0.0.1", 81, true}});
  EXPECT_THAT(MakeConfig({"127.0.0.1:8080", 1}, kFiles, table, {.backend_of = {{RouteOf("a.example"), "be_0000"}}}),
              Not(HasSubstr("server i1")));
}

TEST(HaproxyConfig, NeitherRetriesNorRedispatchesUnlessItIsTold) {
  const std::string text = MakeConfig({"127.0.0.1:8080", 1}, kFiles, {}, {});
  EXPECT_THAT(text, HasSubstr("retries 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("redispatch")));
  EXPECT_THAT(text, Not(HasSubstr("l7-retry")));
}

TEST(HaproxyConfig, RepeatsOnlyWhatMayBeRepeated) {
  const std::string text = MakeConfig({"127.0.0.1:8080", 1, 2}, kFiles, {}, {});
  EXPECT_THAT(text, HasSubstr("retries 2\n  option redispatch 1\n  retry-on conn-failure empty-response\n"));
  EXPECT_THAT(text, HasSubstr("disable-l7-retry unless { method GET HEAD OPTIONS }"));
}

TEST(HaproxyConfig, WorkersAreAnotherUsersAndReachTheSocketToTheNextOne) {
  ConfigShape shape{"127.0.0.1:8080", 1};
  EXPECT_THAT(MakeConfig(shape, kFiles, {}, {}), AllOf(Not(HasSubstr("user ")), HasSubstr("next.sock mode 600\n")));
  shape.user = "haproxy";
  EXPECT_THAT(MakeConfig(shape, kFiles, {}, {}), AllOf(HasSubstr("global\n  user haproxy\n  group haproxy\n"),
                                                       HasSubstr("next.sock mode 600 user haproxy\n")));
}

TEST(HaproxyConfig, AnXForwardedForIsDroppedUnlessItIsOfATrustedOne) {
  ConfigShape shape{"127.0.0.1:8080", 1};
  EXPECT_THAT(MakeConfig(shape, kFiles, {}, {}), HasSubstr("del-header X-Forwarded-For if { src 0.0.0.0/0 ::/0 }\n"));
  shape.trust_forwarded = {"10.0.0.0/8", "fd00::1"};
  EXPECT_THAT(MakeConfig(shape, kFiles, {}, {}),
              HasSubstr("del-header X-Forwarded-For if { src 0.0.0.0/0 ::/0 } !{ src 10.0.0.0/8 fd00::1 }\n"));
}

TEST(HaproxyConfig, ANetworkIsAnAddressAndPerhapsBits) {
  for (const char* text : {"10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "fd00::1", "fd00::/8", "::/128"}) EXPECT_TRUE(IsNetwork(text)) << text;
  for (const char* text : {"", "/8", "10.0.0.1/", "10.0.0.1/33", "10.0.0.1/-1", "::/129", "10.0.0.1/8 } allow", "a.example", "10.0.0.1/8/8",
                           "10.0.0.1\n", "-f /etc/x"}) {
    EXPECT_FALSE(IsNetwork(text)) << text;
  }
}

TEST(HaproxyConfig, TheMapNamesIdleAndUnservedRoutesToo) {
  EXPECT_EQ(MakeMap({.backend_of = {{RouteOf("a.example/api"), "be_0001"}},
                     .idle = {RouteOf("*.c.example")},
                     .unserved = {RouteOf("b.example")}}),
            "a.example/api/ be_0001\nb.example/ be_full\nc.example*/ be_idle\n");
}

TEST(HaproxyConfig, AFoundOneDoesIfItListensThereAndIsLargeEnough) {
  std::string line = ShapeLine({"127.0.0.1:8080", 128});
  line.pop_back();
  EXPECT_TRUE(ShapeFits(line, {"127.0.0.1:8080", 64}));
  EXPECT_TRUE(ShapeFits(line, {"127.0.0.1:8080", 128}));
  EXPECT_FALSE(ShapeFits(line, {"127.0.0.1:8080", 129}));
  EXPECT_FALSE(ShapeFits(line, {"127.0.0.1:80", 64}));
  EXPECT_FALSE(ShapeFits(line, {"127.0.0.1:8080", 64, 2}));
  EXPECT_FALSE(ShapeFits(line, {.listen = "127.0.0.1:8080", .backends = 64, .tcp = {"127.0.0.1", 1024, 1025}}));
  EXPECT_FALSE(ShapeFits(line, {.listen = "127.0.0.1:8080", .backends = 64, .user = "haproxy"}));
  EXPECT_FALSE(ShapeFits(line, {.listen = "127.0.0.1:8080", .backends = 64, .trust_forwarded = {"10.0.0.1"}}));
  EXPECT_FALSE(ShapeFits("# Made by baton-router, format 3; do not edit. listen=127.0.0.1:8080 retries=0 backends=128",
                         {"127.0.0.1:8080", 64}));
  EXPECT_FALSE(ShapeFits("", {"127.0.0.1:8080", 64}));
}

TEST(HaproxyConfig, EachTcpPortListensWithItsServers) {
  RouteTable table;
  table.Replace({1, 1}, {{RouteOf(":1025"), "i1", "10.0.0.1", 81, false}});
  const ConfigShape shape{.listen = "[::1]:80", .backends = 1, .tcp = {"[::1]", 1024, 1025}};
  const std::string text = MakeConfig(shape, kFiles, table, {.backend_of = {{RouteOf(":1025"), "tcp_01025"}}});
  EXPECT_THAT(text, HasSubstr("listen tcp_01024\n  bind [::1]:1024\n"));
  EXPECT_THAT(text, HasSubstr("listen tcp_01025\n  bind [::1]:1025\n"));
  EXPECT_THAT(text, HasSubstr("  server i1 10.0.0.1:81\n"));
  EXPECT_LT(text.find("listen tcp_01025"), text.find("server i1"));
}

}  // namespace
}  // namespace baton::router
