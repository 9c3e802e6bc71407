// Which request goes where, and what is answered where nobody serves: with a real HAProxy, changed while it runs.
#include <gmock/gmock.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "tests/tools/router/http_client.h"
#include "tests/tools/router/load.h"
#include "tests/tools/router/router_stack.h"
#include "tests/tools/router/wait_until.h"

namespace baton::router {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// An instance by the name of its route.
struct Served {
  explicit Served(const std::string& route_text) : route(route_text), instance(route_text) {}
  v2::Endpoint endpoint(const std::string& actual_id = "i") const {
    return MakeEndpoint(route, actual_id, instance.port());
  }
  std::string route;
  HttpInstance instance;
};

class RoutesE2e : public ::testing::Test {
 protected:
  // A router with this table in force.
  void Begin(const std::vector<v2::Endpoint>& endpoints, const std::vector<std::string>& routes = {}) {
    stack_.Spawn({"--retries", "0"});
    ASSERT_TRUE(stack_.routes().WaitForStream(1));
    ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Snapshot(endpoints, {}, routes)));
    worker_ = stack_.WorkerPid();
  }
  std::string Answer(const std::string& host, const std::string& path) const {
    const HttpAnswer answer = GetOnce(stack_.port(), host, path);
    return answer.status == 200 ? answer.body : std::to_string(answer.status) + " " + answer.Header("x-baton-error");
  }
  void ExpectNoReload() {
    EXPECT_EQ(stack_.WorkerPid(), worker_);
    EXPECT_THAT(stack_.RouterLog(), Not(HasSubstr("haproxy_reloading")));
  }

  RouterStack stack_;
  int worker_ = 0;
};

// Whoever sends a request could say that it comes from anybody.
TEST_F(RoutesE2e, AForgedXForwardedForDoesNotPassAndATrustedOneDoes) {
  const Served app("a.example");
  const auto seen = [&] {
    HttpClient client(stack_.port());
    return client.Get("a.example", "/headers", "X-Forwarded-For: 6.6.6.6\r\n").body;
  };
  Begin({app.endpoint()});
  EXPECT_THAT(seen(), AllOf(Not(HasSubstr("6.6.6.6")), HasSubstr("127.0.0.1")));
  ASSERT_TRUE(stack_.StopRouter());
  stack_.Spawn({"--retries", "0", "--trust-forwarded", "10.0.0.0/8,127.0.0.1"});
  ASSERT_TRUE(stack_.routes().WaitForStream(2));
  ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Snapshot({app.endpoint()}, {}, {})));
  EXPECT_THAT(seen(), AllOf(HasSubstr("6.6.6.6"), HasSubstr("127.0.0.1")));
}

// What an operator sees of an app that rolls.
TEST_F(RoutesE2e, TheLoadOfWhatIsMeasuredIsToldAndOfNothingElse) {
  const Served app("a.example");
  const Served other("b.example");
  Begin({app.endpoint("i1"), other.endpoint("i2")});
  ScriptedRoutes& routes = stack_.routes();
  v2::RouteMessage message;
  v2::Endpoint measured = app.endpoint("i1");
  measured.set_process_guid("shop");
  *message.mutable_change()->add_added() = measured;
  message.mutable_change()->add_measured("shop");
  ASSERT_TRUE(routes.WaitApplied(routes.SendChange(message.change())));
  Load traffic(stack_.port(), {{.host = "a.example", .answered_by = "a.example"}});
  HttpClient slow(stack_.port());
  ASSERT_EQ(slow.Send("a.example", "/slow/600000"), "");
  EXPECT_TRUE(routes.WaitLoad([](const v2::RouteLoad& load) {
    return load.instances_size() == 1 && load.instances(0).actual_id() == "i1" && load.instances(0).sessions() >= 1 &&
           load.instances(0).requests_per_s() > 1;
  }));
  traffic.Stop();
  // A long request is one session, and no further request.
  EXPECT_TRUE(routes.WaitLoad([](const v2::RouteLoad& load) {
    return load.instances_size() == 1 && load.instances(0).sessions() == 1 && load.instances(0).has_requests_per_s() &&
           load.instances(0).requests_per_s() == 0;
  }));
  routes.Change({}, {app.endpoint("i1")}, {});
  message.Clear();
  message.mutable_change()->add_unmeasured("shop");
  routes.SendChange(message.change());
  EXPECT_TRUE(routes.WaitLoad([](const v2::RouteLoad& load) { return load.instances_size() == 1; })) << "it drains";
  routes.Change({}, {}, {MakeKey("a.example", "i1")});
  EXPECT_TRUE(routes.WaitLoad([](const v2::RouteLoad& load) { return load.instances().empty(); }))
      << "nothing any more";
}

