// Two apps with a host name and a port each, and an update that brings another port.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/ready_dir.h"
#include "tools/load/load.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/http.h"
#include "tools/stack/stack.h"

namespace baton {
namespace {

std::string VersionAt(stack::Stack& stack, const std::string& hostname) {
  const stack::HttpAnswer answer = stack::HttpGet(stack.http_address(), hostname);
  if (answer.status != 200) return "status " + std::to_string(answer.status);
  return nlohmann::json::parse(answer.body)["version"];
}

v2::Roll AwaitRoll(stack::Stack& stack, const v2::Roll& roll) {
  return stack.api().WatchRoll(roll.roll_id(), [](const auto&, const auto&) {});
}

TEST(TwoApps, EachIsReachedByItsHostNameAndTheDefinitionsPort) {
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path(), .router_arguments = {"--retries", "0"}});
  stack.Start();
  const std::string program = stack.bin_dir() + "/hello";
  stack::HelloApp one{.process_guid = "one",
                      .hostname = "one.example",
                      .instances = 2,
                      .port = 8080,
                      .program = program,
                      .min_healthy_ms = 300};
  stack::HelloApp two{.process_guid = "two",
                      .hostname = "two.example",
                      .instances = 2,
                      .port = 9090,
                      .program = program,
                      .min_healthy_ms = 300};
  const v2::Roll first = stack.api().Desire(stack::DesiredHello(one, stack::HelloDefinition(one, "one-v1")));
  const v2::Roll second = stack.api().Desire(stack::DesiredHello(two, stack::HelloDefinition(two, "two-v1")));
  ASSERT_EQ(AwaitRoll(stack, first).state(), v2::COMPLETED);
  ASSERT_EQ(AwaitRoll(stack, second).state(), v2::COMPLETED);
  EXPECT_EQ(VersionAt(stack, "one.example"), "one-v1");
  EXPECT_EQ(VersionAt(stack, "two.example"), "two-v1");
  EXPECT_EQ(stack::HttpGet(stack.http_address(), "three.example").status, 404);

  // The route still says 9090; an instance is reached by the port of its own definition.
  load::LoadOptions traffic;
  traffic.target = stack.http_address();
  traffic.host = two.hostname;
  const auto load = load::Load::Start(traffic);
  two.port = 9191;
  const auto answer = stack.api().Update("two", stack::UpdateTo(stack::HelloDefinition(two, "two-v2")));
  EXPECT_EQ(AwaitRoll(stack, answer.roll()).state(), v2::COMPLETED);
  EXPECT_EQ(VersionAt(stack, "one.example"), "one-v1");
  EXPECT_EQ(VersionAt(stack, "two.example"), "two-v2");
  load->Stop();
  EXPECT_EQ(load->Snapshot().failed, 0);
  EXPECT_TRUE(load->Snapshot().answered_by_version.contains("two-v1"));
  EXPECT_TRUE(load->Snapshot().answered_by_version.contains("two-v2"));
}

}  // namespace
}  // namespace baton
