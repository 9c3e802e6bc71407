// The whole of Baton over mutual TLS, under traffic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "baton/v2/routes_service.grpc.pb.h"
#include "tests/e2e/scene.h"
#include "tools/embedded_postgres/command.h"
#include "tools/tls/credentials.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

stack::StackOptions OverTls() {
  stack::StackOptions options;
  options.tls = true;
  return options;
}

class TlsScenes : public Scene {
 protected:
  TlsScenes() : Scene(OverTls()) {}

  Result<CommandResult> BatonBy(const std::string& tls, std::vector<std::string> arguments) {
    if (!tls.empty()) arguments.insert(arguments.begin(), {"--tls", tls});
    arguments.insert(arguments.begin(), {"--timeout", "3s"});
    return RunCommand(Baton(arguments), std::nullopt);
  }
  std::string For(Role role, const std::string& name) { return stack_->certificates()->For({role, name}); }
  static std::shared_ptr<Tls> Open(const std::string& dir) {
    auto opened = Tls::Open({.dir = dir, .roles = tls::AllRoles()});
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }
  // Of batond's certificate, on a connection of its own.
  std::string Fingerprint() {
    const auto tls = Open(For(Role::kViewer, "looker"));
    const auto stub = v2::Admin::NewStub(Dial(stack_->api_address(), tls->ForClient()));
    grpc::ClientContext context;
    v2::PingResponse answer;
    EXPECT_TRUE(stub->Ping(&context, {}, &answer).ok());
    const auto pem = context.auth_context()->FindPropertyValues("x509_pem_cert");
    if (pem.empty()) return "";
    return tls::Certificate::ParseAll(std::string(pem[0].data(), pem[0].size()), "batond's")->front().fingerprint();
  }
  // How often a program has taken up new files.
  int Taken(const std::string& part) {
    std::ifstream log(dir_.path() + "/" + part + ".log");
    int lines = 0;
    for (std::string line; std::getline(log, line);) lines += line.find("\"tls_files_taken\"") != std::string::npos;
    return lines;
  }
  static std::string InDir(const std::string& dir) {
    const auto files = tls::ReadFiles(dir);
    return tls::Certificate::ParseAll(files->chain, dir)->front().fingerprint();
  }
};

