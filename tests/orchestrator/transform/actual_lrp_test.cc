// Instances of baton.v2 as baton.v1 shows them.
#include "orchestrator/transform/messages/actual_lrp.h"

#include <gmock/gmock.h>

#include "tests/orchestrator/transform/random_message.h"

namespace baton::transform {
namespace {

v2::ActualLRP Lrp(const std::string& guid, int index, v2::Presence presence, const std::string& state = "RUNNING",
                  std::int64_t since = 1) {
  v2::ActualLRP lrp;
  lrp.set_process_guid(guid);
  lrp.set_index(index);
  lrp.set_presence(presence);
  lrp.set_state(state);
  lrp.set_since(since);
  lrp.set_actual_id(guid + std::to_string(index) + v2::Presence_Name(presence) + std::to_string(since));
  lrp.mutable_instance_key()->set_instance_guid(lrp.actual_id());
  return lrp;
}

std::vector<v1::ActualLRPGroup> GroupsOf(const std::vector<std::vector<v2::ActualLRP>>& pages) {
  Groups groups;
  std::vector<v1::ActualLRPGroup> all;
  for (const auto& rows : pages) {
    v2::ListActualLRPsResponse page;
    for (const auto& row : rows) *page.add_actual_lrps() = row;
    std::ranges::move(groups.Take(page), std::back_inserter(all));
  }
  std::ranges::move(groups.End(), std::back_inserter(all));
  return all;
}

TEST(Transformers, InstancesHaveAPlaceForEveryField) {
  EXPECT_THAT(ActualLrpMapping().Homeless(), ::testing::IsEmpty());
  EXPECT_THAT(ActualLrpMapping().Misnamed(), ::testing::IsEmpty());
}

TEST(Transformers, ThePartsThatAnInstancePlays) {
  EXPECT_FALSE(ToV1(Lrp("a", 0, v2::SURGE))) << "not before it has its slot";
  EXPECT_EQ(ToV1(Lrp("a", 0, v2::ORDINARY))->presence(), v1::ActualLRP::ORDINARY);
  EXPECT_EQ(ToV1(Lrp("a", 0, v2::SUSPECT))->presence(), v1::ActualLRP::SUSPECT);
  EXPECT_EQ(ToV1(Lrp("a", 0, v2::EVACUATING))->presence(), v1::ActualLRP::EVACUATING);
  EXPECT_EQ(ToV1(Lrp("a", 0, v2::RETIRING))->presence(), v1::ActualLRP::EVACUATING);
}

TEST(Transformers, AnInstanceIsShownWhole) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    v2::ActualLRP lrp;
    Fill(lrp, random);
    lrp.set_presence(v2::ORDINARY);
    const v1::ActualLRP made = ToV1(lrp).value();
    ASSERT_EQ(made.actual_lrp_key().process_guid(), lrp.process_guid());
    ASSERT_EQ(made.actual_lrp_key().index(), lrp.index());
    ASSERT_EQ(made.actual_lrp_key().domain(), lrp.domain());
    ASSERT_EQ(made.actual_lrp_instance_key().SerializeAsString(), lrp.instance_key().SerializeAsString());
    ASSERT_EQ(made.actual_lrp_net_info().SerializeAsString(), lrp.net_info().SerializeAsString());
    ASSERT_EQ(made.modification_tag().SerializeAsString(), lrp.modification_tag().SerializeAsString());
    ASSERT_EQ(made.state(), lrp.state());
    ASSERT_EQ(made.crash_count(), lrp.crash_count());
    ASSERT_EQ(made.crash_reason(), lrp.crash_reason());
    ASSERT_EQ(made.placement_error(), lrp.placement_error());
    ASSERT_EQ(made.since(), lrp.since());
    ASSERT_EQ(made.routable(), lrp.routable());
    ASSERT_EQ(made.availability_zone(), lrp.availability_zone());
    ASSERT_EQ(made.actual_lrp_internal_routes_size(), lrp.actual_lrp_internal_routes_size());
    for (int j = 0; j < lrp.actual_lrp_internal_routes_size(); ++j) {
      ASSERT_EQ(made.actual_lrp_internal_routes(j).hostname(), lrp.actual_lrp_internal_routes(j).hostname());
    }
    ASSERT_TRUE(std::ranges::equal(std::map(made.metric_tags().begin(), made.metric_tags().end()),
                                   std::map(lrp.metric_tags().begin(), lrp.metric_tags().end())));
  }
}

TEST(Transformers, AGroupIsASlotAlsoOverTheEdgesOfPages) {
  const auto groups = GroupsOf({{Lrp("a", 0, v2::ORDINARY), Lrp("a", 1, v2::ORDINARY)},
                                {Lrp("a", 0, v2::RETIRING), Lrp("b", 0, v2::ORDINARY)},
                                {Lrp("b", 0, v2::SURGE)}});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].instance().actual_lrp_key().index(), 0);
  EXPECT_TRUE(groups[0].has_evacuating());
  EXPECT_FALSE(groups[1].has_evacuating());
  EXPECT_EQ(groups[2].instance().actual_lrp_key().process_guid(), "b");
  EXPECT_EQ(groups[2].instance().presence(), v1::ActualLRP::ORDINARY);
}

// Diego: the suspect one is shown until what replaces it runs.
TEST(Transformers, OfAGroupTheOneThatServesIsShown) {
  const v2::ActualLRP suspect = Lrp("a", 0, v2::SUSPECT);
  for (const auto& rows : {std::vector{suspect, Lrp("a", 0, v2::ORDINARY, "CLAIMED")},
                           std::vector{Lrp("a", 0, v2::ORDINARY, "CLAIMED"), suspect}}) {
    const auto groups = GroupsOf({rows});
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups[0].instance().presence(), v1::ActualLRP::SUSPECT);
  }
  for (const auto& rows : {std::vector{suspect, Lrp("a", 0, v2::ORDINARY)}, std::vector{Lrp("a", 0, v2::ORDINARY), suspect}}) {
    EXPECT_EQ(GroupsOf({rows})[0].instance().presence(), v1::ActualLRP::ORDINARY);
  }
}

TEST(Transformers, OfSeveralThatEvacuateTheLastOneIsShown) {
  const auto groups = GroupsOf({{Lrp("a", 0, v2::RETIRING, "RUNNING", 5), Lrp("a", 0, v2::RETIRING, "RUNNING", 9),
                                 Lrp("a", 0, v2::RETIRING, "RUNNING", 7)}});
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_FALSE(groups[0].has_instance());
  EXPECT_EQ(groups[0].evacuating().since(), 9);
}

}  // namespace
}  // namespace baton::transform
