#include "tools/definitions/startable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::definitions {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Startable : public ::testing::Test {
 protected:
  Startable() {
    app_.guid = ProcessGuid("shop");
    app_.desired = DesiredLrp{.incarnation = 1};
    app_.desired->domain = "prod";
    app_.desired->active = definition_.id = DefinitionId("v1");
    definition_.root_fs = "host:";
    message_.mutable_resource()->set_root_fs("host:");
    message_.mutable_run_info()->mutable_action()->mutable_run_action()->set_path("/bin/app");
    message_.mutable_run_info()->mutable_action()->mutable_run_action()->set_user("vcap");
    AddCell("c-1", {"run", "egress_rules.unenforced"});
    AddCell("c-2", {"run"});
  }
  void AddCell(const std::string& id, std::vector<std::string> abilities) {
    CellRecord cell;
    cell.id = CellId(id);
    cell.stacks = {"host:"};
    cell.abilities = std::move(abilities);
    cell.capacity = {1024, 1024, 0, 10};
    fleet_.cells.push_back(cell);
  }
  std::vector<std::string> Warnings() const {
    std::vector<std::string> all;
    for (const CheckFinding& one : StartWarnings(app_, definition_, message_, fleet_)) all.push_back(one.fault + "; " + one.remedy);
    return all;
  }

  AppState app_;
  Definition definition_;
  v2::LRPDefinition message_;
  KnownFleet fleet_;
};

TEST_F(Startable, WhatOneCellTakesIsNoWarning) {
  definition_.needs = {"run"};
  EXPECT_THAT(Warnings(), IsEmpty());
}

TEST_F(Startable, EgressRulesGoByWhatIsDecidedOfTheDomain) {
  definition_.needs = {"egress_rules", "run"};
  EXPECT_THAT(Warnings(), ElementsAre(HasSubstr("definition.run_info.egress_rules: no cell of 2 can enact egress_rules; let apps of "
                                                "domain prod run without (baton domain egress)")));
  fleet_.egress.Set("prod", UnenforcedEgress::kWarn);
  EXPECT_THAT(Warnings(), IsEmpty());
  fleet_.cells.erase(fleet_.cells.begin());
  EXPECT_THAT(Warnings(), ElementsAre(HasSubstr("no cell of 1 can enact egress_rules"))) << "it does not run without them";
  AddCell("c-3", {"run", "egress_rules"});
  EXPECT_THAT(Warnings(), IsEmpty());
}

TEST_F(Startable, EachFieldIsNamed) {
  definition_.needs = {"privileged", "run", "volume_driver.nfs", "volume_mounts"};
  definition_.placement_tags = {"gpu"};
  definition_.root_fs = "preloaded:cflinuxfs4";
  EXPECT_THAT(Warnings(),
              ElementsAre(HasSubstr("definition.run_info.privileged"), HasSubstr("definition.run_info.volume_mounts: no cell of 2 can enact volume_driver.nfs"),
                          HasSubstr("definition.run_info.volume_mounts"), HasSubstr("definition.resource.root_fs: no cell has a stack for preloaded:cflinuxfs4"),
                          HasSubstr("definition.placement_tags: no cell has gpu")));
}

TEST_F(Startable, WhereNoOneCellHasAllEachSaysWhy) {
  definition_.needs = {"run"};
  definition_.resources.memory_mb = 4096;
  EXPECT_THAT(Warnings(), ElementsAre(HasSubstr("no one cell takes it, with nothing on it: c-1: needs 4096 MB of memory, has 1024; c-2: ")));
}

TEST_F(Startable, WhatIsActiveOrHasInstancesMayBeStarted) {
  const DefinitionKey old{1, DefinitionId("v0")};
  EXPECT_TRUE(MayStart(app_, {1, DefinitionId("v1")}));
  EXPECT_FALSE(MayStart(app_, old));
  ActualLrp lrp;
  lrp.definition = old.id;
  app_.actuals.emplace(ActualId("i"), lrp);
  EXPECT_TRUE(MayStart(app_, old));
  app_.desired.reset();
  EXPECT_FALSE(MayStart(app_, old)) << "its app is gone";
}

}  // namespace
}  // namespace baton::definitions
