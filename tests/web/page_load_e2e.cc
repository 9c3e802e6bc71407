// The page over 10,000 apps that change a thousand times a second: load.mjs. Too long, and too much a matter of the
// machine, for `./dev test`: `./dev prove web` runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/ready_dir.h"
#include "tests/web/browser_run.h"
#include "tools/stack/free_port.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kMost(400);

TEST(PageLoad, DISABLED_TenThousandAppsThatChange) {
  if (const std::string missing = MissingForBrowser(); !missing.empty()) GTEST_SKIP() << missing;
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path()});
  stack.Start();
  // The page that makes the apps is an admin's; of Stack::StartWeb everybody is an operator.
  const std::string address = "127.0.0.1:" + std::to_string(stack::FreePort());
  const stack::Program web({.name = "baton-web",
                            .command = {stack.bin_dir() + "/baton-web", "run", "--listen", address, "--batond",
                                        stack.api_address(0), "--loopback-role", "admin"},
                            .log = dir.path() + "/web.log"});
  const BrowserRun run = RunInBrowser("load.mjs",
                                      {"--page", "http://" + address, "--baton", stack.bin_dir() + "/baton", "--hello",
                                       stack.bin_dir() + "/hello", "--apps", "10000", "--seconds", "30"},
                                      dir.path() + "/browser.log", kMost);
  EXPECT_TRUE(run.ended) << "it takes too long";
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.said, ::testing::Not(::testing::HasSubstr("FAILED ")));
}

}  // namespace
}  // namespace baton
