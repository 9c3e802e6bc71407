// By which door callers come in: batond leaves loopback by default only with TLS, and says so where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "baton/v2/admin_service.grpc.pb.h"
#include "tools/client/channel.h"
#include "tools/embedded_postgres/command.h"
#include "tools/shim/atomic_file.h"
#include "tools/stack/free_port.h"
#include "tools/stack/http.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"
#include "tools/tls/credentials.h"
#include "tools/tls/dev_certificates.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::chrono::seconds kTransportPatience{60};

std::string Local() { return "127.0.0.1:" + std::to_string(stack::FreePort()); }

class DoorOfBatond : public ::testing::Test {
 protected:
  static CommandResult Run(std::vector<std::string> arguments, const std::string& program = "batond") {
    arguments.insert(arguments.begin(), stack::OwnDirectory() + "/" + program);
    const auto result = RunCommand(arguments, std::nullopt);
    EXPECT_TRUE(result);
    return result ? *result : CommandResult{};
  }
  void Start(std::vector<std::string> more) {
    std::vector<std::string> command{stack::OwnDirectory() + "/batond",
                                     "--embedded",
                                     dir_.path() + "/pg",
                                     "--listen",
                                     address_,
                                     "--metrics",
                                     metrics_};
    command.insert(command.end(), more.begin(), more.end());
    batond_ = std::make_unique<stack::Program>(stack::Program::Start{"batond", command, log_});
  }
  void TearDown() override {
    if (!batond_) return;
    batond_->Signal(SIGTERM);
    EXPECT_TRUE(batond_->WaitForEnd(kTransportPatience));
  }
  bool LogHas(const std::string& text) const {
    return stack::WaitFor(kTransportPatience, {},
                          [&] { return shim::ReadWholeFile(log_).value_or("").find(text) != std::string::npos; });
  }
  CommandResult Baton(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--batond", address_, "--timeout", "20s"});
    return Run(arguments, "baton");
  }
  std::string Part(const std::string& name) const { return dir_.path() + "/pg/tls/" + name; }

  const stack::StateDir dir_;
  const std::string address_ = Local();
  const std::string metrics_ = Local();
  const std::string log_ = dir_.path() + "/batond.log";
  std::unique_ptr<stack::Program> batond_;
};

