#include "orchestrator/bounds/connections.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>

#include "orchestrator/bounds/server_bounds.h"
#include "tools/stack/free_port.h"

namespace baton::bounds {
namespace {

// As batond's server is made. Its two numbers are taken out of gRPC's text as it writes that.
TEST(Connections, CountsTheCallsOfAServer) {
  const int port = stack::FreePort();
  const std::string address = "127.0.0.1:" + std::to_string(port);
  grpc::CallbackGenericService says_unimplemented;
  grpc::ServerBuilder builder;
  Apply({}, builder);
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterCallbackGenericService(&says_unimplemented);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  ASSERT_TRUE(server);
  Connections connections(port);
  EXPECT_EQ(connections.CallsOfAll().started, 0);

  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  for (int calls = 1; calls <= 12; ++calls) {
    grpc::ClientContext context;
    const grpc::Slice empty("");
    const grpc::ByteBuffer nothing(&empty, 1);
    grpc::ByteBuffer answer;
    std::promise<grpc::Status> ended;
    stub.UnaryCall(&context, "/baton.v2.Admin/Ping", {}, &nothing, &answer, [&](const grpc::Status& status) { ended.set_value(status); });
    EXPECT_EQ(ended.get_future().get().error_code(), grpc::StatusCode::UNIMPLEMENTED);
    EXPECT_EQ(connections.CallsOfAll().started, calls);
  }
  server->Shutdown();
  const Connections::Calls calls = connections.CallsOfAll();
  EXPECT_EQ(calls.held, 0);
  EXPECT_EQ(calls.failed, 12) << "gRPC counts those, too, that a handler refused";
}

}  // namespace
}  // namespace baton::bounds
