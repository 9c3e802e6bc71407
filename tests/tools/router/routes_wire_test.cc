#include "tools/router/routes_wire.h"

#include <gmock/gmock.h>

namespace baton {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

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
  std::vector<RefusedEndpoint> refused;
  const auto endpoints = EndpointsOf(snapshot, refused);
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
  std::vector<RefusedEndpoint> refused;
  EXPECT_THAT(DeltaOf(change, refused).added, SizeIs(1));
  EXPECT_THAT(refused, SizeIs(5));
}

TEST(RoutesWire, ADrainingEndpointNeedsNoAddress) {
  v2::RouteChange change;
  *change.add_draining() = Endpoint("a.example", "i1", "", 0);
  std::vector<RefusedEndpoint> refused;
  EXPECT_THAT(DeltaOf(change, refused).draining, SizeIs(1));
}

}  // namespace
}  // namespace baton
