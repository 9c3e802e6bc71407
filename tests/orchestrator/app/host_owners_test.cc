// Whose a host name is, in the leader's memory: against a model of apps and calls that come and go in any order.
#include "orchestrator/app/apps/host_owners.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <vector>

namespace baton {
namespace {

Routes RoutesOf(const std::set<std::string>& names) {
  Routes routes;
  for (const std::string& name : names) routes.mapped.push_back({.route = RouteNamed(name), .port = 8080});
  return routes;
}

AppState AppOf(const std::string& guid, const std::string& domain, const std::set<std::string>& names) {
  AppState app;
  app.guid = ProcessGuid(guid);
  app.desired.emplace();
  app.desired->domain = domain;
  app.desired->routes = RoutesOf(names);
  return app;
}

AppState Gone(const std::string& guid) {
  AppState app;
  app.guid = ProcessGuid(guid);
  return app;
}

TEST(HostOwners, ANameIsTheFirstDomainsUntilItsLastAppLetsGo) {
  HostOwners owners;
  owners.Set(AppOf("one", "a", {"shop.example", "tcp:1024"}));
  owners.Set(AppOf("two", "a", {"shop.example"}));
  EXPECT_TRUE(owners.Check("a", RoutesOf({"shop.example"}), {}));
  EXPECT_FALSE(owners.Check("b", RoutesOf({"shop.example"}), {}));
  EXPECT_FALSE(owners.Check("b", RoutesOf({"shop.example/api"}), {})) << "another path of it is its traffic, too";
  EXPECT_FALSE(owners.Check("b", RoutesOf({"tcp:1024"}), {}));
  EXPECT_TRUE(owners.Check("b", RoutesOf({"tcp:1025", "www.shop.example"}), {}));
  owners.Set(Gone("one"));
  EXPECT_FALSE(owners.Check("b", RoutesOf({"shop.example"}), {}));
  owners.Set(AppOf("two", "a", {"other.example"}));
  EXPECT_TRUE(owners.Check("b", RoutesOf({"shop.example"}), {}));
}

TEST(HostOwners, ANameBelowAWildcardIsTheWildcards) {
  HostOwners owners;
  owners.Set(AppOf("one", "a", {"*.shop.example"}));
  for (const char* name : {"pay.shop.example", "a.b.shop.example", "*.shop.example", "*.b.shop.example"}) {
    EXPECT_FALSE(owners.Check("b", RoutesOf({name}), {})) << name;
    EXPECT_TRUE(owners.Check("a", RoutesOf({name}), {})) << name;
  }
  for (const char* name : {"shop.example", "xshop.example", "*.example"}) EXPECT_TRUE(owners.Check("b", RoutesOf({name}), {})) << name;
}

// What two domains have had since before this rule both keep, and a third gets no more.
TEST(HostOwners, WhatAnAppHasAlreadyItMayKeep) {
  HostOwners owners;
  owners.Set(AppOf("one", "a", {"shop.example"}));
  owners.Set(AppOf("two", "b", {"shop.example"}));
  EXPECT_TRUE(owners.Check("b", RoutesOf({"shop.example"}), RoutesOf({"shop.example"})));
  EXPECT_FALSE(owners.Check("c", RoutesOf({"shop.example"}), {}));
}

TEST(HostOwners, WhatIsAskedForIsHeldUntilTheCallIsOver) {
  HostOwners owners;
  auto first = std::make_unique<HostOwners::Hold>(owners);
  ASSERT_TRUE(first->Take("a", RoutesOf({"shop.example"}), {}));
  HostOwners::Hold second(owners);
  EXPECT_FALSE(second.Take("b", RoutesOf({"shop.example"}), {}));
  ASSERT_TRUE(first->Take("a", RoutesOf({"other.example"}), {})) << "tried again, it asked for something else";
  EXPECT_TRUE(second.Take("b", RoutesOf({"shop.example"}), {}));
  owners.Clear();  // another reign loads its apps; calls that are under way hold on
  EXPECT_FALSE(owners.Check("c", RoutesOf({"other.example"}), {}));
  first.reset();
  EXPECT_TRUE(owners.Check("c", RoutesOf({"other.example"}), {}));
}

// However apps come, change and go, and calls begin and end: no new name is given to a second domain.
RC_GTEST_PROP(HostOwnersAny, NoNameIsGivenToASecondDomain, ()) {
  HostOwners owners;
  std::map<std::string, std::pair<std::string, std::set<std::string>>> apps;  // by guid
  struct Open {
    std::string guid, domain;
    std::set<std::string> names;
    std::unique_ptr<HostOwners::Hold> hold;
  };
  std::vector<Open> open;
  const auto others = [&](const std::string& domain, const std::string& name) {
    for (const auto& [guid, app] : apps) {
      if (app.first != domain && app.second.contains(name)) return true;
    }
    for (const Open& one : open) {
      if (one.domain != domain && one.names.contains(name)) return true;
    }
    return false;
  };
  const int steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    const std::string guid = *rc::gen::element<std::string>("1", "2", "3", "4");
    const int what = *rc::gen::inRange(0, 4);
    if (what <= 1) {
      const bool is_open = std::any_of(open.begin(), open.end(), [&](const Open& one) { return one.guid == guid; });
      if (is_open) continue;  // calls of one app follow each other
      const bool known = apps.contains(guid);
      const std::string domain = known ? apps[guid].first : *rc::gen::element<std::string>("a", "b");
      const int which = *rc::gen::inRange(0, 8);
      std::set<std::string> names;
      for (int bit = 0; bit < 3; ++bit) {
        if ((which >> bit & 1) != 0) names.insert(std::string(1, static_cast<char>('x' + bit)));
      }
      const auto before = known ? apps[guid].second : std::set<std::string>();
      bool free = true;
      std::set<std::string> fresh;
      for (const auto& name : names) {
        if (before.contains(name)) continue;
        fresh.insert(name);
        free = free && !others(domain, name);
      }
      Open one{guid, domain, names, std::make_unique<HostOwners::Hold>(owners)};
      RC_ASSERT(one.hold->Take(domain, RoutesOf(names), RoutesOf(before)).ok() == free);
      if (free) open.push_back(std::move(one));
    } else if (what == 2 && !open.empty()) {
      const bool commits = *rc::gen::arbitrary<bool>();
      if (commits) {
        apps[open.back().guid] = {open.back().domain, open.back().names};
        owners.Set(AppOf(open.back().guid, open.back().domain, open.back().names));
      }
      open.pop_back();
    } else if (what == 3 && apps.contains(guid)) {
      apps.erase(guid);
      owners.Set(Gone(guid));
      std::erase_if(open, [&](const Open& one) { return one.guid == guid; });
    }
  }
}

}  // namespace
}  // namespace baton
