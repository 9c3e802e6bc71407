// An app whose definition's row is gone: somebody dropped a foreign key, and then deleted a row. It is named, and its
// controller can replace or remove it.
#include "tests/server/corruption_fixture.h"

namespace baton {
namespace {

class Lost : public Corruption {
 protected:
  void Lose(const std::string& app, const std::string& definitions) {
    Sql("SET LOCAL session_replication_role = replica; DELETE FROM definitions WHERE process_guid = '" + app +
        "' AND definition_identifier = ANY ('" + definitions + "')");
  }
  grpc::Status Get(const std::string& app, v2::DesiredLRP* found = nullptr) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(app);
    request.set_reveal_secrets(true);
    v2::GetDesiredLRPResponse response;
    const grpc::Status status = service.apps->GetDesiredLRP(Context().get(), request, &response);
    if (found) *found = response.desired_lrp();
    return status;
  }
  static v2::DesiredLRP Whole(const std::string& app, const std::string& definition) {
    v2::DesiredLRP full = RunningService::SmallApp(app).desired_lrp();
    full.mutable_strategy()->set_min_healthy_time_ms(0);
    full.mutable_definition()->set_definition_identifier(definition);
    auto* variable = full.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("V");
    variable->set_value(definition);
    return full;
  }
  grpc::Status Replace(const std::string& app, const std::string& definition) {
    v2::ReplaceDesiredLRPRequest request;
    *request.mutable_desired_lrp() = Whole(app, definition);
    v2::UpdateDesiredLRPResponse response;
    return service.apps->ReplaceDesiredLRP(Context().get(), request, &response);
  }
  grpc::Status Remove(const std::string& app) {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid(app);
    v2::RemoveDesiredLRPResponse response;
    return service.apps->RemoveDesiredLRP(Context().get(), request, &response);
  }
  // The cell is asked to run the other apps of this test, too.
  static std::string StartOf(ScriptedCell& cell, const std::string& app) {
    v2::RunOrder order = cell.NextRun();
    while (order.process_guid() != app) order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    cell.Report(ScriptedCell::Started(order.actual_id()));
    return order.actual_id();
  }
  std::string Explained(const std::string& app) {
    v2::ExplainRollRequest request;
    request.set_process_guid(app);
    v2::ExplainRollResponse response;
    (void)service.rolls->ExplainRoll(Context().get(), request, &response);
    return response.DebugString();
  }
  bool HasNothing(const std::string& app) {
    return Eventually([&] {
      return !Exists(service.url(), "desired_lrps WHERE process_guid = '" + app + "'") &&
             !Exists(service.url(), "actual_lrps WHERE process_guid = '" + app + "'");
    });
  }
  void ExpectSound(const std::string& app) {
    v2::DesiredLRP found;
    const grpc::Status status = Get(app, &found);
    EXPECT_TRUE(status.ok()) << status.error_message();
    v2::ExplainRollRequest explain;
    explain.set_process_guid(app);
    v2::ExplainRollResponse explained;
    EXPECT_TRUE(service.rolls->ExplainRoll(Context().get(), explain, &explained).ok());
    EXPECT_EQ(Of(Run(), "broken_reference").found(), 0);
    const Dump check = Dumped(/*check=*/true);
    EXPECT_EQ(check.code, 0) << check.out;
  }
  static v2::CellReport Stopped(const std::string& actual_id) {
    v2::CellReport report;
    report.set_actual_id(actual_id);
    report.set_instance_guid(actual_id + "-run");
    report.mutable_stopped();
    return report;
  }
  struct Loss {
    const char* what;
    const char* definitions;
  };
  static constexpr Loss kLosses[] = {{"the active one", "{v2}"}, {"the one before", "{v1}"}, {"both", "{v1,v2}"}};
};

TEST_F(Lost, IsNamedByEveryPathAndHarmsNobodyElse) {
  Keep();
  for (const Loss& loss : kLosses) {
    SCOPED_TRACE(loss.what);
    if (std::string(loss.definitions) == "{v1}") continue;  // no row names it
    Lose(kBroken, loss.definitions);
    ExpectOthersUnharmed();
    EXPECT_GE(Of(Run(), "broken_reference").found(), 1);
    EXPECT_EQ(Dumped(/*check=*/true).code, 1);
    v2::UpdateDesiredLRPRequest part;
    part.set_process_guid(kBroken);
    part.mutable_update()->set_annotation("other");
    const grpc::Status refused = service.Update(part);
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::DATA_LOSS) << refused.error_message();
    EXPECT_THAT(refused.error_message(), ::testing::HasSubstr("which is not there"));
    PutBack();
  }
}

