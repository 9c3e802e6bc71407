// What baton.v1 cannot say, and how calls that v2 refused are answered.
#include "orchestrator/transform/messages/known.h"

#include <gmock/gmock.h>

#include "baton/v1/requests.pb.h"
#include "orchestrator/transform/messages/errors.h"
#include "orchestrator/transform/services/pass.h"

namespace baton::transform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Known, FieldsOfAnotherVersionAreRefusedByName) {
  v1::UpdateDesiredLRPRequest request;
  EXPECT_TRUE(CheckKnown(request, "DesiredLRPs.DesireLRP"));
  request.mutable_update()->set_annotation("a");
  EXPECT_TRUE(CheckKnown(request, "DesiredLRPs.DesireLRP"));
  v1::DesiredLRPUpdate& update = *request.mutable_update();
  update.GetReflection()->MutableUnknownFields(&update)->AddVarint(42, 1);
  const Status status = CheckKnown(request, "DesiredLRPs.UpdateDesiredLRP");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(status.error().message, AllOf(HasSubstr("update has field number 42"),
                                            HasSubstr("baton.v2.DesiredLRPs.UpdateDesiredLRP")));
}

TEST(Known, AlsoDeepInside) {
  v1::DesireLRPRequest request;
  request.mutable_desired_lrp()->add_sidecars();
  v1::Sidecar& sidecar = *request.mutable_desired_lrp()->add_sidecars();
  sidecar.GetReflection()->MutableUnknownFields(&sidecar)->AddLengthDelimited(9, "x");
  EXPECT_THAT(CheckKnown(request, "DesiredLRPs.DesireLRP").error().message, HasSubstr("desired_lrp.sidecars[1] has field number 9"));
}

TEST(Known, AndValuesThatAnEnumerationDoesNotHave) {
  v1::DesireLRPRequest request;
  request.mutable_desired_lrp()->set_update_strategy(static_cast<v1::DesiredLRP::UpdateStrategy>(7));
  EXPECT_THAT(CheckKnown(request, "DesiredLRPs.DesireLRP").error().message, HasSubstr("desired_lrp has field number 39"));
}

TEST(Pass, WhoAsksIsPassedOnInWhatGrpcTakes) {
  EXPECT_EQ(Printable("M\xC3\xBCller\n\x7F"), "M??ller??");
  EXPECT_EQ(Printable("cloud controller 2"), "cloud controller 2");
}

TEST(Errors, DiegosWordsForThem) {
  const auto type = [](grpc::StatusCode code) { return ToV1(grpc::Status(code, "why")).type(); };
  EXPECT_EQ(type(grpc::StatusCode::INVALID_ARGUMENT), v1::Error::InvalidRequest);
  EXPECT_EQ(type(grpc::StatusCode::NOT_FOUND), v1::Error::ResourceNotFound);
  EXPECT_EQ(type(grpc::StatusCode::ALREADY_EXISTS), v1::Error::ResourceExists);
  EXPECT_EQ(type(grpc::StatusCode::ABORTED), v1::Error::ResourceConflict);
  EXPECT_EQ(type(grpc::StatusCode::FAILED_PRECONDITION), v1::Error::InvalidStateTransition);
  EXPECT_EQ(type(grpc::StatusCode::DATA_LOSS), v1::Error::Deserialize);
  EXPECT_EQ(type(grpc::StatusCode::INTERNAL), v1::Error::UnknownError);
  EXPECT_EQ(ToV1(grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, ""), v1::Error::ActualLRPCannotBeClaimed).type(),
            v1::Error::ActualLRPCannotBeClaimed);
}

TEST(Errors, WhereNothingWasDecidedThereIsNoAnswer) {
  for (const auto code : {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::RESOURCE_EXHAUSTED,
                          grpc::StatusCode::DEADLINE_EXCEEDED, grpc::StatusCode::CANCELLED}) {
    EXPECT_FALSE(IsAnswer({code, ""}));
  }
  EXPECT_TRUE(IsAnswer({grpc::StatusCode::NOT_FOUND, ""}));
}

}  // namespace
}  // namespace baton::transform
