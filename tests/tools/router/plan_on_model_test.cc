// The plan against a model of HAProxy that carries commands out, over random tables and random states of HAProxy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

#include "tests/tools/router/route_of.h"
#include "tools/router/routes/backend_pool.h"
#include "tools/router/routes/naming.h"
#include "tools/router/routes/route_plan.h"

namespace baton::router {
namespace {

constexpr char kModelMap[] = "/m";

// As measured: a server that is added is in maintenance, and "add map" to a name that is there does not change it.
class ModelHaproxy {
 public:
  HaproxyView view;

  void Do(const std::string& command) {
    std::istringstream words(command);
    std::vector<std::string> word;
    for (std::string next; words >> next;) word.push_back(next);
    if (word[1] == "map") return DoMap(word);
    const std::size_t slash = word[2].find('/');
    HaproxyView::Servers& servers = view.servers[word[2].substr(0, slash)];
    const std::string name = word[2].substr(slash + 1);
    if (word[0] == "add") {
      ASSERT_FALSE(servers.contains(name)) << command;
      const std::size_t colon = word[3].rfind(':');
      servers[name] = {.address = word[3].substr(0, colon),
                       .port = static_cast<std::uint32_t>(std::stoul(word[3].substr(colon + 1))),
                       .mode = ServerMode::kMaint};
      return;
    }
    ASSERT_TRUE(servers.contains(name)) << command;
    if (word[0] == "enable") servers[name].mode = ServerMode::kReady;
    if (word[0] == "set" && word[3] == "addr") {
      servers[name].address = word[4];
      servers[name].port = static_cast<std::uint32_t>(std::stoul(word[6]));
    }
    if (word[0] == "set" && word[3] == "state") {
      servers[name].mode = word[4] == "ready"   ? ServerMode::kReady
                           : word[4] == "drain" ? ServerMode::kDrain
                                                : ServerMode::kMaint;
    }
  }

