// Rows that were changed by hand: v1's lists leave them out, and say so.
#include <gmock/gmock.h>

#include "orchestrator/model/calls/wire_names.h"
#include "sql/session/session.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/old_api.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class OldApiUnreadable : public OldApi {
 protected:
  static void Damage(const std::string& update) {
    const SessionError error =
        OpenSession(service->url())->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
          return s.RunScript(update), true;
        });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  static std::string TrailerOf(const grpc::ClientContext& context) {
    const auto& trailers = context.GetServerTrailingMetadata();
    const auto at = trailers.find(kUnreadableTrailer);
    return at == trailers.end() ? "" : std::string(at->second.data(), at->second.size());
  }
};

TEST_F(OldApiUnreadable, RowsAreNamedInTheMessageAndATrailerAndAllOthersListed) {
  ASSERT_FALSE(Desire(App("broken")).has_error());
  ASSERT_FALSE(Desire(App("well")).has_error());
  ASSERT_TRUE(
      Eventually([] { return service->Instances("broken").size() == 1 && service->Instances("well").size() == 1; }));
  auto context = Context();
  EXPECT_EQ(All<v1::ActualLRPsResponse>(*lrps->ListActualLRPs(context.get(), {})).actual_lrps_size(), 2);
  EXPECT_EQ(TrailerOf(*context), "");

  Damage("UPDATE actual_lrps SET net_info = 'rubbish' WHERE process_guid = 'broken'");
  context = Context();
  const auto listed = All<v1::ActualLRPsResponse>(*lrps->ListActualLRPs(context.get(), {}));
  ASSERT_EQ(listed.actual_lrps_size(), 1);
  EXPECT_EQ(listed.error().type(), v1::Error::Deserialize);
  EXPECT_THAT(listed.error().message(), AllOf(StartsWith("1 row cannot be read"), HasSubstr("of broken")));
  EXPECT_EQ(listed.actual_lrps(0).actual_lrp_key().process_guid(), "well");
  EXPECT_THAT(TrailerOf(*context), AllOf(StartsWith("1 instance%20"), HasSubstr("%20of%20broken")));
  context = Context();
  v1::ActualLRPGroupByProcessGuidAndIndexRequest slot;
  slot.set_process_guid("broken");
  v1::ActualLRPGroupResponse group;
  ASSERT_TRUE(lrps->GetActualLRPGroup(context.get(), slot, &group).ok());
  EXPECT_EQ(group.error().type(), v1::Error::Deserialize) << group.error().message();
  EXPECT_THAT(TrailerOf(*context), StartsWith("1 instance%20")) << "it is not that there is none";

  Damage("UPDATE definitions SET run_info = 'rubbish' WHERE process_guid = 'broken'");
  context = Context();
  const auto desired = All<v1::DesiredLRPsResponse>(*apps->ListDesiredLRPs(context.get(), {}));
  ASSERT_EQ(desired.desired_lrps_size(), 1);
  EXPECT_EQ(desired.desired_lrps(0).process_guid(), "well");
  EXPECT_EQ(desired.error().type(), v1::Error::Deserialize);
  EXPECT_THAT(desired.error().message(), HasSubstr("app broken"));
  EXPECT_EQ(TrailerOf(*context), "1 app%20broken");
}

}  // namespace
}  // namespace baton
