// Which update is meant: one that is sent again late does not undo a newer one, and of many that are the same one changes
// something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "tests/server/running_service.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kCallers = 12;
constexpr int kRounds = 10;

class Identity : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
  }
  static void TearDownTestSuite() { delete service; }

  static v2::UpdateDesiredLRPRequest To(const std::string& guid, int version, bool named = true) {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    auto& definition = *request.mutable_update()->mutable_desired_lrp()->mutable_definition();
    definition = RunningService::SmallApp(guid).desired_lrp().definition();
    definition.mutable_resource()->set_memory_mb(16 + version);
    if (named) request.mutable_update()->set_update_identifier("v" + std::to_string(version));
    return request;
  }
  // v1, and one update after the other: no instance, so each roll is over in its call; or one, so that it is not.
  static void Go(const std::string& guid, int instances, const std::vector<int>& versions) {
    v2::DesireLRPRequest desire = RunningService::SmallApp(guid, instances);
    *desire.mutable_desired_lrp()->mutable_definition() = To(guid, 1).update().desired_lrp().definition();
    desire.mutable_desired_lrp()->mutable_definition()->set_definition_identifier("v1");
    ASSERT_TRUE(service->Desire(desire).ok());
    for (const int version : versions) {
      v2::UpdateDesiredLRPResponse answer;
      ASSERT_TRUE(service->Update(To(guid, version), &answer).ok());
      EXPECT_FALSE(answer.returned());
    }
  }
  static std::string Active(const std::string& guid) {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(guid);
    v2::GetDesiredLRPResponse got;
    EXPECT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
    return got.desired_lrp().active_definition();
  }
  // All at once; gives how many of them `counts` holds for.
  template <class Ask>
  static int Together(Ask ask) {
    std::barrier go(kCallers);
    std::atomic<int> counted = 0;
    std::vector<std::thread> callers;
    for (int i = 0; i < kCallers; ++i) {
      callers.emplace_back([&] {
        go.arrive_and_wait();
        counted += ask();
      });
    }
    for (std::thread& caller : callers) caller.join();
    return counted;
  }
  static RunningService* service;
};
RunningService* Identity::service = nullptr;

TEST_F(Identity, AnUpdateThatIsSentAgainLateDoesNotUndoANewerOne) {
  Go("late", 0, {2, 3, 4});
  const grpc::Status refused = service->Update(To("late", 2));
  EXPECT_EQ(refused.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), AllOf(HasSubstr("v2 was active before, and v4 is now"),
                                             HasSubstr("reactivate: true"), HasSubstr("expected.modification_tag")));
  EXPECT_EQ(Active("late"), "v4");
  v2::UpdateDesiredLRPRequest retry = To("late", 2);
  retry.mutable_update()->set_retry(true);
  EXPECT_EQ(service->Update(retry).error_code(), StatusCode::FAILED_PRECONDITION) << "a retry is of the last one";
  v2::ReplaceDesiredLRPRequest whole;
  *whole.mutable_desired_lrp() = RunningService::SmallApp("late", 0).desired_lrp();
  *whole.mutable_desired_lrp()->mutable_definition() = To("late", 2).update().desired_lrp().definition();
  whole.mutable_desired_lrp()->mutable_definition()->set_definition_identifier("v2");
  v2::UpdateDesiredLRPResponse answer;
  EXPECT_EQ(service->apps->ReplaceDesiredLRP(Context().get(), whole, &answer).error_code(),
            StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(Active("late"), "v4");
}

