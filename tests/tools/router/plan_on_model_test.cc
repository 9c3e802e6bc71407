// The plan against a model of HAProxy that carries commands out, over random tables and random states of HAProxy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

#include "tools/router/backend_pool.h"
#include "tools/router/naming.h"
#include "tools/router/route_plan.h"

namespace baton {
namespace {

constexpr char kMap[] = "/m";

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
std::string Host(int n) { return Numbered("h", n).append(".example"); }

// Ports say whose endpoint it is: 1000 * (host + 1) + something.
RouteTable RandomTable(Dice& dice) {
  std::vector<RouteEndpoint> endpoints;
  for (int host = 0; host < 6; ++host) {
    if (dice.Below(3) == 0) continue;
    for (int i = dice.Below(4); i > 0; --i) {
      endpoints.push_back({Host(host), Numbered("i", dice.Below(5)), "10.0.0.1",
                           static_cast<std::uint32_t>(1000 * (host + 1) + dice.Below(2)), dice.Below(4) == 0});
    }
  }
  RouteTable table;
  table.Replace({1, 1}, endpoints);
  return table;
}

HaproxyView Present(const RouteTable& table, std::size_t backends) {
  ModelHaproxy haproxy;
  for (std::size_t i = 0; i < backends; ++i) haproxy.view.pool.push_back(PoolBackendName(i));
  for (const std::string& command : PlanRoutes(table, AssignBackends(table, haproxy.view), haproxy.view, kMap)) {
    haproxy.Do(command);
  }
  return haproxy.view;
}

// No host name ever leads to a server of another one that takes requests.
void ExpectNoMixUp(const HaproxyView& view, const std::string& after) {
  for (const auto& [hostname, backend] : view.routes) {
    const auto servers = view.servers.find(backend);
    if (servers == view.servers.end()) continue;
    const auto host = static_cast<std::uint32_t>(hostname[1] - '0');
    for (const auto& [name, server] : servers->second) {
      if (server.mode != ServerMode::kReady) continue;
      EXPECT_EQ(server.port / 1000, host + 1) << hostname << " after " << after;
    }
  }
}

bool Serves(const HaproxyView& view, const std::string& hostname) {
  const auto route = view.routes.find(hostname);
  if (route == view.routes.end()) return false;
  const auto servers = view.servers.find(route->second);
  return servers != view.servers.end() &&
         std::any_of(servers->second.begin(), servers->second.end(),
                     [](const auto& entry) { return entry.second.mode == ServerMode::kReady; });
}

TEST(PlanOnModel, AnyTableIsReachedFromAnyOtherWithoutAGapOrAMixUp) {
  const char* given = std::getenv("SIM_SEED");
  const unsigned first = given ? static_cast<unsigned>(std::stoul(given)) : 1;
  for (unsigned seed = first; seed < first + (given ? 1 : 3000) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("SIM_SEED=" + std::to_string(seed));
    Dice dice(seed);
    const std::size_t backends = 3 + static_cast<std::size_t>(dice.Below(6));
    const RouteTable before = RandomTable(dice);
    const RouteTable after = RandomTable(dice);
    ModelHaproxy haproxy;
    haproxy.view = Present(before, backends);
    const BackendAssignment assignment = AssignBackends(after, haproxy.view);
    std::vector<std::string> always;  // served before and after: must be served at each step between
    const HaproxyView start = haproxy.view;
    ModelHaproxy end = haproxy;
    const auto plan = PlanRoutes(after, assignment, haproxy.view, kMap);
    for (const std::string& command : plan) end.Do(command);
    for (int host = 0; host < 6; ++host) {
      if (Serves(start, Host(host)) && Serves(end.view, Host(host))) always.push_back(Host(host));
    }
    for (const std::string& command : plan) {
      haproxy.Do(command);
      ExpectNoMixUp(haproxy.view, command);
      for (const std::string& hostname : always) EXPECT_TRUE(Serves(haproxy.view, hostname)) << hostname << command;
    }
    EXPECT_TRUE(PlanRoutes(after, AssignBackends(after, haproxy.view), haproxy.view, kMap).empty());
    EXPECT_EQ(AssignBackends(after, haproxy.view).backend_of, assignment.backend_of);
  }
}

}  // namespace
}  // namespace baton
