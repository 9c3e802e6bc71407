// A batond that comes late, and one of several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "tests/server/running_service.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

int Do(const std::vector<std::string>& words, std::string& said) {
  std::istringstream in;
  std::ostringstream out;
  Io io{in, out, out, nullptr, [] { return std::int64_t{1}; }};
  const int exit_status = cli::Run(words, io);
  said = out.str();
  return exit_status;
}

TEST(Unreachable, TheNextAddressIsTriedAndOneThatComesLateIsWaitedFor) {
  std::string said;
  auto service = std::make_unique<RunningService>();  // asked at once: it does not lead yet
  EXPECT_EQ(Do({"--batond", "127.0.0.1:1," + service->address(), "get", "cells"}, said), kDone) << said;
  const std::string address = service->address();
  service.reset();
  EXPECT_EQ(Do({"--batond", address, "--timeout", "0.3", "get", "cells"}, said), kUnreachable) << said;
  EXPECT_THAT(said, testing::HasSubstr("no batond takes calls at " + address));
}

}  // namespace
}  // namespace baton::cli
