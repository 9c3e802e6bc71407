// A HAProxy whose configuration an older baton-router made: it looks up host names alone.
#include <gmock/gmock.h>

#include "tests/tools/router/http_client.h"
#include "tests/tools/router/load.h"
#include "tests/tools/router/router_stack.h"
#include "tests/tools/router/wait_until.h"

namespace baton::router {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// As baton-router made it in format 2, what is not looked at left out.
std::string FormatTwo(const RouterStack& stack) {
  const HaproxyFiles& files = stack.files();
  const std::string listen = "127.0.0.1:" + std::to_string(stack.port());
  return "# Made by baton-router, format 2; do not edit. listen=" + listen + " retries=0 backends=2\nglobal\n" +
         "  stats socket " + files.socket + " mode 600 level admin\n" +
         "defaults\n  mode http\n  balance roundrobin\n  retries 0\n  option idle-close-on-response\n"
         "  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n" +
         "frontend baton\n  bind " + listen + "\n  bind unix@" + files.next + " mode 600\n" +
         "  use_backend be_next if { stopping } !{ str(final),map(" + files.flags + ") -m found }\n" +
         "  use_backend %[req.hdr(host),host_only,rtrim(.),lower,map(" + files.map + ",be_none)]\n" +
         "  default_backend be_none\nbackend be_next\n  server next unix@" + files.next + "\n" +
         "backend be_none\n  http-request return status 404\nbackend be_full\n  http-request return status 503\n" +
         "backend be_0000\nbackend be_0001\n";
}

class UpgradeE2e : public ::testing::Test {
 protected:
  void SetUp() override {
    stack_.StartHaproxyOf(FormatTwo(stack_));
    stack_.Ask({"add server be_0001/i " + std::string("127.0.0.1:") + std::to_string(app_.port()),
                "enable server be_0001/i", "add map " + stack_.files().map + " a.example be_0001"});
    ASSERT_EQ(GetOnce(stack_.port(), "a.example").status, 200);
  }
  std::vector<v2::Endpoint> Table() const {
    return {MakeEndpoint("a.example", "i", app_.port()), MakeEndpoint("a.example/api", "j", api_.port())};
  }

  RouterStack stack_;
  HttpInstance app_{"app"};
  HttpInstance api_{"api"};
};

// Its own HAProxy is reloaded before anything is written into the map that the old configuration reads.
TEST_F(UpgradeE2e, OneOfOurOwnIsReloadedWithoutAFailedRequest) {
  const int worker = stack_.WorkerPid();
  Load load(stack_.port(), {{"a.example", "/", "app"}});
  ASSERT_TRUE(load.Further(50));
  stack_.Spawn({"--retries", "0"});
  ASSERT_TRUE(stack_.routes().WaitForStream(1));
  ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Snapshot(Table())));
  EXPECT_NE(stack_.WorkerPid(), worker);
  ASSERT_TRUE(load.Further(50));
  load.Stop();
  EXPECT_EQ(load.failures(), 0) << load.FirstFailures();
  EXPECT_EQ(GetOnce(stack_.port(), "a.example", "/api").body, "api");
}

TEST_F(UpgradeE2e, OneOfOthersIsLeftAsItIsAndNothingCountsAsApplied) {
  Load load(stack_.port(), {{"a.example", "/", "app"}});
  stack_.Join();
  ASSERT_TRUE(stack_.routes().WaitForStream(1));
  const auto number = stack_.routes().Snapshot(Table());
  ASSERT_TRUE(WaitUntil([&] { return stack_.RouterLog().find("haproxy_not_in_step") != std::string::npos; }));
  ASSERT_TRUE(load.Further(50));
  load.Stop();
  EXPECT_EQ(load.failures(), 0) << load.FirstFailures();
  EXPECT_FALSE(stack_.routes().IsApplied(number));
  EXPECT_THAT(stack_.RouterLog(), HasSubstr("knows host names only"));
  EXPECT_THAT(stack_.RouterLog(), Not(HasSubstr("haproxy_refused")));
  EXPECT_EQ(stack_.Look()->routes.size(), 1u);
}

}  // namespace
}  // namespace baton::router