 private:
  void DoMap(const std::vector<std::string>& word) {
    if (word[0] == "del") {
      ASSERT_EQ(view.routes.erase(word[3]), 1u);
    } else if (word[0] == "add") {
      ASSERT_TRUE(view.routes.emplace(word[3], word[4]).second);
    } else {
      ASSERT_TRUE(view.routes.contains(word[3]));
      view.routes[word[3]] = word[4];
    }
  }
};

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 random_;
};

std::string Numbered(std::string name, int n) { return name += std::to_string(n); }

// Routes of every kind; which one is its number.
constexpr int kRoutes = 9;
RouteKey RouteNumber(int n) {
  static const char* const kTexts[kRoutes] = {"h0.example", "h0.example/api", "h0.example/api/v2", "*.example", "*.example/api",
                                              "h1.example", ":1024",          ":1024/g",           ":1025"};
  return RouteOf(kTexts[n]);
}

// Ports say whose endpoint it is: 1000 * (route + 1) + something.
RouteTable RandomTable(Dice& dice) {
  std::vector<RouteEndpoint> endpoints;
  std::vector<RouteKey> mapped;
  for (int route = 0; route < kRoutes; ++route) {
    if (dice.Below(2) == 0) mapped.push_back(RouteNumber(route));
    if (dice.Below(3) == 0) continue;
    for (int i = dice.Below(4); i > 0; --i) {
      endpoints.push_back({RouteNumber(route), Numbered("i", dice.Below(5)), "10.0.0.1",
                           static_cast<std::uint32_t>(1000 * (route + 1) + dice.Below(2)), dice.Below(4) == 0});
    }
  }
  RouteTable table;
  table.Replace({1, 1}, endpoints, mapped);
  return table;
}

HaproxyView Present(const RouteTable& table, std::size_t backends) {
  ModelHaproxy haproxy;
  haproxy.view.tcp = {"tcp_01024", "tcp_01025"};
  for (std::size_t i = 0; i < backends; ++i) haproxy.view.pool.push_back(PoolBackendName(i));
  for (const std::string& command : PlanRoutes(table, AssignBackends(table, haproxy.view), haproxy.view, kModelMap)) {
    haproxy.Do(command);
  }
  return haproxy.view;
}

std::uint32_t OwnerOf(const HaproxyServer& server) { return server.port / 1000 - 1; }

// No route ever leads to a server of another one that takes requests; and a TCP port has servers of one route only.
void ExpectNoMixUp(const HaproxyView& view, const std::string& after) {
  for (int route = 0; route < kRoutes; ++route) {
    const auto mapped = view.routes.find(MapKey(RouteNumber(route)));
    if (mapped == view.routes.end() || !view.servers.contains(mapped->second)) continue;
    for (const auto& [name, server] : view.servers.at(mapped->second)) {
      if (server.mode != ServerMode::kReady) continue;
      EXPECT_EQ(OwnerOf(server), static_cast<std::uint32_t>(route)) << mapped->first << " after " << after;
    }
  }
  for (const std::string& backend : view.tcp) {
    std::set<std::uint32_t> owners;
    if (!view.servers.contains(backend)) continue;
    for (const auto& [name, server] : view.servers.at(backend)) {
      if (server.mode == ServerMode::kReady) owners.insert(OwnerOf(server));
    }
    EXPECT_LE(owners.size(), 1u) << backend << " after " << after;
  }
}

bool Serves(const HaproxyView& view, const RouteKey& route) {
  const auto mapped = view.routes.find(MapKey(route));
  if (mapped == view.routes.end()) return false;
  const auto servers = view.servers.find(mapped->second);
  return servers != view.servers.end() &&
         std::any_of(servers->second.begin(), servers->second.end(),
                     [](const auto& entry) { return entry.second.mode == ServerMode::kReady; });
}

// What the table asks for, asked of what HAProxy has.
void ExpectInForce(const RouteTable& table, const BackendAssignment& assignment, const HaproxyView& view) {
  for (int number = 0; number < kRoutes; ++number) {
    const RouteKey route = RouteNumber(number);
    const auto endpoints = table.routes().find(route);
    const bool has = endpoints != table.routes().end();
    EXPECT_EQ(view.routes.contains(MapKey(route)), has || table.mapped().contains(route)) << Text(route);
    const bool wanted = has && !assignment.unserved.contains(route) && !assignment.refused.contains(route) &&
                        std::any_of(endpoints->second.begin(), endpoints->second.end(),
                                    [](const auto& entry) { return !entry.second.draining; });
    EXPECT_EQ(Serves(view, route), wanted) << Text(route);
  }
}

TEST(PlanOnModel, AnyTableIsReachedFromAnyOtherWithoutAGapOrAMixUp) {
  const char* given = std::getenv("SIM_SEED");
  const unsigned first = given ? static_cast<unsigned>(std::stoul(given)) : 1;
  for (unsigned seed = first; seed < first + (given ? 1 : 600) && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("SIM_SEED=" + std::to_string(seed));
    Dice dice(seed);
    const std::size_t backends = 3 + static_cast<std::size_t>(dice.Below(6));
    const RouteTable before = RandomTable(dice);
    const RouteTable after = RandomTable(dice);
    ModelHaproxy haproxy;
    haproxy.view = Present(before, backends);
    const BackendAssignment assignment = AssignBackends(after, haproxy.view);
    std::vector<RouteKey> always;  // served before and after: must be served at each step between
    const HaproxyView start = haproxy.view;
    ModelHaproxy end = haproxy;
    const auto plan = PlanRoutes(after, assignment, haproxy.view, kModelMap);
    for (const std::string& command : plan) end.Do(command);
    for (int route = 0; route < kRoutes; ++route) {
      if (Serves(start, RouteNumber(route)) && Serves(end.view, RouteNumber(route))) always.push_back(RouteNumber(route));
    }
    for (const std::string& command : plan) {
      haproxy.Do(command);
      ExpectNoMixUp(haproxy.view, command);
      for (const RouteKey& route : always) EXPECT_TRUE(Serves(haproxy.view, route)) << Text(route) << command;
    }
    ExpectInForce(after, assignment, haproxy.view);
    EXPECT_TRUE(PlanRoutes(after, AssignBackends(after, haproxy.view), haproxy.view, kModelMap).empty());
    EXPECT_EQ(AssignBackends(after, haproxy.view).backend_of, assignment.backend_of);
  }
}

}  // namespace
}  // namespace baton::router
