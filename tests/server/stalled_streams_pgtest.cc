// Callers that open a stream and let nothing through: each is cut off in its time, and those that read are not.
#include <functional>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/server/convergence_fixture.h"
#include "tests/server/raw_http2.h"

namespace baton {
namespace {

constexpr milliseconds kLimit{500};

class StalledStreams : public ConvergencePass {
 protected:
  static batond::ServiceOptions Quick() {
    batond::ServiceOptions options;
    options.stream_write = kLimit;
    return options;
  }
  StalledStreams() : ConvergencePass(Quick()) {}
  void SetUp() override {
    ConvergencePass::SetUp();
    ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  }
};

std::string Encoded(const std::function<void(v2::RouteConsumerHello&)>& fill) {
  v2::RouteConsumerMessage message;
  fill(*message.mutable_hello());
  return message.SerializeAsString();
}

// Each stream by its method, and what it is asked with.
std::vector<std::pair<std::string, std::string>> Streams() {
  v2::SubscribeRequest snapshot;
  snapshot.set_snapshot(true);
  v2::WatchRollRequest watch;
  watch.set_process_guid("app");
  v2::CellMessage cell;
  cell.mutable_hello()->set_protocol_version(1);
  cell.mutable_hello()->set_cell_id("cell-1");
  cell.mutable_hello()->mutable_capacity()->set_memory_mb(4096);
  return {{"/baton.v2.Events/Subscribe", snapshot.SerializeAsString()},
          {"/baton.v2.DesiredLRPs/ListDesiredLRPs", ""},
          {"/baton.v2.DesiredLRPs/ListSchedulingInfos", ""},
          {"/baton.v2.ActualLRPs/ListActualLRPs", ""},
          {"/baton.v2.Rolls/ListRolls", ""},
          {"/baton.v2.Rolls/WatchRoll", watch.SerializeAsString()},
          {"/baton.v2.Cells/Connect", cell.SerializeAsString()},
          {"/baton.v2.Routes/Connect", Encoded([](v2::RouteConsumerHello& hello) {
             hello.set_protocol_version(1);
             hello.set_consumer_id("router-1");
           })},
          {"/baton.v1.DesiredLRPs/ListDesiredLRPs", ""}};
}

TEST_F(StalledStreams, AConnectionThatNeverSaysAnythingIsClosed) {
  RawLink quiet(service.address());
  EXPECT_TRUE(quiet.IsClosedWithin(seconds(20)));
}

TEST_F(StalledStreams, EachIsCutOffWithAStatus) {
  for (const auto& [method, request] : Streams()) {
    SCOPED_TRACE(method);
    const auto began = std::chrono::steady_clock::now();
    RawHttp2Call call(service.address(), method, request);
    const auto end = call.Wait(seconds(15));
    ASSERT_TRUE(end) << "it was never cut off";
    EXPECT_EQ(end->grpc_status, grpc::StatusCode::RESOURCE_EXHAUSTED) << end->text;
    EXPECT_GE(std::chrono::steady_clock::now() - began, kLimit);
  }
}

TEST_F(StalledStreams, OneThatReadsGoesOnForAsLongAsItLikes) {
  const auto context = Context();
  v2::SubscribeRequest request;
  const auto reader = service.events->Subscribe(context.get(), request);
  const auto began = std::chrono::steady_clock::now();
  // A word comes each 3 s at the latest (Events.WhoHasNoNewsIsToldSoEveryThreeSeconds), of nothing new.
  for (v2::SubscribeResponse page; std::chrono::steady_clock::now() - began < kLimit * 8;) ASSERT_TRUE(reader->Read(&page));
}

}  // namespace
}  // namespace baton
