// What the routing table and the host names' owners have of apps, after a hand has been in the rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/server/convergence_fixture.h"
#include "tests/server/two_routed_apps.h"

namespace baton {
namespace {

using ::testing::ElementsAre;

class RoutesAfterAHand : public ConvergencePass {
 protected:
  void SetUp() override {
    ConvergencePass::SetUp();
    cell.emplace(service, "one");
    cell->Hello();
    RouteTwoApps(service, *cell);
    EXPECT_TRUE(Eventually([&] { return Serving("a61001.example") && Serving("a61002.example"); }));
    EXPECT_EQ(Stale().found(), 0);
  }
  bool Serving(const std::string& hostname) { return PortServing(service, hostname) != 0; }
  v2::ConvergenceCategory Stale() { return Of(Run(), "stale_routes"); }
  // An app of another domain wants this name.
  grpc::StatusCode Take(const std::string& hostname) {
    auto app = RunningService::SmallApp("heir", 0);
    app.mutable_desired_lrp()->set_domain("another");
    (*app.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
        R"([{"hostnames":[")" + hostname + R"("],"port":8080}])";
    return service.Desire(app).error_code();
  }

  std::optional<ScriptedCell> cell;
};

TEST_F(RoutesAfterAHand, AnAppOfWhichNothingIsLeftHasNone) {
  EXPECT_EQ(Take("a61001.example"), grpc::StatusCode::FAILED_PRECONDITION);
  Sql("DELETE FROM actual_lrps WHERE process_guid = 'app-61001'; DELETE FROM desired_lrps WHERE process_guid = "
      "'app-61001'");
  EXPECT_TRUE(Serving("a61001.example"));
  EXPECT_THAT(Stale().examples(), ElementsAre("app-61001"));
  EXPECT_FALSE(Serving("a61001.example"));
  EXPECT_TRUE(Serving("a61002.example"));
  EXPECT_EQ(Take("a61001.example"), grpc::StatusCode::OK) << "the name is nobody's";
  EXPECT_EQ(Stale().found(), 0);
}

TEST_F(RoutesAfterAHand, ARouteThatNobodyServesIsToldAnewToo) {
  for (const char* guid : {"idle", "other"}) {
    auto app = RunningService::SmallApp(guid, 0);
    (*app.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
        R"([{"hostnames":[")" + std::string(guid) + R"(.example"],"port":8080}])";
    ASSERT_TRUE(service.Desire(app).ok());
  }
  EXPECT_EQ(Stale().found(), 0);
  Sql("UPDATE desired_lrps SET routes = (SELECT routes FROM desired_lrps WHERE process_guid = 'other') WHERE "
      "process_guid = 'idle'");
  EXPECT_THAT(Stale().examples(), ElementsAre("idle"));
  EXPECT_EQ(Stale().found(), 0);
  EXPECT_EQ(Take("idle.example"), grpc::StatusCode::OK) << "the name is nobody's";
}

TEST_F(RoutesAfterAHand, WhatDrainsIsForgottenWithItsRow) {
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("app-61001");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(service.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  const auto draining = [&] {
    v2::ListEndpointsRequest request;
    request.set_with_draining(true);
    request.set_process_guid("app-61001");
    const auto context = Context();
    const auto stream = service.routes->ListEndpoints(context.get(), request);
    int count = 0;
    for (v2::ListEndpointsResponse page; stream->Read(&page);) count += page.endpoints_size();
    EXPECT_TRUE(stream->Finish().ok());
    return count;
  };
  ASSERT_TRUE(Eventually([&] { return draining() == 1; }));
  Sql("DELETE FROM actual_lrps WHERE process_guid = 'app-61001'");
  EXPECT_THAT(Stale().examples(), ElementsAre("app-61001"));
  EXPECT_EQ(draining(), 0);
}

// Commits that come between the reading of rows and the look at the table are no fault.
TEST_F(RoutesAfterAHand, NothingIsFoundWhileAnAppIsWritten) {
  ExpectNoneBesideWrites("stale_routes", "app-61001", [](int i, auto& update) {
    (*update.mutable_routes()->mutable_routes())["cf-router"] =
        R"([{"hostnames":["b)" + std::to_string(i) + R"(.example"],"port":8080}])";
  });
}

}  // namespace
}  // namespace baton
