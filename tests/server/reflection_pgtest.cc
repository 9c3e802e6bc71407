// Server reflection, as grpcurl and grpc_cli use it. Debian ships no client of it; its messages are in the library.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include "orchestrator/server/calls/counted_calls.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using google::protobuf::Message;
using ::testing::HasSubstr;

std::unique_ptr<Message> NewReflectionMessage(const std::string& name) {
  const auto* type =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName("grpc.reflection.v1alpha." + name);
  return std::unique_ptr<Message>(google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
}

// The answer to one request, given and returned as protobuf's text format.
std::string Reflect(const std::shared_ptr<grpc::Channel>& channel, const std::string& text) {
  auto request = NewReflectionMessage("ServerReflectionRequest");
  auto response = NewReflectionMessage("ServerReflectionResponse");
  if (!google::protobuf::TextFormat::ParseFromString(text, request.get())) return "the request is no text format";
  const grpc::Slice slice(request->SerializeAsString());
  const grpc::ByteBuffer sent(&slice, 1);
  grpc::ByteBuffer received;
  const auto context = Context();
  grpc::CompletionQueue queue;
  grpc::TemplatedGenericStub<grpc::ByteBuffer, grpc::ByteBuffer> stub(channel);
  const auto call =
      stub.PrepareCall(context.get(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  void* tag = nullptr;
  bool ok = false;
  const auto next = [&] { return queue.Next(&tag, &ok) && ok; };
  call->StartCall(nullptr);
  if (!next()) return "no call";
  call->WriteLast(sent, {}, nullptr);
  if (!next()) return "not sent";
  call->Read(&received, nullptr);
  if (!next()) return "not answered";
  grpc::Status status;
  call->Finish(&status, nullptr);
  next();
  queue.Shutdown();
  grpc::Slice whole;
  if (!received.DumpToSingleSlice(&whole).ok()) return "no bytes";
  response->ParseFromArray(whole.begin(), static_cast<int>(whole.size()));
  return response->DebugString();
}

TEST(Reflection, NamesEachServiceAndItsMethods) {
  batond::ServiceOptions options;
  options.reflection = true;
  RunningService service({}, options);
  service.WaitForLead();
  const std::string services = Reflect(service.channel(), "list_services: ''");
  for (const char* name : {"ActualLRPs", "Admin", "Cells", "Definitions", "DesiredLRPs", "Rolls", "Routes"}) {
    EXPECT_THAT(services, HasSubstr(std::string("\"baton.v2.") + name + "\""));
  }
  EXPECT_THAT(services, HasSubstr("grpc.health.v1.Health"));
  std::size_t served = 0;
  for (std::size_t at = 0; (at = services.find("\"baton.", at)) != services.npos; ++at) ++served;
  EXPECT_EQ(served, CountedServices().size()) << "a service whose calls nobody counts";
  for (const std::string& name : CountedServices()) EXPECT_THAT(services, HasSubstr("\"" + name + "\""));
  EXPECT_THAT(Reflect(service.channel(), "file_containing_symbol: 'baton.v2.Rolls'"), HasSubstr("RollBack"));
  EXPECT_THAT(Reflect(service.channel(), "file_containing_symbol: 'baton.v2.Nothing'"), HasSubstr("error_code: 5"));
}

}  // namespace
}  // namespace baton