// They read what anybody sends.
TEST_F(RoutesE2e, WorkersOfARouterThatIsRootAreNot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root has anything to give up";
  const Served app("a.example");
  Begin({app.endpoint()});
  struct stat worker {};
  ASSERT_EQ(stat(("/proc/" + std::to_string(worker_)).c_str(), &worker), 0);
  EXPECT_EQ(worker.st_uid, getpwnam("haproxy")->pw_uid);
  EXPECT_EQ(Answer("a.example", "/"), "a.example");
  EXPECT_THAT(stack_.RouterLog(), Not(HasSubstr("haproxy_keeps_root")));
}

TEST_F(RoutesE2e, TheLongestHostNameWinsAndThenTheLongestPath) {
  std::vector<std::unique_ptr<Served>> apps;
  std::vector<v2::Endpoint> endpoints;
  for (const char* route : {"a.example", "a.example/api", "a.example/api/v2", "*.example", "*.example/api",
                            "*.deep.example", "x.deep.example/only"}) {
    apps.push_back(std::make_unique<Served>(route));
    endpoints.push_back(apps.back()->endpoint());
  }
  Begin(endpoints);
  std::string deep;
  for (int i = 0; i < 60; ++i) deep += "l.";
  const std::vector<std::array<std::string, 3>> asked{
      {"a.example", "/", "a.example"},
      {"A.Example:8080", "/", "a.example"},
      {"a.example.", "/", "a.example"},
      {"a.example", "/api", "a.example/api"},
      {"a.example", "/api/", "a.example/api"},
      {"a.example", "/api?x=/y", "a.example/api"},
      {"a.example", "/?/api", "a.example"},
      {"a.example", "/api/x", "a.example/api"},
      {"a.example", "/apis", "a.example"},
      {"a.example", "/API", "a.example"},
      {"a.example", "/api/v2", "a.example/api/v2"},
      {"a.example", "/api/v2/x", "a.example/api/v2"},
      {"a.example", "/api/v20", "a.example/api"},
      // As it was sent, byte by byte: what an app gets begins with its path, and nothing is decoded.
      {"a.example", "//api", "a.example"},
      {"a.example", "/x/../api", "a.example"},
      {"a.example", "/api/../x", "a.example/api"},
      {"a.example", "/%61pi", "a.example"},
      {"a.example", "/api%2Fv2", "a.example"},
      {"b.example", "/", "*.example"},
      {"c.b.example", "/apis", "*.example"},
      {"c.b.example", "/api/x", "*.example/api"},
      {deep + "example", "/", "*.example"},
      {deep + "deep.example", "/", "*.deep.example"},
      {"deep.example", "/", "*.example"},
      {"x.deep.example", "/only/this", "x.deep.example/only"},
      // Its longest host name has no route for this path: the best of all that fit both.
      {"x.deep.example", "/", "*.deep.example"},
      {"x.deep.example", "/api", "*.deep.example"},
      {"example", "/", "404 unknown_route"},
      {"b.test", "/", "404 unknown_route"},
      // Host names that would be read as another part of the map's entries.
      {"a.example/api", "/", "404 unknown_route"},
      {"*.example", "/", "404 unknown_route"},
      {"example*", "/", "404 unknown_route"},
      {":1024", "/", "404 unknown_route"},
      {"a.example;b", "/", "404 unknown_route"},
  };
  for (const auto& [host, path, answer] : asked) EXPECT_EQ(Answer(host, path), answer) << host << " " << path;
  EXPECT_EQ(Answer("a.example", "/" + std::string(12'000, 'x')), "a.example");
  EXPECT_EQ(Answer("a.example", "/api/" + std::string(12'000, 'x')), "a.example/api");
}

TEST_F(RoutesE2e, AnUnknownRouteIs404AndAKnownOneThatNobodyServes503) {
  const Served app("a.example");
  Begin({app.endpoint()}, {"a.example", "b.example/api", "*.c.example"});
  EXPECT_EQ(Answer("a.example", "/"), "a.example");
  EXPECT_EQ(Answer("b.example", "/api/x"), "503 no_endpoints");
  EXPECT_EQ(Answer("b.example", "/"), "404 unknown_route");
  EXPECT_EQ(Answer("x.c.example", "/"), "503 no_endpoints");
  EXPECT_THAT(GetOnce(stack_.port(), "b.example").body, HasSubstr("no route for this host name"));

  ScriptedRoutes& routes = stack_.routes();
  const auto expect_503 = [&](const std::string& when) {
    const HttpAnswer answer = GetOnce(stack_.port(), "a.example");
    EXPECT_EQ(answer.status, 503) << when;
    EXPECT_EQ(answer.Header("x-baton-error"), "no_endpoints") << when;
    EXPECT_EQ(answer.Header("retry-after"), "1") << when;
    EXPECT_THAT(answer.body, HasSubstr("no endpoint")) << when;
  };
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {app.endpoint()})));
  expect_503("its last endpoint drains");
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {}, {MakeKey("a.example", "i")})));
  expect_503("its last endpoint was removed");
  ASSERT_TRUE(routes.WaitApplied(routes.Change({app.endpoint("i2")})));
  EXPECT_EQ(Answer("a.example", "/"), "a.example");
  ASSERT_TRUE(routes.WaitApplied(routes.Mapped({}, {"a.example"})));
  EXPECT_EQ(Answer("a.example", "/"), "a.example");  // an endpoint maps its route, whatever the list says
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {}, {MakeKey("a.example", "i2")})));
  EXPECT_EQ(Answer("a.example", "/"), "404 unknown_route");
  ASSERT_TRUE(routes.WaitApplied(routes.Mapped({"a.example"})));
  expect_503("it was mapped");
  ExpectNoReload();
}

