#include "tools/router/backend_pool.h"

#include <gmock/gmock.h>

namespace baton {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

RouteTable TableOf(const std::vector<std::string>& hostnames) {
  RouteTable table;
  std::vector<RouteEndpoint> endpoints;
  for (const std::string& hostname : hostnames) endpoints.push_back({hostname, "i1", "10.0.0.1", 80, false});
  table.Replace({1, 1}, endpoints);
  return table;
}

HaproxyView Pool(std::vector<std::string> names) {
  HaproxyView view;
  view.pool = std::move(names);
  return view;
}

TEST(BackendPool, AHostNameKeepsTheBackendThatTheMapGivesIt) {
  HaproxyView view = Pool({"be_0000", "be_0001", "be_0002"});
  view.routes = {{"b.example", "be_0002"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair("a.example", "be_0000"), Pair("b.example", "be_0002")));
  EXPECT_THAT(assignment.moved_in, ElementsAre("be_0000"));
}

TEST(BackendPool, BackendsWithoutServersAreTakenFirst) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.servers["be_0000"]["old"] = {};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair("a.example", "be_0001"), Pair("b.example", "be_0000")));
}

TEST(BackendPool, AnOverfullPoolRefusesNewcomersOnly) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.routes = {{"z.example", "be_0000"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example", "z.example"}), view);
  EXPECT_THAT(assignment.backend_of, UnorderedElementsAre(Pair("a.example", "be_0001"), Pair("z.example", "be_0000")));
  EXPECT_THAT(assignment.unserved, ElementsAre("b.example"));
}

TEST(BackendPool, OneThatWasUnservedIsServedWhenABackendIsFree) {
  HaproxyView view = Pool({"be_0000"});
  view.routes = {{"a.example", "be_full"}};
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair("a.example", "be_0000")));
  EXPECT_THAT(assignment.unserved, IsEmpty());
}

TEST(BackendPool, TwoHostNamesNeverShareABackend) {
  HaproxyView view = Pool({"be_0000", "be_0001"});
  view.routes = {{"a.example", "be_0000"}, {"b.example", "be_0000"}};  // somebody's hand
  const BackendAssignment assignment = AssignBackends(TableOf({"a.example", "b.example"}), view);
  EXPECT_THAT(assignment.backend_of, ElementsAre(Pair("a.example", "be_0000"), Pair("b.example", "be_0001")));
}

TEST(BackendPool, ARouteToABackendThatIsNotThereIsNone) {
  HaproxyView view = Pool({"be_0000"});
  view.routes = {{"a.example", "be_0099"}};
  EXPECT_THAT(AssignBackends(TableOf({"a.example"}), view).backend_of, ElementsAre(Pair("a.example", "be_0000")));
}

}  // namespace
}  // namespace baton