TEST_F(Identity, AnUpdateThatIsSentAgainWhileANewerOneRollsDoesNotUndoIt) {
  Go("rolling", 1, {3, 4});
  EXPECT_EQ(service->Update(To("rolling", 3)).error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(Active("rolling"), "v4");
  EXPECT_TRUE(service->Update(To("rolling", 4)).ok()) << "what is active may be said again";
}

TEST_F(Identity, WhoMeansItGoesBackAndTheAnswerAndTheHistorySaySo) {
  Go("meant", 1, {2, 3});
  v2::UpdateDesiredLRPRequest back = To("meant", 2);
  back.mutable_update()->set_reactivate(true);
  v2::UpdateDesiredLRPResponse answer;
  ASSERT_TRUE(service->Update(back, &answer).ok());
  EXPECT_TRUE(answer.returned());
  EXPECT_EQ(Active("meant"), "v2");
  v2::GetRollRequest get;
  get.set_roll_id(answer.roll().roll_id());
  get.set_with_steps(true);
  v2::GetRollResponse got;
  ASSERT_TRUE(service->rolls->GetRoll(Context().get(), get, &got).ok());
  ASSERT_GT(got.steps_size(), 0);
  EXPECT_THAT(got.steps(0).text(), HasSubstr("back to v2, which was active before"));
  ASSERT_TRUE(service->Update(back, &answer).ok());
  EXPECT_FALSE(answer.returned()) << "there already";
}

TEST_F(Identity, ACompareAndSetThatMatchesIsNoLateRepetition) {
  Go("compared", 0, {2, 3});
  v2::UpdateDesiredLRPRequest back = To("compared", 2);
  back.mutable_update()->mutable_expected()->set_instances(0);
  EXPECT_EQ(service->Update(back).error_code(), StatusCode::FAILED_PRECONDITION) << "that tells nothing of the version";
  back.mutable_update()->mutable_expected()->set_definition_identifier("v2");
  EXPECT_EQ(service->Update(back).error_code(), StatusCode::ABORTED);
  back.mutable_update()->mutable_expected()->set_definition_identifier("v3");
  EXPECT_TRUE(service->Update(back).ok());
  EXPECT_EQ(Active("compared"), "v2");
}

TEST_F(Identity, AnUpdateThatNamesNothingGoesBackFreely) {
  Go("content", 0, {});
  ASSERT_TRUE(service->Update(To("content", 2, /*named=*/false)).ok());
  ASSERT_TRUE(service->Update(To("content", 3, /*named=*/false)).ok());
  v2::UpdateDesiredLRPResponse answer;
  ASSERT_TRUE(service->Update(To("content", 2, /*named=*/false), &answer).ok());
  EXPECT_TRUE(answer.changed());
  EXPECT_TRUE(answer.returned());
  EXPECT_EQ(answer.desired_lrp().definition().resource().memory_mb(), 18);
}

TEST_F(Identity, AKeyTellsARepetitionFromAReturn) {
  Go("keyed", 0, {2});
  v2::UpdateDesiredLRPRequest third = To("keyed", 3);
  third.set_idempotency_key("third");
  ASSERT_TRUE(service->Update(third).ok());
  ASSERT_TRUE(service->Update(To("keyed", 4)).ok());
  v2::UpdateDesiredLRPResponse again;
  ASSERT_TRUE(service->Update(third, &again).ok()) << "it was done: its answer is the one of then";
  EXPECT_EQ(again.desired_lrp().active_definition(), "v3");
  EXPECT_EQ(Active("keyed"), "v4");
}

TEST_F(Identity, OfTheSameUpdatesAtOnceOneChangesSomething) {
  Go("same", 1, {});
  for (int round = 0; round < kRounds; ++round) {
    const bool scales = round % 2 == 1;
    v2::UpdateDesiredLRPRequest update = To("same", round + 2);
    if (scales) {
      update.mutable_update()->Clear();
      update.mutable_update()->set_instances(round + 2);
    }
    const int changed = Together([&] {
      v2::UpdateDesiredLRPResponse answer;
      const grpc::Status status = service->Update(update, &answer);
      EXPECT_TRUE(status.ok()) << status.error_message();
      return answer.changed() ? 1 : 0;
    });
    EXPECT_EQ(changed, 1) << "round " << round;
  }
}

TEST_F(Identity, OfTheSameDesiresAndRemovalsAtOnceOneIsDone) {
  for (int round = 0; round < kRounds; ++round) {
    const std::string guid = "once-" + std::to_string(round);
    EXPECT_EQ(Together([&] { return service->Desire(RunningService::SmallApp(guid, 2)).ok() ? 1 : 0; }), 1);
    const int removed = Together([&] {
      v2::RemoveDesiredLRPRequest request;
      request.set_process_guid(guid);
      v2::RemoveDesiredLRPResponse answer;
      return service->apps->RemoveDesiredLRP(Context().get(), request, &answer).ok() ? 1 : 0;
    });
    EXPECT_EQ(removed, 1);
  }
}

}  // namespace
}  // namespace baton
