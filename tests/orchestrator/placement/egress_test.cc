// The operator's word on egress rules that no cell enforces, and what follows from it.
#include "orchestrator/placement/egress.h"

#include <gmock/gmock.h>

#include "orchestrator/model/fleet/egress.h"
#include "orchestrator/placement/fleet.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

Definition Walled() {
  Definition definition;
  definition.id = DefinitionId("v1");
  definition.content_hash = "hash";
  definition.root_fs = "host:";
  definition.needs = {"egress_rules", "run"};
  return definition;
}

CellOffer Offer(const std::string& id, std::vector<std::string> abilities) {
  CellOffer offer;
  offer.id = CellId(id);
  offer.stacks = {"host:"};
  offer.abilities = std::move(abilities);
  AddTolerance(offer.abilities);
  return offer;
}

TEST(EgressPolicy, IsTheWordOfADomainAndRefusesWithoutOne) {
  EgressPolicy policy;
  EXPECT_EQ(policy.Of("any"), UnenforcedEgress::kRefuse);
  policy.Set("lab", UnenforcedEgress::kWarn);
  EXPECT_EQ(policy.Of("lab"), UnenforcedEgress::kWarn);
  EXPECT_EQ(policy.Of("prod"), UnenforcedEgress::kRefuse);
  policy.Set(kOtherDomains, UnenforcedEgress::kWarn);
  policy.Set("prod", UnenforcedEgress::kRefuse);
  EXPECT_EQ(policy.Of("any"), UnenforcedEgress::kWarn);
  EXPECT_EQ(policy.Of("prod"), UnenforcedEgress::kRefuse);
  for (const char* wrong : {"", "maybe", "Warn", "warn "}) EXPECT_FALSE(UnenforcedEgressNamed(wrong)) << wrong;
  EXPECT_EQ(UnenforcedEgressNamed("warn"), UnenforcedEgress::kWarn);
}

// Both are of one content, and the fleet remembers by content which cells fit.
TEST(Egress, LessIsAskedOfCellsWhereTheDomainLetsIt) {
  Fleet fleet;
  fleet.Set(Offer("open", {"run", "egress_rules.unenforced"}), {100, 100, 0, 10});
  fleet.Set(Offer("old", {"run"}), {100, 100, 0, 10});
  const auto place = [&](const Definition& definition) {
    return fleet.Place(definition, ProcessGuid("app"), CellId(), {});
  };
  const Placement refused = place(Walled());
  EXPECT_FALSE(refused.cell);
  EXPECT_THAT(refused.error, HasSubstr("old: cannot enact egress_rules"));
  EXPECT_THAT(refused.error, HasSubstr("open: cannot enact egress_rules, and its operator lets no app"));
  EXPECT_EQ(place(Tolerant(Walled())).cell, CellId("open")) << "an older cell would reject it";
  EXPECT_FALSE(place(Walled()).cell);
  fleet.Set(Offer("walled", {"run", "egress_rules"}), {100, 100, 0, 10});
  EXPECT_EQ(place(Walled()).cell, CellId("walled"));
  fleet.Close(CellId("open"));
  EXPECT_EQ(place(Tolerant(Walled())).cell, CellId("walled")) << "who can do more can do less";
}

TEST(Egress, InstancesWhoseRulesAreNotEnforcedAreFound) {
  AppState app;
  app.definitions[{1, DefinitionId("v1")}] = Walled();
  app.definitions[{1, DefinitionId("plain")}].needs = {"run"};
  const auto add = [&](int index, const char* cell, const char* definition, LrpState state = LrpState::kRunning) {
    ActualLrp lrp;
    lrp.id = ActualId("i" + std::to_string(index));
    lrp.incarnation = 1;
    lrp.index = index;
    lrp.definition = DefinitionId(definition);
    lrp.state = state;
    lrp.cell_id = CellId(cell);
    app.actuals[lrp.id] = lrp;
  };
  add(0, "walled", "v1");
  add(1, "open", "v1");
  add(2, "open", "plain");
  add(3, "gone", "v1");
  add(4, "", "v1", LrpState::kUnclaimed);
  std::vector<CellRecord> cells(2);
  cells[0].id = CellId("open");
  cells[0].abilities = {"run", "egress_rules.unenforced"};
  cells[1].id = CellId("walled");
  cells[1].abilities = {"run", "egress_rules"};
  const auto found = FindUnenforced(app, cells);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].index, 1);
  EXPECT_EQ(found[0].cell, CellId("open"));
}

}  // namespace
}  // namespace baton
