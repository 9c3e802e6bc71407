// What a call answers is what was committed: a read after it shows the same, and the next compare-and-set can be made of
// it (it was the modification tag of before). Random calls, and each seed alone.
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <random>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

constexpr int kSeeds = 6;
constexpr int kCallsOfASeed = 60;

// No cell is there: nothing but the calls changes an app.
class Answers : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
    old_apps = v1::DesiredLRPs::NewStub(service->channel());
  }
  static void TearDownTestSuite() {
    old_apps.reset();
    delete service;
  }

  Answers() : guid_("answers-" + std::to_string(GetParam())), random_(static_cast<unsigned>(GetParam())) {}
  int Between(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  bool Chance(int percent) { return Between(1, 100) <= percent; }

  v2::LRPDefinition SomeDefinition() {
    v2::LRPDefinition definition = RunningService::SmallApp(guid_).desired_lrp().definition();
    const int version = Between(1, 5);
    definition.mutable_resource()->set_memory_mb(16 + version);
    if (Chance(70)) definition.set_definition_identifier("v" + std::to_string(version));
    return definition;
  }
  v2::DesiredLRP SomeApp() {
    v2::DesiredLRP app = RunningService::SmallApp(guid_, Between(0, 2)).desired_lrp();
    *app.mutable_definition() = SomeDefinition();
    app.set_annotation("note " + std::to_string(Between(1, 3)));
    app.mutable_strategy()->set_min_healthy_time_ms(Between(0, 2) * 1000);
    return app;
  }

  v2::DesiredLRP Read() {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(guid_);
    v2::GetDesiredLRPResponse got;
    EXPECT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
    got.mutable_desired_lrp()->mutable_definition()->clear_run_info();  // no answer repeats it
    return got.desired_lrp();
  }
  void ExpectSame(const google::protobuf::Message& answered, const google::protobuf::Message& read) {
    google::protobuf::util::MessageDifferencer differencer;
    std::string differences;
    differencer.ReportDifferencesToString(&differences);
    EXPECT_TRUE(differencer.Compare(answered, read)) << differences;
  }
  void ExpectStored(const v2::DesiredLRP& answered) {
    ExpectSame(answered, Read());
    v1::DesiredLRPByProcessGuidRequest get;
    get.set_process_guid(guid_);
    v1::DesiredLRPResponse got;
    ASSERT_TRUE(old_apps->GetDesiredLRP(Context().get(), get, &got).ok());
    ExpectSame(answered.modification_tag(), got.desired_lrp().modification_tag());
    tag_ = answered.modification_tag();
  }
  // A pass of the planner may have looked at it since: its times go on, nothing else.
  void ExpectStored(const v2::Roll& answered) {
    v2::GetRollRequest get;
    get.set_roll_id(answered.roll_id());
    v2::GetRollResponse got;
    ASSERT_TRUE(service->rolls->GetRoll(Context().get(), get, &got).ok());
    const v2::Roll& read = got.roll();
    EXPECT_EQ(v2::RollState_Name(answered.state()), v2::RollState_Name(read.state()));
    EXPECT_EQ(answered.revision(), read.revision());
    EXPECT_EQ(answered.reason(), read.reason());
    EXPECT_EQ(answered.source_definition(), read.source_definition());
    EXPECT_EQ(answered.target_definition(), read.target_definition());
    EXPECT_EQ(answered.opened_at(), read.opened_at());
    EXPECT_EQ(answered.finished_at(), read.finished_at());
  }
  void ExpectStored(const v2::UpdateDesiredLRPResponse& answer) {
    ExpectStored(answer.desired_lrp());
    if (answer.has_roll()) ExpectStored(answer.roll());
    EXPECT_EQ(answer.has_roll() && answer.roll().finished_at() == 0, !answer.desired_lrp().roll_id().empty());
  }

  void Desire() {
    v2::DesireLRPRequest request;
    *request.mutable_desired_lrp() = SomeApp();
    v2::DesireLRPResponse answer;
    ASSERT_TRUE(service->Desire(request, &answer).ok());
    ExpectStored(answer.desired_lrp());
    ExpectStored(answer.roll());
  }
  void Update() {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid_);
    v2::DesiredLRPUpdate& update = *request.mutable_update();
    if (Chance(40)) update.set_instances(Between(0, 2));
    if (Chance(40)) update.set_annotation("note " + std::to_string(Between(1, 3)));
    if (Chance(60)) *update.mutable_desired_lrp()->mutable_definition() = SomeDefinition();
    update.set_retry(true);
    *update.mutable_expected()->mutable_modification_tag() = tag_;  // as answered last
    v2::UpdateDesiredLRPResponse answer;
    const grpc::Status status = service->Update(request, &answer);
    ASSERT_TRUE(status.ok()) << "the chain of tags broke: " << status.error_message();
    EXPECT_EQ(answer.changed(), answer.desired_lrp().modification_tag().index() != tag_.index() ||
                                    answer.desired_lrp().modification_tag().epoch() != tag_.epoch());
    ExpectStored(answer);
  }
  void Replace() {
    v2::ReplaceDesiredLRPRequest request;
    *request.mutable_desired_lrp() = SomeApp();
    request.set_reactivate(true);
    v2::UpdateDesiredLRPResponse answer;
    if (service->apps->ReplaceDesiredLRP(Context().get(), request, &answer).ok()) ExpectStored(answer);
  }
  void RollBack() {
    v2::RollBackRequest request;
    request.set_process_guid(guid_);
    v2::UpdateDesiredLRPResponse answer;
    if (service->rolls->RollBack(Context().get(), request, &answer).ok()) ExpectStored(answer);
  }
  template <class Method>
  void Change(Method method) {
    v2::ChangeRollRequest request;
    request.set_process_guid(guid_);
    v2::ChangeRollResponse answer;
    if (((*service->rolls).*method)(Context().get(), request, &answer).ok()) ExpectStored(answer.roll());
    tag_ = Read().modification_tag();  // what goes back is another active definition
  }
  void Remove() {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid(guid_);
    v2::RemoveDesiredLRPResponse answer;
    ASSERT_TRUE(service->apps->RemoveDesiredLRP(Context().get(), request, &answer).ok());
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(guid_);
    v2::GetDesiredLRPResponse got;
    EXPECT_EQ(service->apps->GetDesiredLRP(Context().get(), get, &got).error_code(), grpc::StatusCode::NOT_FOUND);
  }
  void Retire() {
    v2::RetireInstancesRequest request;
    request.set_process_guid(guid_);
    v2::RetireInstancesResponse answer;
    EXPECT_TRUE(service->lrps->RetireInstances(Context().get(), request, &answer).ok());
    EXPECT_EQ(answer.instances(), 0) << "none runs";
  }

  static RunningService* service;
  static std::unique_ptr<v1::DesiredLRPs::Stub> old_apps;
  const std::string guid_;
  std::mt19937 random_;
  v1::ModificationTag tag_;
};
RunningService* Answers::service = nullptr;
std::unique_ptr<v1::DesiredLRPs::Stub> Answers::old_apps;

TEST_P(Answers, AreWhatAReadAfterThemShows) {
  Desire();
  for (int i = 0; i < kCallsOfASeed && !HasFailure(); ++i) {
    SCOPED_TRACE("call " + std::to_string(i));
    const int draw = Between(1, 100);
    if (draw <= 55) {
      Update();
    } else if (draw <= 67) {
      Replace();
    } else if (draw <= 75) {
      RollBack();
    } else if (draw <= 80) {
      Change(&v2::Rolls::Stub::PauseRoll);
    } else if (draw <= 85) {
      Change(&v2::Rolls::Stub::ResumeRoll);
    } else if (draw <= 90) {
      Change(&v2::Rolls::Stub::CancelRoll);
    } else if (draw <= 93) {
      Change(&v2::Rolls::Stub::RetryRoll);
    } else if (draw <= 96) {
      Retire();
    } else {
      Remove();
      Desire();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Answers, ::testing::Range(1, kSeeds + 1));

}  // namespace
}  // namespace baton
