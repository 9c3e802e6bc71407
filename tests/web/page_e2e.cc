// The page in Debian's chromium, against a whole stack. What is looked at stands in page.mjs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/e2e/ready_dir.h"
#include "tools/stack/free_port.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kBrowserMost(170);
constexpr int kOwnPages = 3;                         // programs that tests start themselves
constexpr std::uintmax_t kRecordedAtLeast = 50'000;  // bytes: pictures are in it

std::string Whole(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// `./dev test` brings both: chromium as a Debian package, the two modules from npm by the lock file.
std::string Missing() {
  if (!std::filesystem::exists("/usr/bin/chromium")) return "chromium is not installed";
  if (!std::filesystem::exists(BATON_PAGE_MODULES "/node_modules/playwright-core"))
    return "./dev test has not brought playwright-core from npm";
  return "";
}

// ADDRESS=METRICS=PID of each.
std::string Batonds(const stack::Stack& stack) {
  std::string all;
  for (std::size_t i = 0; i < stack.api_addresses().size(); ++i) {
    all += (i ? "," : "") + stack.api_address(i) + "=" + stack.metrics_address(i) + "=" +
           std::to_string(stack.batond_pid(i));
  }
  return all;
}

std::string Ports(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i ? "," : "") + std::to_string(stack::FreePort());
  return all;
}

TEST(Page, DoesInABrowserWhatItsPageSays) {
  if (const std::string missing = Missing(); !missing.empty()) GTEST_SKIP() << missing;
  std::filesystem::remove_all(BATON_PAGE_RECORDED);  // what an earlier run has left proves nothing
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path(), .batonds = 2});
  stack.Start();
  stack.StartWeb();
  const std::string log = dir.path() + "/browser.log";
  stack::Program browser(
      {.name = "browser",
       .command = {"/usr/bin/env", "node", BATON_WEB_TESTS "/page.mjs", "--page", "http://" + stack.web_address(),
                   "--baton", stack.bin_dir() + "/baton", "--hello", stack.bin_dir() + "/hello", "--recorded",
                   BATON_PAGE_RECORDED, "--batonds", Batonds(stack), "--ports", Ports(kOwnPages)},
       .log = log,
       .environment = {"BATON_PAGE_MODULES=" BATON_PAGE_MODULES}});
  const bool ended = browser.WaitForEnd(kBrowserMost);
  if (!ended) browser.Kill();
  const std::string said = Whole(log);
  std::printf("%s", said.c_str());
  EXPECT_TRUE(ended) << "it takes too long";
  EXPECT_EQ(browser.exit_status(), 0);
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("FAILED ")));
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("skipped ")));
  EXPECT_THAT(said, ::testing::HasSubstr("ok a_held_roll_is_found_understood_and_undone_by_clicks_alone"));
  const std::filesystem::path recorded = BATON_PAGE_RECORDED "/held-roll.zip";
  ASSERT_TRUE(std::filesystem::exists(recorded));
  EXPECT_GT(std::filesystem::file_size(recorded), kRecordedAtLeast);
}

}  // namespace
}  // namespace baton
