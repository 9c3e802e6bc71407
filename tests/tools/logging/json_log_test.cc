#include "tools/logging/json_log.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace baton {
namespace {

// Somebody who can bring about a line must not fill the disk, and nothing is left out without a word.
TEST(JsonLog, AFloodOfOneEventIsCutAndCountedAndOthersAreWritten) {
  constexpr int kFlood = 5000;
  testing::internal::CaptureStderr();
  {
    JsonLog log("test", LogLevel::kInfo);
    for (int i = 0; i < kFlood; ++i) log.Warn("flood", {{"number", i}});
    log.Warn("other");
  }
  std::map<std::string, int> events;
  std::int64_t dropped = 0;
  std::istringstream lines(testing::internal::GetCapturedStderr());
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

}  // namespace
}  // namespace baton
