// The stack itself: it leaves nothing behind, and says which part failed.
#include "tools/stack/stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/e2e/processes.h"
#include "tests/e2e/ready_dir.h"
#include "tools/stack/free_port.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/http.h"
#include "tools/stack/stack_error.h"

namespace baton {
namespace {

void RollOut(stack::Stack& stack) {
  stack::HelloApp app;
  app.instances = 3;
  app.min_healthy_ms = 100;
  app.program = stack.bin_dir() + "/hello";
  const v2::Roll roll = stack.api().Desire(stack::DesiredHello(app, stack::HelloDefinition(app, "v1")));
  ASSERT_EQ(stack.api().WatchRoll(roll.roll_id(), [](const auto&, const auto&) {}).state(), v2::COMPLETED);
}

void StartWithApp(stack::Stack& stack) {
  stack.Start();
  RollOut(stack);
}

TEST(StackStop, LeavesNothingBehind) {
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path()});
  StartWithApp(stack);
  // batond, PostgreSQL, two cells, three shims with their apps, the router, HAProxy's two.
  EXPECT_GE(ProcessesOf(dir.path()).size(), 10u);
  stack.Stop();
  EXPECT_THAT(ProcessesOf(dir.path()), ::testing::IsEmpty());
}

TEST(StackStop, LeavesNothingBehindOfWhatWasKilled) {
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path()});
  StartWithApp(stack);
  stack.KillRouter();
  stack.KillCell(1);
  stack.KillCell(2);
  stack.KillBatond();
  EXPECT_GE(ProcessesOf(dir.path()).size(), 6u);
  stack.Stop();
  EXPECT_THAT(ProcessesOf(dir.path()), ::testing::IsEmpty());
}

// As on several machines: whoever gives instances another address than his certificate has is refused by the access file.
TEST(StackAddresses, WhatACellRunsIsAtTheAddressOfItsCertificate) {
  const stack::StateDir dir;
  const std::string access = dir.path() + "/access";
  std::ofstream(access) << "controller * domains * hostnames *\nrouter router-1\n";
  chmod(access.c_str(), 0600);
  stack::Stack stack({.dir = dir.path(), .own_addresses = true, .tls = true, .batond_arguments = {"--access", access}});
  StartWithApp(stack);
  std::set<std::string> addresses;
  for (const v2::ActualLRP& one : stack.api().Instances(stack::HelloApp().process_guid))
    addresses.insert(one.net_info().address());
  EXPECT_THAT(addresses, ::testing::ElementsAre("127.0.0.2", "127.0.0.3"));
  EXPECT_EQ(stack::HttpGet(stack.http_address(), stack::HelloApp().hostname).status, 200);
}

TEST(StackStart, SaysWhichPartFailedAndWhatItWrote) {
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path(), .batond_arguments = {"--history", "many"}});
  try {
    stack.Start();
    FAIL() << "it started";
  } catch (const stack::StackError& error) {
    EXPECT_THAT(error.what(),
                ::testing::AllOf(::testing::HasSubstr("batond ended instead of coming up; it exited with "
                                                      "status 2"),
                                 ::testing::HasSubstr(dir.path() + "/batond.log"), ::testing::HasSubstr("--history")));
  }
}

// What each program has said at `warn` and `error`. Every line is one of JSON.
std::vector<std::string> TroublesIn(const std::string& log) {
  std::ifstream file(log);
  std::vector<std::string> troubles;
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const auto read = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    const std::string level = read.is_object() ? read.value("level", "") : "";
    if (level != "debug" && level != "info") troubles.push_back(line);
  }
  EXPECT_GT(lines, 0) << log;
  return troubles;
}

// Issue 21: whoever is paged by warnings was paged by each new installation.
TEST(FirstStart, IsQuietAndMeasured) {
  const ReadyDir dir;
  const std::string of_cell = "127.0.0.1:" + std::to_string(stack::FreePort());
  const std::string of_router = "127.0.0.1:" + std::to_string(stack::FreePort());
  stack::Stack stack({.dir = dir.path(),
                      .cells = 1,
                      .tls = true,  // what nobody asks for otherwise
                      .cell_arguments = {"--metrics", of_cell},
                      .router_arguments = {"--metrics", of_router}});
  stack.LaunchBatond(0);  // all at once, as after a reboot: nobody leads yet when the others look for it
  stack.StartCells();
  stack.StartRouter();
  RollOut(stack);
  for (const char* program : {"batond", "cell-1", "router"}) {
    auto troubles = TroublesIn(dir.path() + "/" + program + ".log");
    // What a stack of ./dev allows, and who is root is told so at each start.
    std::erase_if(troubles, [](const std::string& line) {
      return geteuid() == 0 && line.find("\"root_apps_allowed\"") != std::string::npos;
    });
    EXPECT_THAT(troubles, ::testing::IsEmpty()) << program;
  }
  const auto metrics = [](const std::string& address) { return stack::HttpGet(address, "metrics", "/metrics").body; };
  EXPECT_EQ(stack.api().Instances(stack::HelloApp().process_guid).size(), 3u);
  const std::string of_batond = metrics(stack.metrics_address());
  EXPECT_THAT(of_batond, ::testing::HasSubstr("\nbaton_cells_held_off_total 0\n"));
  for (const char* call : {"desire_lrp", "list_cells", "list_actual_lrps"}) {
    EXPECT_THAT(of_batond, ::testing::HasSubstr("\nbaton_call_seconds_count{call=\"" + std::string(call) + "\"} "));
  }
  EXPECT_THAT(metrics(of_cell),
              ::testing::AllOf(::testing::HasSubstr("\nbaton_cell_connected 1\n"),
                               ::testing::HasSubstr("\nbaton_cell_instances{state=\"RUNNING\"} 3\n"),
                               ::testing::HasSubstr("\nbaton_cell_taken{resource=\"containers\"} 3\n"),
                               ::testing::HasSubstr("\nbaton_cell_starts_total 3\n"),
                               ::testing::HasSubstr("\nbaton_cell_crashes_total 0\n"),
                               ::testing::HasSubstr("\nprocess_open_fds ")));
  EXPECT_THAT(metrics(of_router), ::testing::AllOf(::testing::HasSubstr("\nbaton_router_connected 1\n"),
                                                   ::testing::HasSubstr("\nbaton_router_in_step 1\n"),
                                                   ::testing::HasSubstr("\nbaton_router_routes{served=\"true\"} 1\n"),
                                                   ::testing::HasSubstr("\nbaton_router_routes{served=\"false\"} 0\n"),
                                                   ::testing::HasSubstr("\nbaton_router_endpoints 3\n"),
                                                   ::testing::HasSubstr("\nprocess_open_fds ")));
  stack.Stop();
}

TEST(StartOnADatabaseOfOnesOwn, WarnsThatNothingIsEncrypted) {
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path(), .batonds = 2});
  stack.StartBatonds();
  EXPECT_THAT(TroublesIn(dir.path() + "/batond-1.log"),
              ::testing::Contains(::testing::HasSubstr("\"event\":\"encryption_off\"")));
  stack.Stop();
}

}  // namespace
}  // namespace baton
