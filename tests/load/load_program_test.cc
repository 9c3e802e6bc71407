// The program baton-load, as a process.
#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "tests/examples/hello_process.h"

namespace baton::load {
namespace {

std::string TargetOf(examples::ChildProcess& hello) { return "127.0.0.1:" + std::to_string(examples::PortOf(hello)); }

TEST(LoadProgramTest, RunsForItsDurationAndReports) {
  examples::ChildProcess hello = examples::StartHello({{"VERSION", "v1"}});
  examples::ChildProcess load({.program = BATON_LOAD,
                               .arguments = {"--target", TargetOf(hello), "--host", "hello.example", "--rate", "200",
                                             "--slow-ms", "100", "--duration", "1.2"}});
  EXPECT_EQ(load.WaitForEnd(), 0);
  const auto report = nlohmann::json::parse(load.Output());
  EXPECT_EQ(report["failed"], 0);
  EXPECT_EQ(report["options"]["host"], "hello.example");
  EXPECT_NEAR(report["duration_ms"].get<double>(), 1200, 300);
  EXPECT_NEAR(report["requests"].get<double>(), report["duration_ms"].get<double>() / 5, 10);
}

TEST(LoadProgramTest, ReportsToAFileAndSaysByItsExitCodeThatRequestsFailed) {
  examples::ChildProcess hello = examples::StartHello({{"NEVER_READY", "1"}});
  const std::string file = ::testing::TempDir() + "baton-load-" + std::to_string(hello.pid()) + ".json";
  examples::ChildProcess load(
      {.program = BATON_LOAD, .arguments = {"--target", TargetOf(hello), "--duration", "0.3", "--report", file}});
  EXPECT_EQ(load.WaitForEnd(), 1);
  EXPECT_EQ(load.Output(), "");
  FILE* written = fopen(file.c_str(), "r");
  ASSERT_NE(written, nullptr);
  EXPECT_EQ(nlohmann::json::parse(written)["answered"], 0);
  fclose(written);
  remove(file.c_str());
}

// SIGTERM may come before the program waits for it: it is blocked from the start, so it is not lost.
TEST(LoadProgramTest, EndsOnSigtermWithItsReport) {
  examples::ChildProcess hello = examples::StartHello();
  examples::ChildProcess load({.program = BATON_LOAD, .arguments = {"--target", TargetOf(hello), "--slow-every", "0"}});
  EXPECT_EQ(load.WaitForEnd(std::chrono::milliseconds(500)), std::nullopt);
  load.Signal(SIGTERM);
  EXPECT_EQ(load.WaitForEnd(), 0);
  EXPECT_EQ(nlohmann::json::parse(load.Output())["failed"], 0);
}

TEST(LoadProgramTest, RefusesArgumentsThatMakeNoSense) {
  EXPECT_EQ(examples::ChildProcess({.program = BATON_LOAD, .arguments = {"--rate", "0"}}).WaitForEnd(), 2);
  EXPECT_EQ(examples::ChildProcess({.program = BATON_LOAD, .arguments = {"--target", "nowhere"}}).WaitForEnd(), 2);
}

}  // namespace
}  // namespace baton::load
