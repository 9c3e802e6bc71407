// A clock is set by an hour, forward and back, while rolls run under traffic: that of the batonds, or that of
// PostgreSQL. Their CLOCK_MONOTONIC goes on, as with a clock that is really set.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/e2e/flight_recorder.h"
#include "tests/e2e/scene.h"
#include "tests/schema/pg_tools.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kFaketime[] = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

// What the clock of some programs shows beside the true one: in a file, which they read each time that they look.
class SetClock {
 public:
  SetClock() {
    char path[] = "/var/tmp/baton-clock-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    std::filesystem::permissions(dir_, std::filesystem::perms(0755));
    Set(0);
  }
  ~SetClock() { std::filesystem::remove_all(dir_); }
  void Set(int seconds) {
    const std::string next = dir_ + "/next";
    std::ofstream(next) << (seconds < 0 ? "" : "+") << seconds << "\n";
    std::filesystem::permissions(next, std::filesystem::perms(0644));
    std::filesystem::rename(next, dir_ + "/offset");
  }
  std::vector<std::string> Environment() const {
    // glibc's malloc before jemalloc's: that one looks at the clock while it begins, from within libfaketime's own beginning.
    return {std::string("LD_PRELOAD=") + kFaketime + ":libc.so.6:libstdc++.so.6", "FAKETIME_TIMESTAMP_FILE=" + dir_ + "/offset", "FAKETIME_NO_CACHE=1",
            "DONT_FAKE_MONOTONIC=1"};
  }

 private:
  std::string dir_;
};

enum class Whose { kBatonds, kPostgres };
void PrintTo(Whose owner, std::ostream* out) { *out << (owner == Whose::kBatonds ? "batonds" : "PostgreSQL"); }

// The clock is there before the scene starts its programs.
struct WithClock {
  SetClock clock_;
};

class Clocks : public WithClock, public Scene, public ::testing::WithParamInterface<Whose> {
 protected:
  Clocks() : Scene(Two(clock_)) {}

  static stack::StackOptions Two(const SetClock& clock) {
    stack::StackOptions options;
    options.batonds = 2;
    options.postgres_settings = FlightRecorder::Settings();
    if (access(kFaketime, R_OK) != 0) return options;
    (GetParam() == Whose::kBatonds ? options.batond_environment : options.postgres_environment) = clock.Environment();
    return options;
  }
  void SetUp() override {
    if (access(kFaketime, R_OK) != 0) GTEST_SKIP() << "there is no libfaketime: apt-get install faketime";
  }
  std::int64_t DatabaseSeconds() {
    return std::stoll(testing::Psql(stack_->database_url(), "SELECT extract(epoch FROM clock_timestamp())::bigint"));
  }
  void Jump(int seconds) {
    clock_.Set(seconds);
    if (GetParam() == Whose::kPostgres) {
      const auto ours = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
      EXPECT_NEAR(DatabaseSeconds() - ours.count(), seconds, 5) << "its clock was not set at all";
    }
  }
  // A roll, in the middle of which the clock jumps.
  void RollThrough(const std::string& version, int seconds, const std::function<void()>& then = {}) {
    const v2::Roll roll = Update(version);
    ASSERT_TRUE(AwaitStep("handed_over", 1)) << version;
    const auto began = Clock::now();
    Jump(seconds);
    if (then) then();
    EXPECT_EQ(EndOf(roll), v2::COMPLETED) << version << ", clock at " << seconds << " s";
    EXPECT_TRUE(AwaitOnly(version, app_.instances));
    longest_ = std::max(longest_, std::chrono::duration<double>(Clock::now() - began).count());
  }
  double longest_ = 0;  // from a jump to the end of its roll
};

TEST_P(Clocks, SetByAnHourForwardAndBackTheyEndNoRollAndMakeNoSecondLeader) {
  Begin();
  FlightRecorder recorder(stack_->database_url(), stack_->dir() + "/pg/postgres.log");
  StartTraffic();
  RollThrough("v2", 3600);
  double followed = 0;
  RollThrough("v3", 0, [&] {
    std::optional<std::size_t> leader;
    ASSERT_TRUE(Await([&] { return (leader = stack_->api().Leader()).has_value(); }));
    const auto began = Clock::now();
    stack_->KillBatond(*leader);
    ASSERT_TRUE(Await([&] { return stack_->api().Leader().has_value(); }));
    followed = std::chrono::duration<double>(Clock::now() - began).count();
    stack_->StartBatond(*leader);
  });
  RollThrough("v4", -3600);
  ExpectUnnoticed();
  const FlightReport report = recorder.Read();
  EXPECT_GT(report.commits, 0);
  for (const std::string& breach : report.breaches) ADD_FAILURE() << breach;
  EXPECT_LT(followed, 10) << "nobody waits for the end of a lease that ends in an hour";
  EXPECT_LT(longest_, 60) << "what counts time goes on where it was";
  std::cout << "leaders clock of " << ::testing::PrintToString(GetParam()) << ": set by +1 h, -1 h and -1 h; "
            << report.elections << " elections; who was killed after a jump was followed in "
            << static_cast<int>(followed * 1000) << " ms; " << longest_ << " s at most from a jump to the end of its roll\n";
}

// docs/guide/02-operating.md: what others need for tests of their own. Without the two libraries it hangs before main.
TEST(FalseClock, GoesUnderBatondAsTheDocsSay) {
  if (access(kFaketime, R_OK) != 0) GTEST_SKIP() << "there is no libfaketime: apt-get install faketime";
  const std::string batond = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "batond";
  const std::string beneath = "LD_PRELOAD=" + std::string(kFaketime) + ":libc.so.6:libstdc++.so.6 FAKETIME=+1d ";
  EXPECT_EQ(std::system((beneath + "timeout 20 " + batond + " --version").c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Of, Clocks, ::testing::Values(Whose::kBatonds, Whose::kPostgres),
                         [](const auto& owner) { return ::testing::PrintToString(owner.param); });

}  // namespace
}  // namespace baton
