// Egress rules do not keep an app from being placed where its operator says so: over a whole service.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "tests/server/convergence_fixture.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kRefused[] =
    "open: cannot enact egress_rules, and its operator lets no app of this domain run without them (baton domain egress)";

v2::DesireLRPRequest Walled(const std::string& guid, const std::string& domain) {
  v2::DesireLRPRequest request = RunningService::SmallApp(guid);
  request.mutable_desired_lrp()->set_domain(domain);
  v1::SecurityGroupRule& rule =
      *request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_egress_rules();
  rule.set_protocol("all");
  rule.add_destinations("10.0.0.0/8");
  return request;
}

class Egress : public ConvergencePass {
 protected:
  // No pass of convergence helps.
  static batond::ServiceOptions Alone() {
    batond::ServiceOptions options;
    options.converge_every = std::chrono::hours(1);
    return options;
  }
  Egress() : ConvergencePass(Alone()) {}
  void SetUp() override {
    ConvergencePass::SetUp();
    ASSERT_TRUE(Set("lab", "warn").ok());
  }
  grpc::Status Set(const std::string& domain, const std::string& unenforced) {
    v2::SetDomainEgressRequest request;
    request.set_domain(domain);
    request.set_unenforced(unenforced);
    v2::SetDomainEgressResponse response;
    return service.domains->SetDomainEgress(Context().get(), request, &response);
  }
  static std::vector<std::string> Decided(RunningService& service) {
    v2::ListDomainsResponse all;
    EXPECT_TRUE(service.domains->ListDomains(Context().get(), {}, &all).ok());
    std::vector<std::string> said;
    for (const v2::DomainEgress& one : all.egress()) said.push_back(one.domain() + "=" + one.unenforced());
    return said;
  }
  // A cell that cannot enforce them, and says that it could run without.
  void Greet(ScriptedCell& cell, const char* ability = "egress_rules.unenforced") {
    cell.hello().add_abilities(ability);
    cell.Hello();
    (void)cell.Welcome();
    cell.KeepBeating();
  }
  std::string PlacementError(const std::string& guid) {
    const auto rows = service.Instances(guid);
    return rows.size() == 1 ? rows[0].placement_error() : "";
  }
  std::vector<v2::Reason> Unenforced(const std::string& guid) {
    v2::ExplainRollRequest request;
    request.set_process_guid(guid);
    v2::ExplainRollResponse response;
    EXPECT_TRUE(service.rolls->ExplainRoll(Context().get(), request, &response).ok());
    std::vector<v2::Reason> found;
    std::ranges::copy_if(response.reasons(), std::back_inserter(found),
                         [](const v2::Reason& reason) { return reason.rule() == "egress.unenforced"; });
    return found;
  }
};

TEST_F(Egress, AnAppOfADomainThatRefusesIsPlacedNowhereAndSaysWhy) {
  ScriptedCell cell(service, "open");
  Greet(cell);
  ASSERT_TRUE(service.Desire(Walled("strict", "prod")).ok());
  EXPECT_TRUE(Eventually([&] {
    return PlacementError("strict") ==
           kRefused;
  })) << PlacementError("strict");
}

TEST_F(Egress, AnAppOfADomainThatWarnsIsPlacedAndExplainSaysSo) {
  ScriptedCell cell(service, "open");
  Greet(cell);
  ASSERT_TRUE(service.Desire(Walled("easy", "lab")).ok());
  const v2::RunOrder order = cell.NextRun();
  EXPECT_TRUE(order.egress_unenforced());
  cell.Report(ScriptedCell::Claimed(order.actual_id()));
  cell.Report(ScriptedCell::Started(order.actual_id()));
  const auto reasons = Unenforced("easy");
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].index(), 0);
  EXPECT_THAT(reasons[0].text(), HasSubstr("its cell open does not enforce the egress rules of"));

  ASSERT_TRUE(service.Desire(RunningService::SmallApp("plain")).ok());
  EXPECT_FALSE(cell.NextRun().egress_unenforced()) << "it has no such rules";
  EXPECT_EQ(Unenforced("plain").size(), 0U);
}

TEST_F(Egress, ACellThatEnforcesComesFirst) {
  ScriptedCell open(service, "a-open");
  Greet(open);
  ScriptedCell walled(service, "z-walled");
  Greet(walled, "egress_rules");
  auto app = Walled("mixed", "lab");
  app.mutable_desired_lrp()->set_instances(3);
  app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
  ASSERT_TRUE(service.Desire(app).ok());
  for (int i = 0; i < 3; ++i) {
    const v2::RunOrder order = walled.NextRun();
    EXPECT_FALSE(order.egress_unenforced());
    walled.Report(ScriptedCell::Claimed(order.actual_id()));
    walled.Report(ScriptedCell::Started(order.actual_id()));
  }
  EXPECT_EQ(Unenforced("mixed").size(), 0U);
}

