#include "tools/router/link/routes_wire.h"

#include <gmock/gmock.h>

namespace baton::router {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

v2::Endpoint Endpoint(const std::string& hostname, const std::string& actual_id, const std::string& address,
                      std::uint32_t port) {
  v2::Endpoint endpoint;
  endpoint.set_hostname(hostname);
  endpoint.set_actual_id(actual_id);
  endpoint.set_address(address);
  endpoint.set_port(port);
  return endpoint;
}

TEST(RoutesWire, ASnapshotsDrainingEndpointsAreMarked) {
  v2::RouteSnapshot snapshot;
  *snapshot.add_endpoints() = Endpoint("a.example", "i1", "10.0.0.1", 80);
  *snapshot.add_draining() = Endpoint("a.example", "i2", "10.0.0.2", 80);
  std::vector<RefusedRoute> refused;
  const auto endpoints = EndpointsOf(snapshot, "", refused);
  ASSERT_THAT(endpoints, SizeIs(2));
  EXPECT_FALSE(endpoints[0].draining);
  EXPECT_TRUE(endpoints[1].draining);
  EXPECT_THAT(refused, IsEmpty());
}

TEST(RoutesWire, WhatHaproxyCouldNotTakeIsRefusedAndTheRestStays) {
  v2::RouteChange change;
  *change.add_added() = Endpoint("a.example", "i1", "10.0.0.1", 80);
  *change.add_added() = Endpoint("a;b", "i1", "10.0.0.1", 80);
  *change.add_added() = Endpoint("a.example", "i 2", "10.0.0.1", 80);
  *change.add_added() = Endpoint("a.example", "i3", "cell-3.internal", 80);
  *change.add_added() = Endpoint("a.example", "i4", "10.0.0.1", 0);
  *change.add_added() = Endpoint("a.example", "i5", "10.0.0.1", 65536);
  std::vector<RefusedRoute> refused;
  const RouteDelta delta = DeltaOf(change, "", refused);
  ASSERT_THAT(delta.added, SizeIs(6));
  EXPECT_FALSE(delta.added[0].elsewhere);
  for (std::size_t i = 1; i < delta.added.size(); ++i) EXPECT_TRUE(delta.added[i].elsewhere) << i;
  EXPECT_THAT(refused, SizeIs(5));
}

TEST(RoutesWire, AChangeSaysWhoseLoadIsWanted) {
  v2::RouteChange change;
  *change.add_added() = Endpoint("a.example", "i1", "10.0.0.1", 80);
  change.mutable_added(0)->set_process_guid("shop");
  change.add_measured("shop");
  change.add_unmeasured("blog");
  std::vector<RefusedRoute> refused;
  const RouteDelta delta = DeltaOf(change, "", refused);
  EXPECT_EQ(delta.added[0].app, "shop");
  EXPECT_THAT(delta.measured, ::testing::ElementsAre("shop"));
  EXPECT_THAT(delta.unmeasured, ::testing::ElementsAre("blog"));
}

// batond takes no more, and would end the stream.
TEST(RoutesWire, OfTooManyInstancesTheLoadOfSomeIsTold) {
  const std::vector<InstanceLoad> loads(10'001, InstanceLoad{"i1", 3, 0.5});
  const v2::RouteConsumerMessage message = LoadMessage(loads);
  EXPECT_EQ(message.load().instances_size(), 10'000);
  EXPECT_EQ(message.load().instances(0).sessions(), 3);
  EXPECT_EQ(message.load().instances(0).requests_per_s(), 0.5);
  EXPECT_TRUE(LoadMessage({}).has_load()) << "nothing any more is a word, too";
}

TEST(RoutesWire, ADrainingEndpointNeedsNoAddress) {
  v2::RouteChange change;
  *change.add_draining() = Endpoint("a.example", "i1", "", 0);
  std::vector<RefusedRoute> refused;
  EXPECT_THAT(DeltaOf(change, "", refused).draining, SizeIs(1));
}

v2::Endpoint TcpEndpoint(std::uint32_t external_port, const std::string& group, const std::string& actual_id) {
  v2::Endpoint endpoint = Endpoint("", actual_id, "10.0.0.1", 80);
  endpoint.set_external_port(external_port);
  endpoint.set_router_group_guid(group);
  return endpoint;
}

TEST(RoutesWire, AllPartsOfARouteAreRead) {
  v2::RouteSnapshot snapshot;
  *snapshot.add_endpoints() = Endpoint("*.example", "i1", "10.0.0.1", 80);
  snapshot.mutable_endpoints(0)->set_path("/api/");  // the '/' at its end says nothing
  *snapshot.add_endpoints() = TcpEndpoint(1024, "g", "i2");
  v2::Route& mapped = *snapshot.add_routes();
  mapped.set_hostname("*.example");
  mapped.set_path("/api");
  std::vector<RefusedRoute> refused;
  const auto endpoints = EndpointsOf(snapshot, "", refused);
  ASSERT_THAT(endpoints, SizeIs(2));
  EXPECT_EQ(endpoints[0].route, (RouteKey{.hostname = "*.example", .path = "/api"}));
  EXPECT_EQ(endpoints[1].route, (RouteKey{.external_port = 1024, .router_group = "g"}));
  EXPECT_THAT(RoutesOf(snapshot, "", refused), ::testing::ElementsAre(endpoints[0].route));
  EXPECT_THAT(refused, IsEmpty());
}

TEST(RoutesWire, TcpRoutesOfAnotherGroupAreNotServedAndNotRefused) {
  v2::RouteChange change;
  *change.add_added() = TcpEndpoint(1024, "ours", "i1");
  *change.add_added() = TcpEndpoint(1025, "theirs", "i2");
  *change.add_added() = TcpEndpoint(1026, "", "i3");
  *change.add_draining() = TcpEndpoint(1025, "theirs", "i4");
  change.add_mapped()->set_external_port(1025);
  change.mutable_mapped(0)->set_router_group_guid("theirs");
  std::vector<RefusedRoute> refused;
  const RouteDelta delta = DeltaOf(change, "ours", refused);
  ASSERT_THAT(delta.added, SizeIs(3));
  EXPECT_FALSE(delta.added[0].elsewhere);
  EXPECT_TRUE(delta.added[1].elsewhere);
  EXPECT_FALSE(delta.added[2].elsewhere);
  ASSERT_THAT(delta.draining, SizeIs(1));
  EXPECT_TRUE(delta.draining[0].elsewhere);
  EXPECT_THAT(delta.mapped, IsEmpty());
  EXPECT_THAT(refused, IsEmpty());
}

// It was left out, and batond waited for this router's word until the drain's timeout.
TEST(RoutesWire, ARefusedEndpointThatDrainsIsKnownSoThatItIsReported) {
  v2::RouteSnapshot snapshot;
  *snapshot.add_draining() = Endpoint("A;b", "i1", "10.0.0.1", 80);
  std::vector<RefusedRoute> refused;
  RouteTable table;
  table.Replace({1, 1}, EndpointsOf(snapshot, "", refused));
  EXPECT_THAT(refused, SizeIs(1));
  EXPECT_THAT(table.routes(), IsEmpty());
  EXPECT_THAT(table.DrainingInstances(), ::testing::ElementsAre("i1"));
}

TEST(RoutesWire, ARouteThatCannotBeTakenIsRefusedByName) {
  v2::RouteSnapshot snapshot;
  snapshot.add_routes()->set_hostname("a.example;shutdown");
  v2::Route& path = *snapshot.add_routes();
  path.set_hostname("a.example");
  path.set_path("/x y");
  std::vector<RefusedRoute> refused;
  EXPECT_THAT(RoutesOf(snapshot, "", refused), IsEmpty());
  ASSERT_THAT(refused, SizeIs(2));
  EXPECT_EQ(refused[1].route, "a.example/x y");
}

}  // namespace
}  // namespace baton::router
