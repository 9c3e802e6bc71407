// examples/over-tls: what docs/guide/security.md tells operators to do, done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/examples/child_process.h"
#include "tools/stack/free_port.h"

namespace baton::examples {
namespace {

using ::testing::HasSubstr;

TEST(OverTls, TheExampleRollsAnAppOverAPostgresThatProvesWhoItIs) {
  ChildProcess example({.program = "/usr/bin/env",
                        .arguments = {"bash", BATON_SOURCE_DIR "/examples/over-tls/run.sh"},
                        .environment = {{"PATH", std::getenv("PATH")},
                                        {"HOME", "/nonexistent"},
                                        {"BATON_BIN", BATON_BIN},
                                        {"PORT_FROM", std::to_string(stack::PortRangeStart(3))}}});
  const auto ended = example.WaitForEnd(std::chrono::seconds(120));
  const std::string& output = example.Output();
  ASSERT_EQ(ended, 0) << output;
  EXPECT_THAT(output, HasSubstr("role baton_service may do to database baton what batond's work takes, and no more"));
  EXPECT_THAT(output, HasSubstr("0 blobs"));
  EXPECT_THAT(output, HasSubstr(R"({"version":"v1")"));
  EXPECT_THAT(output, HasSubstr(R"({"version":"v2")"));
}

}  // namespace
}  // namespace baton::examples