TEST_F(RoutesE2e, ALeaderThatTellsNoRoutesIsServedAsBefore) {
  const Served app("a.example");
  Begin({app.endpoint()});
  ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Change({}, {app.endpoint()})));
  EXPECT_EQ(Answer("a.example", "/"), "503 no_endpoints");
  ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Change({}, {}, {MakeKey("a.example", "i")})));
  EXPECT_EQ(Answer("a.example", "/"), "404 unknown_route");
}

// Each route's instances are replaced, and routes that are longer than others come and go, over and over.
TEST_F(RoutesE2e, AllIsChangedUnderTrafficWithoutAFailureOrAReload) {
  const Served root("a.example"), api("a.example/api"), wild("*.example"), more("a.example/api/v2"), exact("b.example");
  const std::vector<const Served*> kept{&root, &api, &wild};
  std::vector<v2::Endpoint> endpoints;
  for (const Served* app : kept) endpoints.push_back(app->endpoint("i0"));
  Begin(endpoints, {"a.example", "a.example/api", "*.example", "idle.example"});
  Load load(stack_.port(), {{"a.example", "/", "a.example"},
                            {"a.example", "/apis", "a.example"},
                            {"a.example", "/api/x", "a.example/api"},
                            {"c.example", "/", "*.example"},
                            {"d.c.example", "/api", "*.example"},
                            // Of a route that comes and goes: the longer or the shorter one, but always one of them.
                            {"a.example", "/api/v2/x", "a.example/api"},
                            {"b.example", "/", ""}});
  ScriptedRoutes& routes = stack_.routes();
  for (int round = 0; round < 6; ++round) {
    const std::string before = "i" + std::to_string(round);
    const std::string next = "i" + std::to_string(round + 1);
    std::vector<v2::Endpoint> old{more.endpoint(before), exact.endpoint(before)};
    std::vector<v2::EndpointKey> gone{MakeKey(more.route, before), MakeKey(exact.route, before)};
    std::vector<v2::Endpoint> added;
    for (const Served* app : kept) {
      added.push_back(app->endpoint(next));
      old.push_back(app->endpoint(before));
      gone.push_back(MakeKey(app->route, before));
    }
    routes.Change({more.endpoint(before), exact.endpoint(before)});
    ASSERT_TRUE(routes.WaitApplied(routes.Change(added)));
    ASSERT_TRUE(load.Further(50));
    // Routes that go are unmapped, not left without endpoints.
    routes.Change({}, {}, {gone[0], gone[1]});
    ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {old.begin() + 2, old.end()})));
    ASSERT_TRUE(routes.WaitDrained(before));
    ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {}, gone)));
    ASSERT_TRUE(load.Further(50));
  }
  load.Stop();
  EXPECT_EQ(load.failures(), 0) << load.FirstFailures();
  EXPECT_GT(load.requests(), 500);
  ExpectNoReload();
}

