// What can be done about an app whose rows cannot be read: by its controller, over the API.
#include "orchestrator/crypto/encrypted_columns.h"
#include "tests/server/corruption_fixture.h"

namespace baton {
namespace {

class Mended : public Corruption {
 protected:
  void SetUp() override {
    Corruption::SetUp();
    Keep();
  }
  bool Reads() {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(kBroken);
    v2::GetDesiredLRPResponse desired;
    v2::GetRollRequest roll;
    roll.set_process_guid(kBroken);
    v2::GetRollResponse got;
    v2::ExplainRollRequest explain;
    explain.set_process_guid(kBroken);
    v2::ExplainRollResponse explained;
    return service.apps->GetDesiredLRP(Context().get(), get, &desired).ok() &&
           service.rolls->GetRoll(Context().get(), roll, &got).ok() &&
           service.rolls->ExplainRoll(Context().get(), explain, &explained).ok();
  }
  // What its controller writes: all of it, with another definition.
  grpc::Status Replace(const std::string& definition) {
    v2::ReplaceDesiredLRPRequest request;
    auto& full = *request.mutable_desired_lrp();
    full = RunningService::SmallApp(kBroken).desired_lrp();
    *full.mutable_definition() = RunningService::SmallApp(kBroken).desired_lrp().definition();
    full.mutable_definition()->set_definition_identifier(definition);
    auto* variable = full.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("V");
    variable->set_value(definition);
    v2::UpdateDesiredLRPResponse response;
    return service.apps->ReplaceDesiredLRP(Context().get(), request, &response);
  }
  grpc::Status Remove() {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid(kBroken);
    v2::RemoveDesiredLRPResponse response;
    return service.apps->RemoveDesiredLRP(Context().get(), request, &response);
  }
  bool IsGone() {
    return Eventually([&] {
      return !Exists(service.url(), "desired_lrps WHERE process_guid = 'broken'") &&
             !Exists(service.url(), "actual_lrps WHERE process_guid = 'broken'");
    });
  }
  // Each blob that decisions about an app are made from. Others are only shown: no app stands still over them.
  static std::vector<Column> Blobs() {
    const std::set<std::string> tables = {"definitions", "desired_lrps", "actual_lrps", "rolls"};
    const std::set<std::string> shown = {"actual_lrps.crash_reason", "actual_lrps.placement_error", "rolls.reason",
                                         "rolls.verdict", "rolls.condemned"};
    std::vector<Column> blobs;
    for (const EncryptedTable& table : EncryptedTables()) {
      const std::string name(table.table);
      for (const std::string_view column : table.columns) {
        if (tables.contains(name) && !shown.contains(name + "." + std::string(column)))
          blobs.push_back({name, std::string(column), ""});
      }
    }
    return blobs;
  }
  void ForEachWay(const std::function<void()>& body) {
    for (const Column& column : Blobs()) {
      for (const Damage& way : kWaysOfBlobs) {
        SCOPED_TRACE(column.table + "." + column.name + ": " + way.name);
        ASSERT_TRUE(Break(column, With(way.sql, column.name)));
        body();
        PutBack();
      }
    }
  }
};

TEST_F(Mended, AnUpdateThatReplacesAllOfIt) {
  int number = 2;
  ForEachWay([&] {
    const grpc::Status replaced = Replace("v" + std::to_string(++number));
    EXPECT_TRUE(replaced.ok()) << replaced.error_message();
    EXPECT_TRUE(Reads());
  });
}

TEST_F(Mended, ItsRemoval) {
  ForEachWay([&] {
    const grpc::Status removed = Remove();
    EXPECT_TRUE(removed.ok()) << removed.error_message();
    EXPECT_TRUE(IsGone());
    const grpc::Status again = service.Desire(RunningService::SmallApp(kBroken));
    EXPECT_TRUE(again.ok()) << again.error_message();
    EXPECT_TRUE(Reads());
    EXPECT_TRUE(Remove().ok());
    EXPECT_TRUE(IsGone());
  });
}

// Nobody asked for what cannot be read to be forgotten.
TEST_F(Mended, AnUpdateOfAPartLeavesItAsItIs) {
  ASSERT_TRUE(Break({"desired_lrps", "strategy", ""}, "'\\x00'"));
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(kBroken);
  request.mutable_update()->set_annotation("other");
  EXPECT_EQ(service.Update(request).error_code(), grpc::StatusCode::DATA_LOSS);
  // Of a full app in an update only what is not empty counts: it may be a part, too. RECREATE would become ROLLING.
  *request.mutable_update()->mutable_desired_lrp()->mutable_definition() =
      RunningService::SmallApp(kBroken).desired_lrp().definition();
  EXPECT_EQ(service.Update(request).error_code(), grpc::StatusCode::DATA_LOSS);
  // And a call that is refused mends nothing.
  EXPECT_EQ(service.Desire(RunningService::SmallApp(kBroken)).error_code(), grpc::StatusCode::ALREADY_EXISTS);
  EXPECT_TRUE(Exists(service.url(), "desired_lrps WHERE process_guid = 'broken' AND strategy = '\\x00'"));
}

}  // namespace
}  // namespace baton