TEST_F(Lost, IsReplacedByAnyDefinitionAlsoByTheOneThatWasLost) {
  Keep();
  for (const Loss& loss : kLosses) {
    for (const char* definition : {"v2", "v3"}) {
      SCOPED_TRACE(std::string(loss.what) + ", by " + definition);
      if (std::string(loss.definitions) == "{v1}" && std::string(definition) == "v2") continue;  // it is there, with other content
      Lose(kBroken, loss.definitions);
      const grpc::Status replaced = Replace(kBroken, definition);
      EXPECT_TRUE(replaced.ok()) << replaced.error_message();
      ExpectSound(kBroken);
      v2::DesiredLRP found;
      (void)Get(kBroken, &found);
      EXPECT_EQ(found.active_definition(), definition);
      EXPECT_EQ(found.definition().run_info().environment_variables(0).value(), definition);
      PutBack();
    }
  }
}

TEST_F(Lost, IsRemovedAndDesiredAgainOverBothApis) {
  Keep();
  const auto old_api = v1::DesiredLRPs::NewStub(service.channel());
  for (const Loss& loss : kLosses) {
    for (const bool in_v1 : {false, true}) {
      SCOPED_TRACE(std::string(loss.what) + (in_v1 ? ", in v1" : ", in v2"));
      Lose(kBroken, loss.definitions);
      if (in_v1) {
        v1::RemoveDesiredLRPRequest request;
        request.set_process_guid(kBroken);
        v1::DesiredLRPLifecycleResponse response;
        ASSERT_TRUE(old_api->RemoveDesiredLRP(Context().get(), request, &response).ok());
        EXPECT_FALSE(response.has_error()) << response.error().message();
      } else {
        const grpc::Status removed = Remove(kBroken);
        EXPECT_TRUE(removed.ok()) << removed.error_message();
      }
      EXPECT_TRUE(HasNothing(kBroken));
      const grpc::Status again = service.Desire(RunningService::SmallApp(kBroken));
      EXPECT_TRUE(again.ok()) << again.error_message();
      ExpectSound(kBroken);
      PutBack();
    }
  }
}

// What runs of it serves until its replacement does; then it is stopped, and the row that stood in its place goes.
TEST_F(Lost, WhatRunsOfItIsReplacedBesideItself) {
  for (const char* definition : {"v1", "v2"}) {
    SCOPED_TRACE(definition);
    const std::string app = std::string("runs-") + definition;
    ScriptedCell cell(service, "cell-" + app);
    cell.hello().add_placement_tags(app);
    cell.Hello();
    auto desired = RunningService::SmallApp(app);
    *desired.mutable_desired_lrp() = Whole(app, "v1");
    desired.mutable_desired_lrp()->mutable_definition()->add_placement_tags(app);
    ASSERT_TRUE(service.Desire(desired).ok());
    const std::string old = StartOf(cell, app);
    Lose(app, "{v1}");
    v2::ReplaceDesiredLRPRequest request;
    *request.mutable_desired_lrp() = Whole(app, definition);
    request.mutable_desired_lrp()->mutable_definition()->add_placement_tags(app);
    v2::UpdateDesiredLRPResponse response;
    const grpc::Status replaced = service.apps->ReplaceDesiredLRP(Context().get(), request, &response);
    ASSERT_TRUE(replaced.ok()) << replaced.error_message();
    EXPECT_FALSE(cell.HasHeardStop(old));
    const std::string next = StartOf(cell, app);
    EXPECT_NE(next, old);
    EXPECT_TRUE(cell.WasToldToStop(old)) << Explained(app);
    cell.Report(Stopped(old));
    EXPECT_TRUE(Eventually([&] { return service.Instances(app).size() == 1; }));
    ExpectSound(app);
  }
}

TEST_F(Lost, WhatRunsOfItIsStoppedWhereTheAppIsRemoved) {
  ScriptedCell cell(service, "cell-1");
  cell.hello().add_placement_tags("runs");
  cell.Hello();
  auto desired = RunningService::SmallApp("runs");
  desired.mutable_desired_lrp()->mutable_definition()->add_placement_tags("runs");
  ASSERT_TRUE(service.Desire(desired).ok());
  const std::string old = StartOf(cell, "runs");
  Sql("SET LOCAL session_replication_role = replica; DELETE FROM definitions WHERE process_guid = 'runs'");
  const grpc::Status removed = Remove("runs");
  EXPECT_TRUE(removed.ok()) << removed.error_message();
  EXPECT_TRUE(cell.WasToldToStop(old));
  cell.Report(Stopped(old));
  EXPECT_TRUE(HasNothing("runs"));
  EXPECT_TRUE(Eventually([&] { return Run(), !Exists(service.url(), "definitions WHERE process_guid = 'runs'"); }));
}

// Its roll was still open: it ended batond.
TEST_F(Lost, AnAppOfWhichOnlyTheDesiredRowIsGoneIsDesiredAgain) {
  Sql("SET LOCAL session_replication_role = replica; DELETE FROM desired_lrps WHERE process_guid = 'broken'");
  ASSERT_TRUE(Exists(service.url(), "rolls WHERE process_guid = 'broken'"));
  const grpc::Status again = service.Desire(RunningService::SmallApp(kBroken));
  EXPECT_TRUE(again.ok()) << again.error_message();
  ExpectSound(kBroken);
  EXPECT_TRUE(Remove(kBroken).ok());
  EXPECT_TRUE(HasNothing(kBroken));
}

}  // namespace
}  // namespace baton