TEST_F(RoutesE2e, AnInstanceOfSeveralRoutesIsDrainedWhenNoneHasConnections) {
  const Served app("app");
  const std::vector<std::string> texts{"a.example", "*.b.example", "c.example/slow"};
  std::vector<v2::Endpoint> endpoints;
  for (const std::string& route : texts) endpoints.push_back(MakeEndpoint(route, "i", app.instance.port()));
  Begin(endpoints, texts);
  HttpClient client(stack_.port());
  ASSERT_EQ(client.Send("c.example", "/slow/1500"), "");
  ASSERT_TRUE(WaitUntil([&] { return app.instance.running() == 1; }));
  ScriptedRoutes& routes = stack_.routes();
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {endpoints[0], endpoints[1]})));
  EXPECT_EQ(Answer("c.example", "/slow/0"), "app");  // it still serves there
  ASSERT_TRUE(routes.WaitApplied(routes.Change({}, {endpoints[2]})));
  EXPECT_EQ(Answer("c.example", "/slow/0"), "503 no_endpoints");
  EXPECT_FALSE(routes.IsDrained("i"));
  EXPECT_EQ(client.Receive().status, 200);
  EXPECT_TRUE(routes.WaitDrained("i"));
}

TEST_F(RoutesE2e, HostileRoutesAreRefusedByNameAndTheRestIsServed) {
  const Served app("a.example");
  Begin({app.endpoint(), MakeEndpoint("b.example;shutdown sessions server", "i", app.instance.port()),
         MakeEndpoint("a.example/x y", "i", app.instance.port()), MakeEndpoint("*.*.example", "i", app.instance.port())},
        {"a.example", "x\ny", std::string(300, 'a'), "c.example/" + std::string(2000, 'p')});
  EXPECT_EQ(Answer("a.example", "/"), "a.example");
  EXPECT_EQ(stack_.Look()->routes.size(), 1u);
  EXPECT_THAT(stack_.RouterLog(), HasSubstr("b.example;shutdown sessions server"));
  EXPECT_THAT(stack_.RouterLog(), HasSubstr("route_refused"));
  EXPECT_THAT(stack_.RouterLog(), Not(HasSubstr("haproxy_refused")));
}

TEST_F(RoutesE2e, TheStatusPageTellsRoutesApart) {
  const Served app("a.example/api");
  Begin({app.endpoint()}, {"a.example/api", "*.b.example"});
  const auto table = stack_.RouterCommand("status --socket " + stack_.files().socket);
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.text, HasSubstr("a.example/api "));
  EXPECT_THAT(table.text, HasSubstr("*.b.example "));
  const auto json = stack_.RouterCommand("status -o json --socket " + stack_.files().socket);
  EXPECT_THAT(json.text, HasSubstr("\"hostname\": \"*.b.example\""));
  EXPECT_THAT(json.text, HasSubstr("\"path\": \"/api\""));
}

}  // namespace
}  // namespace baton::router
