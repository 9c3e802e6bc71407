#include "tools/router/routes/route_key.h"

#include <gmock/gmock.h>

#include "tests/tools/router/route_of.h"

namespace baton::router {
namespace {

using ::testing::HasSubstr;

TEST(RouteKey, EachHasAnEntryOfItsOwnThatLeadsBackToIt) {
  const char* routes[] = {"a.example", "a.example/api", "a.example/api/v2", "*.example",   "*.example/api",
                          ":1024",     ":1024/group-1", "api.a.example",    "*.a.example", "a.example/a*/b"};
  std::set<std::string> keys;
  for (const char* text : routes) {
    const RouteKey route = RouteOf(text);
    EXPECT_EQ(FaultOf(route), std::nullopt) << text;
    EXPECT_EQ(FromMapKey(MapKey(route)), route) << text;
    EXPECT_TRUE(keys.insert(MapKey(route)).second) << text;
  }
  EXPECT_EQ(MapKey(RouteOf("a.example/api")), "a.example/api/");
  EXPECT_EQ(MapKey(RouteOf("*.example/api")), "example*/api/");
}

// A blank, ';' or a line's end would be a command of HAProxy's; '*' and '/' another part of an entry.
TEST(RouteKey, WhatCouldBeReadAsAnotherEntryOrACommandIsRefused) {
  for (const char* hostname : {"A.example", "a b", "a;b", "a\nb", "a:80", "*", "*.", "a.*.b", "**.a", "*a.b", "*.*.a",
                               "*..a", "*.a.", "a*", "\x80", "a\\b", "#a b"}) {
    EXPECT_NE(FaultOf({.hostname = hostname}), std::nullopt) << hostname;
  }
  for (const char* path : {"api", "/a b", "/a;b", "/a\nb", "/a\\b", "/a?b", "/a#b", "/a\"b", "/", "/a/", "/\x80"}) {
    EXPECT_NE(FaultOf({.hostname = "a.example", .path = path}), std::nullopt) << path;
  }
  EXPECT_NE(FaultOf({.hostname = std::string(254, 'a')}), std::nullopt);
  EXPECT_NE(FaultOf({.hostname = "a.example", .path = "/" + std::string(1024, 'a')}), std::nullopt);
}

TEST(RouteKey, ARouteIsOfOneKind) {
  EXPECT_NE(FaultOf({}), std::nullopt);
  EXPECT_NE(FaultOf({.path = "/api"}), std::nullopt);
  EXPECT_NE(FaultOf({.hostname = "a.example", .external_port = 1024}), std::nullopt);
  EXPECT_NE(FaultOf({.path = "/api", .external_port = 1024}), std::nullopt);
  EXPECT_NE(FaultOf({.external_port = 65536}), std::nullopt);
  EXPECT_NE(FaultOf({.external_port = 1024, .router_group = "a b"}), std::nullopt);
  EXPECT_NE(FaultOf({.hostname = "a.example", .router_group = "g"}), std::nullopt);
}

TEST(RouteKey, AWildcardMayHaveAsManyLabelsAsAreLookedUp) {
  std::string suffix = "a";
  for (std::size_t i = 1; i < kWildcardLabelsMax; ++i) suffix += ".a";
  EXPECT_EQ(FaultOf({.hostname = "*." + suffix}), std::nullopt);
  EXPECT_THAT(FaultOf({.hostname = "*.a." + suffix}).value_or(""), HasSubstr("more than 16 labels"));
}

TEST(RouteKey, WhatAHandWroteIntoTheMapIsNoRoute) {
  for (const char* key : {"", "a.example", "/", ":", ":/", ":x/", ":99999/", ":1 24/", "*/", "A/", "a.example/api"}) {
    EXPECT_EQ(FromMapKey(key), std::nullopt) << key;
  }
}

TEST(RouteKey, ItsTextNamesGroupAndPort) {
  EXPECT_EQ(Text(RouteOf("*.example/api")), "*.example/api");
  EXPECT_EQ(Text(RouteOf(":1024/g")), "tcp:1024 of group g");
}

}  // namespace
}  // namespace baton::router
