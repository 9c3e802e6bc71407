// The leader's machine is cut off from the database, in both directions and in one, in the middle of a roll and under
// traffic. It stops by its own clock, another leads, and nothing of the old one is committed after it is back. Needs root
// and network namespaces.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/e2e/flight_recorder.h"
#include "tests/e2e/scene.h"
#include "tests/schema/pg_tools.h"
#include "tools/stack/free_port.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kCutOffPatience{60};
constexpr char kHere[] = "10.213.7.1";
constexpr char kThere[] = "10.213.7.2";
constexpr std::size_t kFar = 0;
constexpr std::size_t kNear = 1;

struct Direction {
  const char* name;
  bool to_database;
  bool from_database;
};

void PrintTo(const Direction& direction, std::ostream* out) { *out << direction.name; }

// batond-1 reaches the database through a pooler in a namespace of its own; all the rest is on this side.
class CutOff : public Scene, public ::testing::WithParamInterface<Direction> {
 protected:
  CutOff() : Scene(Two()) {}
  ~CutOff() override {
    pooler_.reset();
    if (there_.empty()) return;
    Heal();
    (void)Do("ip netns del " + there_);
    (void)Do("ip link del " + here_);
  }

  static stack::StackOptions Two() {
    stack::StackOptions options;
    options.batonds = 2;
    options.postgres_settings = FlightRecorder::Settings();
    return options;
  }
  // What a run that was killed has left takes the address of the next one's.
  static void ClearUpAfterTheDead() {
    for (const auto& link : std::filesystem::directory_iterator("/sys/class/net")) {
      const std::string name = link.path().filename();
      if (!name.starts_with("bt-")) continue;
      const std::string pid = name.substr(3);
      if (std::filesystem::exists("/proc/" + pid)) continue;
      (void)Do("ip link del " + name);
      (void)Do("ip netns del baton-cut-" + pid);
    }
  }
  void SetUp() override {
    ClearUpAfterTheDead();
    const std::string there = "baton-cut-" + std::to_string(getpid());
    if (geteuid() != 0 || !Do("ip netns add " + there)) GTEST_SKIP() << "needs root and network namespaces";
    there_ = there;
    const std::string in = "ip -n " + there_ + " ";
    ASSERT_TRUE(Do("ip link add " + here_ + " type veth peer name bt-there netns " + there_) &&
                Do("ip addr add " + std::string(kHere) + "/24 dev " + here_) && Do("ip link set " + here_ + " up") &&
                Do(in + "addr add " + kThere + "/24 dev bt-there") && Do(in + "link set bt-there up") &&
                Do(in + "link set lo up"));
    StartPooler();
    End(kNear);
    End(kFar);
    stack_->StartBatond(kFar, {.program = {}, .database = ThroughThePooler(), .arguments = {"--database-insecure"}});
    stack_->StartBatond(kNear);
  }

  static bool Do(const std::string& command) { return std::system((command + " 2>/dev/null").c_str()) == 0; }
  void End(std::size_t which) {
    stack_->batond(which).Signal(SIGTERM);
    ASSERT_TRUE(stack_->batond(which).WaitForEnd(kCutOffPatience));
  }

  // It reaches PostgreSQL by its Unix socket: those know no network namespaces.
  void StartPooler() {
    const std::string url = stack_->database_url();
    const std::string socket_dir = url.substr(5, url.find(' ') - 5);
    port_ = stack::FreePort();
    const std::string ini = socket_dir + "/pgbouncer.ini";
    std::ofstream(ini) << "[databases]\nbaton = host=" << socket_dir << " user=baton dbname=baton\n[pgbouncer]\nlisten_addr = "
                       << kThere << "\nlisten_port = " << port_
                       << "\nauth_type = any\npool_mode = session\nunix_socket_dir =\ndefault_pool_size = 50\n";
    chmod(ini.c_str(), 0644);
    pooler_ = std::make_unique<stack::Program>(stack::Program::Start{
        "pgbouncer",
        {"/usr/sbin/ip", "netns", "exec", there_, "/usr/sbin/pgbouncer", "-q", "-u", "postgres", ini},
        dir_.path() + "/pgbouncer.log"});
  }
  std::string ThroughThePooler() const {
    return std::string("host=") + kThere + " port=" + std::to_string(port_) + " user=baton dbname=baton";
  }
  void Cut() {
    ASSERT_TRUE(!GetParam().to_database || Do("ip route add blackhole " + std::string(kThere) + "/32"));
    ASSERT_TRUE(!GetParam().from_database || Do("ip -n " + there_ + " route add blackhole " + kHere + "/32"));
  }
  void Heal() {
    (void)Do("ip route del blackhole " + std::string(kThere) + "/32");
    (void)Do("ip -n " + there_ + " route del blackhole " + kHere + "/32");
  }
  std::string StateOfTheFarOne() {
    return testing::Psql(stack_->database_url(),
                         "SELECT state FROM members WHERE id = 'batond-1' AND seen_at > now() - interval '3 seconds'");
  }

  std::string there_;
  const std::string here_ = "bt-" + std::to_string(getpid());
  std::unique_ptr<stack::Program> pooler_;
  int port_ = 0;
};

TEST_P(CutOff, AnotherLeadsWithinTheLeaseAndTwoSecondsAndNobodyNotices) {
  ASSERT_EQ(stack_->api().Leader(), kFar);
  Begin();
  StartTraffic();
  FlightRecorder recorder(stack_->database_url(), stack_->dir() + "/pg/postgres.log");
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const std::int64_t epoch = stack_->api().Epoch();
  const auto began = Clock::now();
  Cut();
  ASSERT_TRUE(Await([&] { return stack_->api().Epoch() > epoch; }));
  const double took = std::chrono::duration<double>(Clock::now() - began).count();
  EXPECT_EQ(stack_->api().Leader(), kNear);
  EXPECT_LE(took, 4.0) << "lease (2 s) and 2 s";
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  // Back again: whatever lay in its buffers arrives, and changes nothing.
  Heal();
  EXPECT_TRUE(Await([&] { return StateOfTheFarOne() == "STANDBY\n"; }));
  EXPECT_EQ(EndOf(Update("v3")), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v3", app_.instances));
  ExpectUnnoticed();
  const FlightReport report = recorder.Read();
  for (const std::string& breach : report.breaches) ADD_FAILURE() << breach;
  EXPECT_EQ(report.elections, 1);
  std::cout << "leaders cut off " << GetParam().name << ": another leads after " << static_cast<int>(took * 1000) << " ms\n";
}

INSTANTIATE_TEST_SUITE_P(Directions, CutOff,
                         ::testing::Values(Direction{"both ways", true, true}, Direction{"towards the database", true, false},
                                         Direction{"from the database", false, true}),
                         [](const auto& direction) {
                           const Direction& d = direction.param;
                           return std::string(d.to_database ? d.from_database ? "Both" : "Towards" : "From");
                         });

}  // namespace
}  // namespace baton