TEST_F(DoorOfBatond, WithADatabaseIsShutUntilSomebodySaysWhichOne) {
  const CommandResult silent = Run({"--database", "postgresql://nobody@127.0.0.1:1/none"});
  EXPECT_EQ(silent.exit_status, 2) << silent.output;
  EXPECT_THAT(silent.output, AllOf(HasSubstr("--tls DIR"), HasSubstr("baton certs"), HasSubstr("--insecure")));
  const CommandResult both = Run({"--embedded", dir_.path() + "/pg", "--insecure", "--tls", dir_.path()});
  EXPECT_EQ(both.exit_status, 2);
  EXPECT_THAT(both.output, HasSubstr("choose one"));
  const CommandResult open = Run({"--embedded", dir_.path() + "/pg", "--insecure", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(open.exit_status, 2);
  EXPECT_THAT(open.output, AllOf(HasSubstr("--listen"), HasSubstr("without TLS")));
  EXPECT_FALSE(std::filesystem::exists(dir_.path() + "/pg")) << "nothing was begun";
}

TEST_F(DoorOfBatond, APasswordStandsInNoFileThatOthersMayRead) {
  const std::string config = dir_.path() + "/batond.conf";
  ASSERT_TRUE(
      shim::WriteWholeFile(config, "database = \"postgresql://me:hunter2@127.0.0.1:1/none\"\ninsecure = true\n"));
  std::filesystem::permissions(config, std::filesystem::perms(0644));
  const CommandResult shown = Run({"--config", config});
  EXPECT_EQ(shown.exit_status, 1) << shown.output;
  EXPECT_THAT(shown.output,
              AllOf(HasSubstr("has mode 0644"), HasSubstr("chmod 600 " + config), Not(HasSubstr("hunter2"))));
}

TEST_F(DoorOfBatond, ThatIsInsecureSaysSoInTheLogTheMetricsAndEachAnswer) {
  Start({"--insecure"});
  ASSERT_TRUE(LogHas("\"event\":\"insecure\""));
  ASSERT_TRUE(LogHas("\"event\":\"serving\""));  // before that nobody may answer yet
  EXPECT_FALSE(std::filesystem::exists(Part("ca"))) << "nobody needs certificates";
  EXPECT_THAT(stack::HttpGet(metrics_, "batond", "/metrics").body, HasSubstr("\nbaton_insecure 1\n"));
  const auto stub = v2::Admin::NewStub(Dial(address_));
  grpc::ClientContext context;
  v2::PingResponse answer;
  ASSERT_TRUE(stub->Ping(&context, {}, &answer).ok());
  EXPECT_EQ(context.GetServerInitialMetadata().count("baton-insecure"), 1u);
  const std::string told = "is --insecure: whoever reaches it is admin\n";
  const CommandResult cells = Baton({"get", "cells"});
  EXPECT_EQ(cells.exit_status, 0) << cells.output;
  const std::size_t at = cells.output.find(told);
  ASSERT_NE(at, std::string::npos) << cells.output;
  EXPECT_EQ(cells.output.find(told, at + 1), std::string::npos) << "once";
}

TEST_F(DoorOfBatond, OfAnEmbeddedOneIsTlsOfItsOwn) {
  Start({});
  ASSERT_TRUE(LogHas("\"event\":\"serving\"")) << *shim::ReadWholeFile(log_);
  EXPECT_TRUE(LogHas("\"event\":\"certificates_made\""));
  EXPECT_THAT(stack::HttpGet(metrics_, "batond", "/metrics").body, HasSubstr("\nbaton_insecure 0\n"));
  const CommandResult cells = Baton({"--tls", Part("admin"), "get", "cells"});
  EXPECT_EQ(cells.exit_status, 0) << cells.output;
  EXPECT_THAT(cells.output, Not(HasSubstr("insecure")));
  const CommandResult plain = Run({"--batond", address_, "--timeout", "1s", "get", "cells"}, "baton");
  EXPECT_EQ(plain.exit_status, 3) << plain.output;
  EXPECT_THAT(plain.output, HasSubstr("--tls"));
  // A second start takes up what is there.
  const auto before = tls::ReadFiles(Part("admin"));
  TearDown();
  std::filesystem::remove(log_);
  Start({});
  ASSERT_TRUE(LogHas("\"event\":\"serving\""));
  EXPECT_EQ(*tls::ReadFiles(Part("admin")), *before);
}

TEST_F(DoorOfBatond, OfAnEmbeddedOneRenewsWhatIsOld) {
  const auto then = tls::Now() - std::chrono::hours(24 * 25);
  {
    const auto old = tls::DevCertificates::Open(dir_.path() + "/pg/tls", then);
    ASSERT_TRUE(old);
    for (const Identity& part : tls::UsualParts()) ASSERT_TRUE(old->For(part, then));
  }
  const auto admin_then = Tls::Open({.dir = Part("admin"), .roles = {Role::kAdmin}});  // has read its files
  ASSERT_TRUE(admin_then);
  const auto before = tls::ReadFiles(Part("admin"));
  Start({});
  ASSERT_TRUE(LogHas("\"event\":\"serving\""));
  EXPECT_NE(*tls::ReadFiles(Part("admin")), *before);
  const auto stub = v2::Admin::NewStub(Dial(address_, (*admin_then)->ForClient()));
  grpc::ClientContext context;
  v2::PingResponse answer;
  const grpc::Status status = stub->Ping(&context, {}, &answer);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(Baton({"--tls", Part("admin"), "get", "cells"}).exit_status, 0);
}

}  // namespace
}  // namespace baton
