// Whatever bytes come, a log is JSON: what protobuf and gRPC say of them by themselves goes through the logger.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/e2e/scene.h"

namespace baton {
namespace {

class OddBytes : public Scene {
 protected:
  // Each line of each program's log, parsed; what is no JSON fails by name.
  std::vector<nlohmann::json> Lines() const {
    std::vector<nlohmann::json> lines;
    for (const std::string program : {"batond", "baton-cell", "baton-router"}) {
      for (const auto& file : std::filesystem::directory_iterator(dir_.path())) {
        const std::string name = file.path().filename();
        if (!name.starts_with(program) || !name.ends_with(".log")) continue;
        std::ifstream log(file.path());
        for (std::string line; std::getline(log, line);) {
          lines.push_back(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false));
          EXPECT_TRUE(lines.back().is_object()) << name << ": " << line;
        }
      }
    }
    return lines;
  }
  bool HasLibraryMessage() const {
    return std::ranges::any_of(Lines(), [](const nlohmann::json& line) {
      return line.is_object() && line.value("event", "") == "library_message" &&
             line.value("library", "") == "protobuf";
    });
  }
};

TEST_F(OddBytes, AreNoLinesThatAreNoJson) {
  Begin();
  const auto channel = grpc::CreateChannel(stack_->api_address(), grpc::InsecureChannelCredentials());
  const auto apps = v1::DesiredLRPs::NewStub(channel);
  for (int i = 0; i < 20; ++i) {
    v1::DesireLRPRequest request;
    request.mutable_desired_lrp()->set_process_guid("odd");
    request.mutable_desired_lrp()->set_domain("\xff\xfe");
    request.mutable_desired_lrp()->set_annotation("\xc3\x28");
    v1::DesiredLRPLifecycleResponse response;
    grpc::ClientContext context;
    const grpc::Status status = apps->DesireLRP(&context, request, &response);
    EXPECT_TRUE(!status.ok() || response.has_error()) << "taken";
  }
  EXPECT_TRUE(Await([this] { return HasLibraryMessage(); }));
  EXPECT_GT(Lines().size(), 10u);
}

}  // namespace
}  // namespace baton
