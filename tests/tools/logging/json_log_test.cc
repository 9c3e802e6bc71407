#include "tools/logging/json_log.h"

#include <grpc/support/log.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/logging/library_logs.h"

namespace baton {
namespace {

// Somebody who can bring about a line must not fill the disk, and nothing is left out without a word.
TEST(JsonLog, AFloodOfOneEventIsCutAndCountedAndOthersAreWritten) {
  constexpr int kFlood = 5000;
  ::testing::internal::CaptureStderr();
  {
    JsonLog log("test", LogLevel::kInfo);
    for (int i = 0; i < kFlood; ++i) log.Warn("flood", {{"number", i}});
    log.Warn("other");
  }
  std::map<std::string, int> events;
  std::int64_t dropped = 0;
  std::istringstream lines(::testing::internal::GetCapturedStderr());
  for (std::string line; std::getline(lines, line);) {
    const auto parsed = nlohmann::json::parse(line);
    ++events[parsed["event"]];
    if (parsed["event"] != "log_lines_dropped") continue;
    EXPECT_EQ(parsed["of"], "flood");
    dropped += parsed["lines"].get<std::int64_t>();
  }
  EXPECT_EQ(events["other"], 1);
  EXPECT_LT(events["flood"], kFlood) << "5,000 lines took more than four seconds?";
  EXPECT_EQ(events["flood"] + dropped, kFlood);
}

TEST(JsonLog, ALineIsOfATraceOnlyWhereThereIsOne) {
  ::testing::internal::CaptureStderr();
  {
    JsonLog log("test", LogLevel::kInfo);
    log.Info("a", {TraceField("")});
    log.Info("b", {TraceField("4bf92f3577b34da6a3ce929d0e0e4736")});
  }
  std::istringstream lines(::testing::internal::GetCapturedStderr());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line).size(), 4U) << line;  // ts, level, program, event
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line)["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
}

TEST(JsonLog, EachLineHasItsLevelBeforeItWhereJournaldReadsIt) {
  ::testing::internal::CaptureStderr();
  {
    JsonLog log("test", LogLevel::kDebug, LogPrefixOf("journald"));
    log.Debug("a");
    log.Info("b");
    log.Warn("c");
    log.Error("d");
    JsonLog("test", LogLevel::kInfo, LogPrefixOf("none")).Info("e");
  }
  std::istringstream lines(::testing::internal::GetCapturedStderr());
  std::string prefixes;
  for (std::string line; std::getline(lines, line);) {
    const auto json = line.find('{');
    prefixes += line.substr(0, json) + nlohmann::json::parse(line.substr(json)).value("event", "") + " ";
  }
  EXPECT_EQ(prefixes, "<7>a <6>b <4>c <3>d e ");
}

TEST(LibraryLogs, AHandshakeThatFailedComesWithWhatToDo) {
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);  // as grpc_init() would have it
  ::testing::internal::CaptureStderr();
  {
    JsonLog log("test", LogLevel::kInfo);
    const LibraryLogs libraries(log);
    gpr_log(GPR_ERROR, "Handshake failed with fatal error SSL_ERROR_SSL: certificate verify failed");
    gpr_log(GPR_ERROR, "something else");
  }
  std::istringstream lines(::testing::internal::GetCapturedStderr());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_NE(nlohmann::json::parse(line).value("do", "").find("baton certs check DIR"), std::string::npos) << line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_FALSE(nlohmann::json::parse(line).contains("do")) << line;
}

}  // namespace
}  // namespace baton
