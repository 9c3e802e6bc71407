// The page over 10,000 apps with 100,000 instances, of which a screenful changes a thousand times a second: load.mjs.
// Too long, and too much a matter of the machine, for `./dev test`: `./dev prove web` runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/changing_apps.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/memory_meter.h"
#include "tests/bench/running_page.h"
#include "tests/bench/shapes.h"
#include "tests/web/browser_run.h"
#include "tools/stack/stack.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kApps = 10'000;
constexpr int kInstances = 10;  // of each
constexpr int kChangesPerSecond = 1000;
constexpr double kMostMemoryMb = 120;
constexpr std::chrono::seconds kMost(180);

void Looks(const std::string& part, const bench::RunningPage& web, const std::string& log) {
  const std::string bin = stack::OwnDirectory();
  const BrowserRun run = RunInBrowser("load.mjs",
                                      {"--page", "http://127.0.0.1:" + std::to_string(web.port()), "--baton",
                                       bin + "/baton", "--hello", bin + "/hello", "--part", part, "--seconds", "60"},
                                      log, kMost);
  EXPECT_TRUE(run.ended) << "it takes too long";
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.said, Not(HasSubstr("FAILED ")));
  const std::string all = std::to_string(kApps * kInstances + 1);  // and the template
  if (part == "looking") {
    EXPECT_THAT(run.said, HasSubstr(all + " / " + all + " slots served"));
  }
}

TEST(PageLoad, DISABLED_TenThousandAppsThatChange) {
  if (const std::string missing = MissingForBrowser(); !missing.empty()) GTEST_SKIP() << missing;
  const bench::CpuMeter clock;
  bench::Rig rig;
  bench::MakeTemplate(rig.postgres().url(), bench::LightApp("template"));
  bench::Clone(rig.postgres().url(), 0, kApps, kInstances);
  bench::CloneRolls(rig.postgres(), 0, kApps);
  rig.StartBatond({"--cell-lease-ms", "3600000"});
  bench::MakeChangingApps(rig);
  std::printf("made %d apps with %d instances in %.1f s\n", kApps, kApps * kInstances, clock.wall_seconds());
  rig.AwaitQuiet();
  const bench::RunningPage web(rig);
  Looks("looking", web, rig.Path("looking.log"));

  const bench::CpuMeter meter;
  const double before = bench::CpuSecondsOf(web.pid());
  bench::ChangingApps changes(rig, kChangesPerSecond);
  Looks("changing", web, rig.Path("changing.log"));
  changes.Stop();
  const double wall = meter.wall_seconds();
  const double memory = bench::MemoryMb(web.pid());
  std::printf("%.0f changes a second for %.0f s: baton-web %.1f %% of a core, %.1f MB\n", changes.made() / wall, wall,
              100 * (bench::CpuSecondsOf(web.pid()) - before) / wall, memory);
  EXPECT_LE(memory, kMostMemoryMb);
}

}  // namespace
}  // namespace baton
