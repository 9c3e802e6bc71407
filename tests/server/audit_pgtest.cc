// Who asked for what, as it was asked: what is written beside each change.
#include <gmock/gmock.h>

#include "orchestrator/model/wire_names.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/old_api.h"

namespace baton {
namespace {

class Audit : public OldApi {
 protected:
  static bool HasRow(const std::string& guid, const std::string& method, const std::string& actor = "unknown") {
    return Exists(service->url(), "audit WHERE process_guid = '" + guid + "' AND method = '" + method +
                                      "' AND actor = '" + actor + "' AND outcome = 'OK'");
  }
};

TEST_F(Audit, NamesTheCallInTheApiThatItWasAskedIn) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("new-api")).ok());
  EXPECT_TRUE(HasRow("new-api", "baton.v2.DesiredLRPs/DesireLRP"));
  ASSERT_FALSE(Desire(App("old-api")).has_error());
  EXPECT_TRUE(HasRow("old-api", "baton.v1.DesiredLRPs/DesireLRP"));
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("old-api");
  update.mutable_update()->set_instances(2);
  ASSERT_FALSE(Update(update).has_error());
  EXPECT_TRUE(HasRow("old-api", "baton.v1.DesiredLRPs/UpdateDesiredLRP"));
  // Two calls with one counterpart in v2, or one of another name.
  v1::RetireActualLRPRequest retire;
  retire.mutable_actual_lrp_key()->set_process_guid("old-api");
  v1::ActualLRPLifecycleResponse retired;
  ASSERT_TRUE(lrps->RetireActualLRP(Context().get(), retire, &retired).ok());
  EXPECT_TRUE(HasRow("old-api", "baton.v1.ActualLRPs/RetireActualLRP")) << retired.error().message();
  v2::ChangeRollRequest change;
  change.set_process_guid("new-api");
  v2::ChangeRollResponse changed;
  ASSERT_TRUE(service->rolls->PauseRoll(Context().get(), change, &changed).ok());
  EXPECT_TRUE(HasRow("new-api", "baton.v2.Rolls/PauseRoll"));
  EXPECT_FALSE(Exists(service->url(), "audit WHERE method NOT LIKE 'baton.v_.%/%'"));
}

TEST_F(Audit, NobodyFromOutsideSaysWhatItWasAskedIn) {
  const auto lie = [] {
    auto context = Context();
    context->AddMetadata(kAskedInKey, "baton.v1.Nonsense/DropTables");
    context->AddMetadata(kActorKey, "liar");
    return context;
  };
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->apps->DesireLRP(lie().get(), RunningService::SmallApp("lied-v2"), &desired).ok());
  EXPECT_TRUE(HasRow("lied-v2", "baton.v2.DesiredLRPs/DesireLRP", "liar"));
  v1::DesireLRPRequest request;
  *request.mutable_desired_lrp() = App("lied-v1");
  v1::DesiredLRPLifecycleResponse response;
  ASSERT_TRUE(apps->DesireLRP(lie().get(), request, &response).ok());
  EXPECT_TRUE(HasRow("lied-v1", "baton.v1.DesiredLRPs/DesireLRP", "liar"));
  EXPECT_FALSE(Exists(service->url(), "audit WHERE method LIKE '%Nonsense%'"));
}

}  // namespace
}  // namespace baton
