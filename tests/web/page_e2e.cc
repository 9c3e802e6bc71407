// The page in Debian's chromium, against a whole stack. What is looked at stands in page.mjs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "orchestrator/base/check.h"
#include "tests/e2e/ready_dir.h"
#include "tests/web/browser_run.h"
#include "tools/stack/free_port.h"
#include "tools/stack/stack.h"
#include "tools/web/calls/methods.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kBrowserMost(300);
constexpr int kOwnPages = 6;                         // programs that tests start themselves
constexpr std::uintmax_t kRecordedAtLeast = 50'000;  // bytes: pictures are in it

// ADDRESS=METRICS=PID of each.
std::string Batonds(const stack::Stack& stack) {
  std::string all;
  for (std::size_t i = 0; i < stack.api_addresses().size(); ++i) {
    all += (i ? "," : "") + stack.api_address(i) + "=" + stack.metrics_address(i) + "=" +
           std::to_string(stack.batond_pid(i));
  }
  return all;
}

// SERVICE/METHOD of all that change something, by the descriptors.
std::string Changing() {
  const Result<web::Methods> methods = web::Methods::Make();
  CHECK(methods);
  std::string all;
  for (const auto& [name, method] : methods->all()) {
    if (method.access.effect == CallEffect::kChanges)
      all += (all.empty() ? "" : ",") + name.substr(name.rfind('.') + 1);
  }
  return all;
}

std::string Ports(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i ? "," : "") + std::to_string(stack::FreePort());
  return all;
}

TEST(Page, DoesInABrowserWhatItsPageSays) {
  if (const std::string missing = MissingForBrowser(); !missing.empty()) GTEST_SKIP() << missing;
  std::filesystem::remove_all(BATON_PAGE_RECORDED);  // what an earlier run has left proves nothing
  ReadyDir dir;
  stack::Stack stack({.dir = dir.path(), .batonds = 2});
  stack.Start();
  stack.StartWeb();
  const BrowserRun run =
      RunInBrowser("page.mjs",
                   {"--page", "http://" + stack.web_address(), "--baton", stack.bin_dir() + "/baton", "--hello",
                    stack.bin_dir() + "/hello", "--recorded", BATON_PAGE_RECORDED, "--batonds", Batonds(stack),
                    "--ports", Ports(kOwnPages), "--changing", Changing()},
                   dir.path() + "/browser.log", kBrowserMost);
  const std::string& said = run.said;
  if (!run.ended || run.status != 0) dir.Keep();
  EXPECT_TRUE(run.ended) << "it takes too long";
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("FAILED ")));
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("skipped ")));
  EXPECT_THAT(said, ::testing::HasSubstr("ok a_held_roll_is_found_understood_and_undone_by_clicks_alone"));
  const std::filesystem::path recorded = BATON_PAGE_RECORDED "/held-roll.zip";
  ASSERT_TRUE(std::filesystem::exists(recorded));
  EXPECT_GT(std::filesystem::file_size(recorded), kRecordedAtLeast);
}

}  // namespace
}  // namespace baton
