// Lists of baton.v1 of thousands of guids: Diego has no limit, baton.v2 has.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "tests/server/old_api.h"

namespace baton {
namespace {

constexpr int kNamed = 2600;
constexpr int kThere = 5;

// So many names, of which a few are apps: the first, the last, and some on both sides of the edges of calls of v2.
class OldLists : public OldApi {
 protected:
  static void SetUpTestSuite() {
    OldApi::SetUpTestSuite();
    for (const int i : {0, 999, 1000, 1999, kNamed - 1}) EXPECT_FALSE(Desire(App(Guid(i))).has_error());
    EXPECT_TRUE(Eventually([] {
      return std::ranges::all_of(std::array{0, 999, 1000, 1999, kNamed - 1},
                                 [](int i) { return service->Instances(Guid(i)).size() == 1; });
    }));
    EXPECT_FALSE(Desire(App("not-asked-for")).has_error());
  }
  static std::string Guid(int i) { return "many-" + std::to_string(10000 + i); }
  template <class Request>
  static Request All2600() {
    Request request;
    for (int i = kNamed - 1; i >= 0; --i) request.add_process_guids(Guid(i));
    request.add_process_guids(Guid(0));
    return request;
  }
  template <class Rows, class GuidOf>
  static void ExpectThose(const Rows& rows, GuidOf guid_of) {
    std::vector<std::string> guids;
    for (const auto& row : rows) guids.push_back(guid_of(row));
    EXPECT_THAT(guids, ::testing::ElementsAre(Guid(0), Guid(999), Guid(1000), Guid(1999), Guid(kNamed - 1)));
  }
};

TEST_F(OldLists, InstancesOfThousandsOfAppsAreOneList) {
  const auto context = Context();
  auto reader = lrps->ListActualLRPsByProcessGuids(context.get(), All2600<v1::ActualLRPsByProcessGuidsRequest>());
  const auto all = All(*reader);
  EXPECT_FALSE(all.has_error()) << all.error().message();
  ExpectThose(all.actual_lrps(), [](const auto& lrp) { return lrp.actual_lrp_key().process_guid(); });
}

TEST_F(OldLists, ThousandsOfAppsAreOneList) {
  const auto request = All2600<v1::DesiredLRPsRequest>();
  const auto apps_of = List<v1::DesiredLRPsResponse>(&v1::DesiredLRPs::Stub::ListDesiredLRPs, request);
  EXPECT_FALSE(apps_of.has_error()) << apps_of.error().message();
  ExpectThose(apps_of.desired_lrps(), [](const auto& app) { return app.process_guid(); });
  const auto routing = List<v1::DesiredLRPsResponse>(&v1::DesiredLRPs::Stub::ListRoutingInfos, request);
  ExpectThose(routing.desired_lrps(), [](const auto& app) { return app.process_guid(); });
  const auto infos =
      List<v1::DesiredLRPSchedulingInfosResponse>(&v1::DesiredLRPs::Stub::ListSchedulingInfos, request);
  ExpectThose(infos.desired_lrp_scheduling_infos(), [](const auto& i) { return i.desired_lrp_key().process_guid(); });
}

TEST_F(OldLists, BeginningsOfGuidsAreAsManyAsTheCallerLikes) {
  v1::DesiredLRPsRequest request;
  for (int i = 0; i < kNamed; ++i) request.add_app_guids(Guid(i));
  const auto all = List<v1::DesiredLRPsResponse>(&v1::DesiredLRPs::Stub::ListDesiredLRPs, request);
  EXPECT_FALSE(all.has_error()) << all.error().message();
  EXPECT_EQ(all.desired_lrps_size(), kThere);
}

TEST_F(OldLists, ACallerThatGoesAwayBetweenTwoOfThemHoldsNothingUp) {
  for (int i = 0; i < 10; ++i) {
    const auto context = Context();
    auto reader = lrps->ListActualLRPsByProcessGuids(context.get(), All2600<v1::ActualLRPsByProcessGuidsRequest>());
    v1::ActualLRPsByProcessGuidsResponse page;
    if (i % 2 == 0) {
      EXPECT_TRUE(reader->Read(&page));
    }
    context->TryCancel();
    EXPECT_FALSE(reader->Finish().ok());
  }
  EXPECT_FALSE(Get(Guid(0)).has_error());
}

}  // namespace
}  // namespace baton
