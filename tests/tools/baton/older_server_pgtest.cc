// A batond that is older than this baton.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/version.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Answers final : public v2::Admin::Service {
 public:
  explicit Answers(std::string version) : version_(std::move(version)) {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  ~Answers() override { server_->Shutdown(std::chrono::system_clock::now()); }

  grpc::Status Ping(grpc::ServerContext* context, const v2::PingRequest*, v2::PingResponse* response) override {
    if (!version_.empty()) context->AddInitialMetadata(kServerVersionKey, version_);
    for (const auto& [key, value] : context->client_metadata())
      said_[{key.data(), key.size()}] = {value.data(), value.size()};
    response->set_available(true);
    return grpc::Status::OK;
  }
  grpc::Status Versions(grpc::ServerContext* context, const v2::VersionsRequest*, v2::VersionsResponse*) override {
    context->AddInitialMetadata(kServerVersionKey, version_);
    return grpc::Status(++asked_ == 1 ? grpc::StatusCode::UNAVAILABLE : grpc::StatusCode::OK, "");
  }

  std::string address_;
  std::map<std::string, std::string> said_;  // with the last ping

 private:
  const std::string version_;
  int asked_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

std::string ErrorsOf(const Answers& batond, const std::string& command) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{in, out, err, nullptr, [] { return std::int64_t{1}; }};
  EXPECT_EQ(cli::Run({"--batond", batond.address_, command}, io), kDone) << err.str();
  return err.str();
}

TEST(OlderServer, IsNamedOnceWithBothVersions) {
  const Answers batond("0.1.9");
  const std::string warning = "baton: warning: batond at " + batond.address_ +
                              " is 0.1.9, older than this baton, which is " + kAppVersion +
                              ": it refuses most calls; upgrade batond first\n";
  EXPECT_EQ(ErrorsOf(batond, "ping"), warning);
  EXPECT_EQ(batond.said_.at(kClientVersionKey), kAppVersion);
  EXPECT_THAT(batond.said_.at("user-agent"), HasSubstr(std::string("/") + kAppVersion + " "));
  EXPECT_EQ(ErrorsOf(batond, "version"), warning) << "though it was asked twice";
}

TEST(OlderServer, OfTheSameReleaseANewerOneOrNobodyKnowsWhichIsNoNews) {
  for (const char* version : {kAppVersion, "99.0.0", "", "no version"}) {
    EXPECT_THAT(ErrorsOf(Answers(version), "ping"), IsEmpty()) << version;
  }
}

}  // namespace
}  // namespace baton::cli
