// What baton.v1 asks of baton.v2 in the same process meets the policy as well, at the entrance of the channel between them.
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/access_hooks.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <condition_variable>

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/transform/services/in_process.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SeenMetrics final : public Metrics {
 public:
  void Count(std::string_view name, std::string_view label, double) override {
    counted.push_back(std::string(name) + " " + std::string(label));
  }
  void Set(std::string_view, double, std::string_view) override {}
  void Observe(std::string_view, double, std::string_view) override {}
  std::vector<std::string> counted;
};

class CountingLog final : public Log {
 public:
  void Write(LogLevel, std::string_view event, std::initializer_list<LogField>) override { events.emplace_back(event); }
  std::vector<std::string> events;
};

class AccessGateTest : public ::testing::Test {
 protected:
  AccessGateTest() {
    grpc::ServerBuilder builder;
    builder.RegisterService(&admin_);  // says of all calls that it has none
    server_ = builder.BuildAndStart();
    std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> entrance;
    entrance.push_back(EntranceOf(gate_));
    stub_ = v2::Admin::NewStub(server_->experimental().InProcessChannelWithInterceptors({}, std::move(entrance)));
  }
  ~AccessGateTest() override {
    stub_.reset();
    server_->Shutdown();
  }
  static std::unique_ptr<grpc::ClientContext> Said(const std::string& word) {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    if (!word.empty()) context->AddMetadata(transform::kInProcessKey, word);
    return context;
  }
  grpc::Status Rotate(const std::string& word) {
    v2::KeysResponse response;
    return stub_->RotateKeys(Said(word).get(), {}, &response);
  }

  CountingLog log_;
  SeenMetrics metrics_;
  std::vector<AuditEntry> written_;
  std::shared_ptr<AccessGate> gate_ = *AccessGate::Open({"baton.v2.Admin"}, "baton.example", {log_, metrics_, [this](AuditEntry entry) {
                                                          written_.push_back(std::move(entry));
                                                        }});
  v2::Admin::CallbackService admin_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v2::Admin::Stub> stub_;
};

TEST_F(AccessGateTest, WhatV1AsksIsAllowedToWhoMayCallV2) {
  EXPECT_EQ(Rotate(transform::InProcessToken("admin/root")).error_code(), StatusCode::UNIMPLEMENTED)
      << "the service's own answer";
  EXPECT_TRUE(metrics_.counted.empty());
}

TEST_F(AccessGateTest, AndRefusedToOthersBeforeItIsSent) {
  const grpc::Status refused = Rotate(transform::InProcessToken("viewer/v"));
  EXPECT_EQ(refused.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(), HasSubstr("viewer may not call it"));
  EXPECT_THAT(metrics_.counted, ElementsAre("baton_refused_total role viewer"));
  ASSERT_EQ(written_.size(), 1u);
  EXPECT_EQ(written_[0].actor, "viewer/v (said: unknown)");
  EXPECT_EQ(written_[0].method, "baton.v2.Admin/RotateKeys");
  EXPECT_EQ(written_[0].outcome, "PERMISSION_DENIED");
}

TEST_F(AccessGateTest, AStreamThatIsRefusedHasNoPage) {
  const auto context = Said(transform::InProcessToken("cell/c"));
  const auto stream = stub_->ListAudit(context.get(), {});
  v2::ListAuditResponse page;
  EXPECT_FALSE(stream->Read(&page));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::PERMISSION_DENIED);
}

// B18: gRPC's name for the peer of such a channel is "unknown", as it is for others that it cannot name.
TEST_F(AccessGateTest, ACallWithinThatDoesNotShowThatItIsOneIsRefused) {
  for (const std::string& word :
       {std::string(), std::string("unknown"), "0" + transform::InProcessToken("admin/root"),
        std::string(64, 'a') + " admin/root", transform::InProcessToken(""), transform::InProcessToken("root/root")}) {
    EXPECT_EQ(Rotate(word).error_code(), StatusCode::UNAUTHENTICATED) << word;
  }
  EXPECT_TRUE(written_.empty()) << "nobody has no row";
}

TEST_F(AccessGateTest, CallsByNobodyFillNoLog) {
  for (int i = 0; i < 1000; ++i) (void)gate_->AdmitWithin("", "/baton.v2.Admin/Ping");
  EXPECT_EQ(metrics_.counted.size(), 1000u);
  EXPECT_GE(log_.events.size(), 10u);
  EXPECT_LE(log_.events.size(), 100u) << "ten a second";
}

TEST(AccessGate, IsNotOpenedWithoutATrustDomainOrForAServiceThatIsNotThere) {
  CountingLog log;
  SeenMetrics metrics;
  const auto open = [&](const std::vector<std::string>& services, const std::string& domain) {
    return AccessGate::Open(services, domain, {log, metrics, [](const AuditEntry&) {}});
  };
  EXPECT_THAT(open({"baton.v2.Admin"}, "").error().message, HasSubstr("is no trust domain"));
  EXPECT_THAT(open({"baton.v2.Admin"}, "Baton Example").error().message, HasSubstr("is no trust domain"));
  EXPECT_THAT(open({"baton.v2.Nothing"}, "baton.example").error().message, HasSubstr("baton.v2.Nothing"));
}

}  // namespace
}  // namespace baton
