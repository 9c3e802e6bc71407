// Each call of both APIs is timed, by reflection: one that is new and is not is named here.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "orchestrator/server/calls/counted_calls.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using google::protobuf::MethodDescriptor;

// Those that last for as long as their caller, or what they wait for, lets them: how long says nothing of batond.
const std::map<std::string, std::string>& NotTimed() {
  static const std::map<std::string, std::string> kWhy = {
      {"baton.v1.Events.SubscribeToEvents", "a stream until its caller leaves"},
      {"baton.v1.Events.SubscribeToInstanceEvents", "a stream until its caller leaves"},
      {"baton.v2.Cells.Connect", "a stream for as long as the cell is there"},
      {"baton.v2.Events.Subscribe", "a stream until its caller leaves"},
      {"baton.v2.Rolls.WaitRoll", "it waits for a roll"},
      {"baton.v2.Rolls.WatchRoll", "a stream for as long as the roll is watched"},
      {"baton.v2.Routes.Connect", "a stream for as long as the router is there"},
  };
  return kWhy;
}

// Of all calls together.
std::int64_t Timed(const std::string& metrics) {
  constexpr char kCount[] = "baton_call_seconds_count{";
  std::int64_t sum = 0;
  std::istringstream in(metrics);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kCount)) sum += std::stoll(line.substr(line.rfind(' ')));
  }
  return sum;
}

// Empty but for the app's name, without which v1 does not ask v2; what comes of it does not matter.
std::string Request(const MethodDescriptor& method) {
  const std::unique_ptr<google::protobuf::Message> request(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(method.input_type())->New());
  if (const auto* guid = method.input_type()->FindFieldByName("process_guid")) {
    request->GetReflection()->SetString(request.get(), guid, "nobody");
  }
  return request->SerializeAsString();
}

void Ask(const std::shared_ptr<grpc::Channel>& channel, const MethodDescriptor& method) {
  const grpc::Slice slice(Request(method));
  const grpc::ByteBuffer sent(&slice, 1);
  const auto context = Context();
  grpc::CompletionQueue queue;
  grpc::TemplatedGenericStub<grpc::ByteBuffer, grpc::ByteBuffer> stub(channel);
  const auto call = stub.PrepareCall(context.get(), "/" + method.service()->full_name() + "/" + method.name(), &queue);
  void* tag = nullptr;
  bool ok = false;
  const auto next = [&] { return queue.Next(&tag, &ok) && ok; };
  call->StartCall(nullptr);
  if (next()) {
    call->WriteLast(sent, {}, nullptr);
    (void)next();
    grpc::ByteBuffer received;
    do {
      call->Read(&received, nullptr);
    } while (next());
  }
  grpc::Status status;
  call->Finish(&status, nullptr);
  (void)next();
  EXPECT_NE(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << method.full_name();
  EXPECT_NE(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << method.full_name();
  queue.Shutdown();
}

TEST(TimedCalls, AreAllButThoseThatLast) {
  RunningService service;
  service.WaitForLead();
  std::size_t excused = 0;
  for (const std::string& name : CountedServices()) {
    const auto* of = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    ASSERT_NE(of, nullptr) << name;
    for (int i = 0; i < of->method_count(); ++i) {
      const MethodDescriptor& method = *of->method(i);
      if (NotTimed().contains(method.full_name())) {
        ++excused;
        continue;
      }
      const std::int64_t before = Timed(service.Metrics());
      Ask(service.channel(), method);
      EXPECT_GT(Timed(service.Metrics()), before) << method.full_name() << " is not in baton_call_seconds";
    }
  }
  EXPECT_EQ(excused, NotTimed().size()) << "one of them is no call any more";
}

}  // namespace
}  // namespace baton