TEST_F(TlsScenes, AnAppRollsWhileEveryCertificateIsReplaced) {
  Begin();
  StartTraffic(200);
  const v2::Roll second = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const std::string batond = For(Role::kBatond, "batond");
  const std::string before = InDir(batond);
  for (const Identity& part : {Identity{Role::kBatond, "batond"}, Identity{Role::kCell, "cell-1"},
                               Identity{Role::kCell, "cell-2"}, Identity{Role::kRouter, "router-1"}}) {
    stack_->certificates()->Renew(part);
  }
  EXPECT_NE(InDir(batond), before);
  EXPECT_EQ(EndOf(second), v2::COMPLETED);
  EXPECT_TRUE(Await([&] { return Fingerprint() == InDir(batond); })) << "new connections use the new certificate";
  EXPECT_EQ(EndOf(Update("v3")), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v3", app_.instances));
  ExpectDrainsAsTraffic(2 * app_.instances);
  ExpectUnnoticed();
  EXPECT_THAT(Metrics(), HasSubstr("baton_tls_certificate_expires_seconds 25"));  // of 30 days: 2,5.. millions
}

// Each step of docs/guide/security.md in the middle of a roll.
TEST_F(TlsScenes, AnAppRollsWhileAnotherAuthorityTakesOver) {
  Begin();
  StartTraffic(200);
  const auto first = tls::ReadAuthority(dir_.path() + "/pg/tls/ca");
  ASSERT_TRUE(first);
  const tls::Authority next = tls::Authority::Make(first->trust_domain(), tls::ForDays(30, tls::Now()));
  const std::vector<Identity> parts{{Role::kBatond, "batond"}, {Role::kCell, "cell-1"},  {Role::kCell, "cell-2"},
                                    {Role::kRouter, "router-1"}, {Role::kAdmin, "stack"}, {Role::kViewer, "late"}};
  const auto issue = [&](const tls::Authority& by, const std::string& also_trusted) {
    for (const Identity& part : parts) {
      const tls::Order order{.identity = part,
                             .ip_addresses = {"127.0.0.1"},
                             .validity = tls::ForDays(30, tls::Now()),
                             .also_trusted = also_trusted};
      EXPECT_TRUE(tls::IssueInto(by, order, For(part.role, part.name)));
    }
  };
  const std::string of_the_first = For(Role::kViewer, "late");
  const std::string late = dir_.path() + "/late";
  const auto during = [&](const std::string& version, const std::function<void()>& step) {
    const v2::Roll roll = Update(version);
    ASSERT_TRUE(AwaitStep("handed_over", 1));
    std::map<std::string, int> before;
    for (const std::string part : {"batond", "cell-1", "cell-2", "router"}) before[part] = Taken(part);
    step();
    EXPECT_EQ(EndOf(roll), v2::COMPLETED);
    for (const auto& [part, taken] : before) EXPECT_TRUE(Await([&] { return Taken(part) > taken; })) << part;
  };
  during("v2", [&] { issue(*first, next.certificate().pem()); });
  std::filesystem::copy(of_the_first, late);  // it believes both, and is of the first
  const auto may = BatonBy(late, {"get", "cells"});
  ASSERT_TRUE(may);
  EXPECT_EQ(may->exit_status, 0) << may->output;
  during("v3", [&] { issue(next, first->certificate().pem()); });
  during("v4", [&] { issue(next, ""); });
  EXPECT_TRUE(AwaitOnly("v4", app_.instances));
  // New connections are of the next one, on both ends.
  stack_->KillCell(2);
  stack_->StartCell(2);
  stack_->KillRouter();
  stack_->StartRouter();
  EXPECT_EQ(EndOf(Update("v5")), v2::COMPLETED);
  const auto gone = BatonBy(late, {"get", "cells"});
  ASSERT_TRUE(gone);
  EXPECT_NE(gone->exit_status, 0) << "who has only the first one's certificate is nobody now";
  ExpectUnnoticed();
}

TEST_F(TlsScenes, EachIsWhomItsCertificateSays) {
  // People.
  const auto cells = BatonBy(For(Role::kOperator, "alice"), {"get", "cells"});
  ASSERT_TRUE(cells) << cells.error().message;
  EXPECT_EQ(cells->exit_status, 0) << cells->output;
  EXPECT_THAT(cells->output, AllOf(HasSubstr("cell-1"), HasSubstr("cell-2")));
  EXPECT_EQ(BatonBy("", {"get", "cells"})->exit_status, 3) << "without a certificate nobody answers";
  const auto as_cell = BatonBy(For(Role::kCell, "cell-1"), {"get", "cells"});
  EXPECT_EQ(as_cell->exit_status, 2);
  EXPECT_THAT(as_cell->output, HasSubstr("is of cell/cell-1; this takes one of the role"));
  // A cell that takes another one's name does not start.
  const auto other = RunCommand({stack_->bin_dir() + "/baton-cell", "run", "--id", "cell-9", "--dir", stack_->dir() + "/cell-9",
                                 "--tls", For(Role::kCell, "cell-1")}, std::nullopt);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->exit_status, 1);
  EXPECT_THAT(other->output, HasSubstr("cert.pem is of cell/cell-1, and --id makes this cell/cell-9"));
  // And one that lies to batond is not believed, be its certificate as good as any.
  const auto cell = Open(For(Role::kCell, "cell-1"));
  const auto channel = Dial(stack_->api_address(), cell->ForClient());
  {
    grpc::ClientContext context;
    const auto stream = v2::Cells::NewStub(channel)->Connect(&context);
    v2::CellMessage hello;
    hello.mutable_hello()->set_protocol_version(1);
    hello.mutable_hello()->set_cell_id("cell-2");
    stream->Write(hello);
    v2::LeaderToCell answer;
    while (stream->Read(&answer)) {
    }
    const grpc::Status status = stream->Finish();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr("certificate is of cell/cell-1, and it speaks as cell/cell-2"));
  }
  // What is another role's to call is refused before that.
  {
    grpc::ClientContext context;
    const grpc::Status status = v2::Routes::NewStub(channel)->Connect(&context)->Finish();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr("cell may not call it"));
  }
  const auto router = Open(For(Role::kRouter, "router-2"));
  grpc::ClientContext context;
  const auto stream = v2::Routes::NewStub(Dial(stack_->api_address(), router->ForClient()))->Connect(&context);
  v2::RouteConsumerMessage hello;
  hello.mutable_hello()->set_protocol_version(1);
  hello.mutable_hello()->set_consumer_id("router-1");
  stream->Write(hello);
  v2::RouteMessage answer;
  while (stream->Read(&answer)) {
  }
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << status.error_message();
  EXPECT_THAT(status.error_message(), HasSubstr("certificate is of router/router-2, and it speaks as router/router-1"));
}

}  // namespace
}  // namespace baton
