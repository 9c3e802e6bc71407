// Egress rules do not keep an app from being placed where its operator says so: over a whole service.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "tests/server/convergence_fixture.h"

namespace baton {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ServiceOptions Warning() {
  ServiceOptions options;
  options.egress.by_domain["lab"] = UnenforcedEgress::kWarn;
  return options;
}

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
  Egress() : ConvergencePass(Warning()) {}
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
           "open: cannot enact egress_rules, and its operator lets no app of this domain run without them";
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

TEST_F(Egress, WhatTheOperatorDecidedIsListed) {
  v2::ListDomainsResponse all;
  ASSERT_TRUE(service.domains->ListDomains(Context().get(), {}, &all).ok());
  std::vector<std::string> said;
  for (const v2::DomainEgress& one : all.egress()) said.push_back(one.domain() + "=" + one.unenforced());
  EXPECT_THAT(said, ElementsAre("lab=warn", "*=refuse"));
}

}  // namespace
}  // namespace baton
