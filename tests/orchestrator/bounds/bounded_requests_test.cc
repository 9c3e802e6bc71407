#include "orchestrator/bounds/bounded_requests.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>

#include <set>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/admin_service.grpc.pb.h"
#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/domains_service.grpc.pb.h"
#include "baton/v2/events_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "baton/v2/routes_service.grpc.pb.h"
#include "baton/v2/upgrades_service.grpc.pb.h"

namespace baton::bounds {
namespace {

using ::testing::HasSubstr;

template <class Message>
grpc::ByteBuffer Encoded(const Message& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

#define NAME(version, Request) "baton." #version "." #Request,

TEST(ParseBounds, EachRequestOfTheApiIsBounded) {
  const std::set<std::string> bounded = {BATON_LARGE_REQUESTS_V1(NAME) BATON_LARGE_REQUESTS_V2(NAME)
                                             BATON_SMALL_REQUESTS_V1(NAME) BATON_SMALL_REQUESTS_V2(NAME)};
  std::set<std::string> asked;
  for (const auto* file :
       {v1::PingRequest::descriptor()->file(), v2::ListActualLRPsRequest::descriptor()->file(), v2::PingRequest::descriptor()->file(),
        v2::CellMessage::descriptor()->file(), v2::GetDefinitionRequest::descriptor()->file(),
        v2::DesireLRPRequest::descriptor()->file(), v2::UpsertDomainRequest::descriptor()->file(),
        v2::SubscribeRequest::descriptor()->file(), v2::GetRollRequest::descriptor()->file(),
        v2::RouteConsumerMessage::descriptor()->file(), v2::GetUpgradeRequest::descriptor()->file()}) {
    ASSERT_GT(file->service_count(), 0) << file->name();
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        asked.insert(file->service(s)->method(m)->input_type()->full_name());
      }
    }
  }
  EXPECT_EQ(bounded, asked);
}

// As a handler of gRPC's does it.
template <class Request>
grpc::Status Read(grpc::ByteBuffer buffer, Request& request) {
  return grpc::SerializationTraits<Request>::Deserialize(&buffer, &request);
}

TEST(BoundedParse, ReadsWhatIsWithin) {
  v2::WatchRollRequest asked;
  asked.set_process_guid("app");
  v2::WatchRollRequest read;
  EXPECT_TRUE(Read(Encoded(asked), read).ok());
  EXPECT_EQ(read.process_guid(), "app");
  EXPECT_FALSE(TakeParsed().refused);
}

TEST(BoundedParse, ARequestThatNamesSomethingIsSmall) {
  v2::WatchRollRequest asked;
  asked.set_process_guid(std::string(kSmallMessageBytes, 'a'));
  v2::WatchRollRequest read;
  EXPECT_FALSE(Read(Encoded(asked), read).ok());
  const Parsed parsed = TakeParsed();
  ASSERT_TRUE(parsed.refused);
  EXPECT_THAT(parsed.refused->error.message, HasSubstr("it takes 65536 at most"));
  EXPECT_EQ(read.ByteSizeLong(), 0u);
}

TEST(BoundedParse, NothingOfARefusedShapeIsBuilt) {
  v1::DesiredLRPsRequest asked;
  for (int i = 0; i < 1'000'000; ++i) asked.add_process_guids("");
  v1::DesiredLRPsRequest read;
  EXPECT_FALSE(Read(Encoded(asked), read).ok());
  EXPECT_EQ(read.process_guids_size(), 0);
  EXPECT_STREQ(TakeParsed().refused->why, "shape");
  EXPECT_FALSE(TakeParsed().refused) << "said once";
}

TEST(BoundedParse, RequestsThatAreNotAnsweredShareTheMemory) {
  v2::DesireLRPRequest asked;
  asked.mutable_desired_lrp()->set_annotation(std::string(3 << 20, 'a'));
  std::vector<Parsed> held;
  v2::DesireLRPRequest read;
  while (Read(Encoded(asked), read).ok()) {
    held.push_back(TakeParsed());
    ASSERT_LT(held.size(), 100u);
  }
  const Parsed parsed = TakeParsed();
  ASSERT_TRUE(parsed.refused);
  EXPECT_EQ(parsed.refused->error.kind, ErrorKind::kResourceExhausted);
  EXPECT_TRUE(parsed.refused->error.retry_after);
  EXPECT_EQ(held.size(), kRequestsBytesMax / (3 << 20)) << "about 3 MiB each";
  v2::PingRequest ping;
  EXPECT_TRUE(Read(Encoded(v2::PingRequest()), ping).ok()) << "small ones are heard";
  held.clear();
  EXPECT_EQ(RequestBytes::Taken(), 0u);
  EXPECT_TRUE(Read(Encoded(asked), read).ok());
  TakeParsed();
  EXPECT_EQ(RequestBytes::Taken(), 0u);
}

TEST(ParseBounds, OneCallersRequestsAreHalfOfAllAtMost) {
  v2::DesireLRPRequest asked;
  asked.mutable_desired_lrp()->set_annotation(std::string(3 << 20, 'a'));
  std::vector<Parsed> held;
  v2::DesireLRPRequest read;
  const auto ask = [&](const std::string& who) {
    NextIsOf(who);
    return Read(Encoded(asked), read).ok();
  };
  while (ask("controller/a")) {
    held.push_back(TakeParsed());
    ASSERT_LT(held.size(), 100u);
  }
  const Parsed parsed = TakeParsed();
  ASSERT_TRUE(parsed.refused);
  EXPECT_STREQ(parsed.refused->why, "identity memory");
  EXPECT_THAT(parsed.refused->error.message, HasSubstr("requests of controller/a that are not answered yet take 32 MiB (--identity-request-mib)"));
  EXPECT_EQ(held.size(), kCallersBytesMax / (3 << 20));
  EXPECT_TRUE(ask("controller/b")) << "another has his own";
  EXPECT_TRUE(Read(Encoded(asked), read).ok()) << "the last one's name is not the next one's";
  held.clear();
  EXPECT_TRUE(ask("controller/a"));
  TakeParsed();
  EXPECT_EQ(RequestBytes::Taken(), 0u);
}

}  // namespace
}  // namespace baton::bounds
