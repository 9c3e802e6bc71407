#include "tools/router/routes/backend_pool.h"

#include <gmock/gmock.h>

#include "tests/tools/router/route_of.h"
#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Each with one instance; those that begin with '~' with one that drains; those with '-' are mapped only.
RouteTable TableOf(const std::vector<std::string>& texts) {
  RouteTable table;
  std::vector<RouteEndpoint> endpoints;
  std::vector<RouteKey> mapped;
  for (const std::string& text : texts) {
    const bool marked = text.starts_with('~') || text.starts_with('-');
    const RouteKey route = RouteOf(text.substr(marked ? 1 : 0));
    if (text.starts_with('-')) {
      mapped.push_back(route);
    } else {
      endpoints.push_back({route, "i1", "10.0.0.1", 80, text.starts_with('~')});
    }
  }
  table.Replace({1, 1}, endpoints, mapped);
  return table;
}

auto Route(const std::string& text) { return ::testing::Eq(RouteOf(text)); }

HaproxyView Pool(std::vector<std::string> names) {
  HaproxyView view;
  view.pool = std::move(names);
  return view;
}

TEST(BackendPool, ARouteKeepsTheBackendThatTheMapGivesIt) {
  HaproxyView view = Pool({"be_0000", "be_0001", "be_0002"});
  view.routes = {{"b.example/", "be_0002"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair(Route("a.example"), "be_0000"), Pair(Route("b.example"), "be_0002")));
  EXPECT_THAT(assignment.moved_in, ElementsAre("be_0000"));
}

TEST(BackendPool, BackendsWithoutServersAreTakenFirst) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.servers["be_0000"]["old"] = {};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair(Route("a.example"), "be_0001"), Pair(Route("b.example"), "be_0000")));
}

TEST(BackendPool, AnOverfullPoolRefusesNewcomersOnly) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.routes = {{"z.example/", "be_0000"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example", "z.example"}), view);
  EXPECT_THAT(assignment.backend_of, UnorderedElementsAre(Pair(Route("a.example"), "be_0001"), Pair(Route("z.example"), "be_0000")));
  EXPECT_THAT(assignment.unserved, ElementsAre(Route("b.example")));
}

TEST(BackendPool, OneThatWasUnservedIsServedWhenABackendIsFree) {
  HaproxyView view = Pool({"be_0000"});
  view.routes = {{"a.example/", "be_full"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair(Route("a.example"), "be_0000")));
  EXPECT_THAT(assignment.unserved, IsEmpty());
}

TEST(BackendPool, TwoRoutesNeverShareABackend) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.routes = {{"a.example/", "be_0000"}, {"b.example/", "be_0000"}};  // somebody's hand
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair(Route("a.example"), "be_0000"), Pair(Route("b.example"), "be_0001")));
}

TEST(BackendPool, ARouteToABackendThatIsNotThereIsNone) {
  HaproxyView view = Pool({"be_0000"});
  view.routes = {{"a.example/", "be_0099"}};
  EXPECT_THAT(AssignBackends(TableOf({"a.example"}), view).backend_of, ElementsAre(Pair(Route("a.example"), "be_0000")));
}

TEST(BackendPool, RoutesOfOneHostNameHaveBackendsOfTheirOwn) {
  HaproxyView view = Pool({"be_0000", "be_0001", "be_0002"});
  view.routes = {{"a.example/api/", "be_0001"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "a.example/api", "*.example"}), view);
  EXPECT_THAT(assignment.backend_of,
              UnorderedElementsAre(Pair(Route("a.example/api"), "be_0001"), Pair(Route("*.example"), "be_0000"),
                                   Pair(Route("a.example"), "be_0002")));
}

TEST(BackendPool, ARouteThatNobodyServesNeedsNoBackend) {
  const BackendAssignment assignment =
      AssignBackends(TableOf({"-a.example", "~b.example", "-c.example", "c.example"}), Pool({"be_0000"}));
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair(Route("c.example"), "be_0000")));
  EXPECT_THAT(MapEntries(assignment), ElementsAre(Pair("a.example/", "be_idle"), Pair("b.example/", "be_idle"),
                                                  Pair("c.example/", "be_0000")));
}

TEST(BackendPool, ARouteWhoseLastEndpointDrainsKeepsItsBackend) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.routes = {{"b.example/", "be_0001"}};
  EXPECT_THAT(AssignBackends(TableOf({"~b.example"}), view).backend_of,
              ElementsAre(Pair(Route("b.example"), "be_0001")));
}

TEST(BackendPool, ATcpRouteHasTheBackendOfItsPortAndNoOther) {
  HaproxyView view = Pool({"be_0000"});
  view.tcp = {"tcp_01024", "tcp_01025"};
  view.routes = {{":1025/", "be_0000"}};  // somebody's hand
  const BackendAssignment assignment = AssignBackends(TableOf({":1024", ":1025", "a.example"}), view);
  EXPECT_THAT(assignment.backend_of,
              UnorderedElementsAre(Pair(Route(":1024"), "tcp_01024"), Pair(Route(":1025"), "tcp_01025"),
                                   Pair(Route("a.example"), "be_0000")));
}

TEST(BackendPool, APortOutsideOfTheRangeIsRefusedByName) {
  HaproxyView view = Pool({"be_0000"});
  view.tcp = {"tcp_01024"};
  const BackendAssignment assignment = AssignBackends(TableOf({":1024", ":1025"}), view);
  EXPECT_THAT(assignment.refused, ElementsAre(Pair(Route(":1025"), ::testing::HasSubstr("--tcp-ports"))));
  EXPECT_THAT(MapEntries(assignment), ElementsAre(Pair(":1024/", "tcp_01024"), Pair(":1025/", "be_full")));
}

TEST(BackendPool, TwoGroupsThatWantOnePortAreNotMixed) {
  HaproxyView view = Pool({});
  view.tcp = {"tcp_01024"};
  view.routes = {{":1024/g2", "tcp_01024"}};  // it was there first
  const BackendAssignment assignment = AssignBackends(TableOf({":1024/g1", ":1024/g2"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair(Route(":1024/g2"), "tcp_01024")));
  EXPECT_THAT(assignment.refused, ElementsAre(Pair(Route(":1024/g1"), ::testing::HasSubstr("another router group"))));
}

}  // namespace
}  // namespace baton::router