TEST_F(Egress, WhatTheOperatorDecidedIsListedAndTakenBack) {
  EXPECT_THAT(Decided(service), ElementsAre("lab=warn", "*=refuse"));
  ASSERT_TRUE(Set("*", "warn").ok());
  ASSERT_TRUE(Set("prod", "refuse").ok());
  EXPECT_THAT(Decided(service), ElementsAre("lab=warn", "prod=refuse", "*=warn"));
  ASSERT_TRUE(Set("lab", "").ok());
  ASSERT_TRUE(Set("*", "").ok());
  ASSERT_TRUE(Set("never-named", "").ok());
  EXPECT_THAT(Decided(service), ElementsAre("prod=refuse", "*=refuse"));
}

TEST_F(Egress, WhatWaitsIsPlacedAsSoonAsItsDomainWarns) {
  ScriptedCell cell(service, "open");
  Greet(cell);
  ASSERT_TRUE(service.Desire(Walled("strict", "prod")).ok());
  ASSERT_TRUE(Eventually([&] { return PlacementError("strict") == kRefused; })) << PlacementError("strict");
  ASSERT_TRUE(Set("prod", "warn").ok());
  EXPECT_TRUE(cell.NextRun().egress_unenforced());
}

TEST_F(Egress, WhatWaitsIsPlacedAsSoonAsEveryOtherDomainWarns) {
  ScriptedCell cell(service, "open");
  Greet(cell);
  ASSERT_TRUE(service.Desire(Walled("strict", "prod")).ok());
  ASSERT_TRUE(Eventually([&] { return PlacementError("strict") == kRefused; })) << PlacementError("strict");
  ASSERT_TRUE(Set("*", "warn").ok());
  EXPECT_TRUE(cell.NextRun().egress_unenforced());
}

TEST_F(Egress, AfterItRefusesAgainNothingNewRunsWithout) {
  ScriptedCell cell(service, "open");
  Greet(cell);
  ASSERT_TRUE(service.Desire(Walled("easy", "lab")).ok());
  const v2::RunOrder order = cell.NextRun();
  cell.Report(ScriptedCell::Claimed(order.actual_id()));
  cell.Report(ScriptedCell::Started(order.actual_id()));
  ASSERT_TRUE(Set("lab", "refuse").ok());
  const auto reasons = Unenforced("easy");
  ASSERT_EQ(reasons.size(), 1U) << "it goes on";
  EXPECT_THAT(reasons[0].unblocks(), HasSubstr("baton domain egress lab refuse"));
  ASSERT_TRUE(service.Desire(Walled("late", "lab")).ok());
  EXPECT_TRUE(Eventually([&] { return PlacementError("late") == kRefused; })) << PlacementError("late");
}

TEST_F(Egress, OtherWordsAndNoDomainAreRefusedAndNothingChanges) {
  const grpc::Status word = Set("prod", "maybe");
  EXPECT_EQ(word.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(word.error_message(), HasSubstr("unenforced is not what it may be; it takes one of refuse, warn"));
  const grpc::Status nobody = Set("", "warn");
  EXPECT_EQ(nobody.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(nobody.error_message(), HasSubstr("domain is"));
  const grpc::Status control = Set("a\nb", "warn");
  EXPECT_EQ(control.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(Decided(service), ElementsAre("lab=warn", "*=refuse"));
}

TEST_F(Egress, ANewLeaderDoesAsWasDecided) {
  service.Stop();
  RunningService next(service.url());
  next.WaitForLead();
  EXPECT_THAT(Decided(next), ElementsAre("lab=warn", "*=refuse"));
  ScriptedCell cell(next, "open");
  Greet(cell);
  ASSERT_TRUE(next.Desire(Walled("easy", "lab")).ok());
  EXPECT_TRUE(cell.NextRun().egress_unenforced());
}

// As an online upgrade from schema 2.3 serves it.
TEST_F(Egress, DataThatHasNoPlaceForItIsServedAndRefuses) {
  service.Stop();
  Sql("DROP TABLE domain_egress");
  RunningService older(service.url());
  older.WaitForLead();
  EXPECT_THAT(Decided(older), ElementsAre("*=refuse"));
  v2::SetDomainEgressRequest request;
  request.set_domain("lab");
  request.set_unenforced("warn");
  v2::SetDomainEgressResponse response;
  const grpc::Status status = older.domains->SetDomainEgress(Context().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("schema before 2.4.0"));
}

}  // namespace
}  // namespace baton
