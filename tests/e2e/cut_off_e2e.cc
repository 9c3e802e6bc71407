// The leader's machine is cut off from the database: in both directions, and in one. It stops by its own clock, another
// leads, and nothing of the old one is committed after it is back. Needs root and network namespaces: ./dev prove leader.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/e2e/flight_recorder.h"
#include "tests/schema/pg_tools.h"
#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/stack/api.h"
#include "tools/stack/free_port.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{60};
constexpr char kHere[] = "10.213.7.1";
constexpr char kThere[] = "10.213.7.2";

struct Direction {
  const char* name;
  bool to_database;
  bool from_database;
};

void PrintTo(const Direction& direction, std::ostream* out) { *out << direction.name; }

class CutOff : public ::testing::TestWithParam<Direction> {
 protected:
  void SetUp() override {
    const char* wanted = std::getenv("BATON_NETNS");
    if (!wanted || !*wanted) GTEST_SKIP() << "network namespaces are for ./dev prove leader";
    auto postgres = EmbeddedPostgres::Start({.dir = dir_.path() + "/pg", .settings = FlightRecorder::Settings()});
    ASSERT_TRUE(postgres.ok()) << postgres.error().message;
    postgres_ = *std::move(postgres);
    const std::string in = "ip -n " + there_ + " ";
    ASSERT_TRUE(Do("ip netns add " + there_) && Do("ip link add bt-here type veth peer name bt-there netns " + there_) &&
                Do("ip addr add " + std::string(kHere) + "/24 dev bt-here") && Do("ip link set bt-here up") &&
                Do(in + "addr add " + kThere + "/24 dev bt-there") && Do(in + "link set bt-there up") &&
                Do(in + "link set lo up"));
    StartPooler();
  }
  void TearDown() override {
    near_.reset();
    far_.reset();
    pooler_.reset();
    if (!postgres_) return;
    (void)Do("ip netns del " + there_);
    (void)Do("ip link del bt-here 2>/dev/null");
    (void)Do("ip route del blackhole " + std::string(kThere) + "/32 2>/dev/null");
    EXPECT_TRUE(postgres_->Stop().ok());
  }

  static bool Do(const std::string& command) { return std::system(command.c_str()) == 0; }

  // PostgreSQL itself listens on a Unix socket only, and those know no network namespaces.
  void StartPooler() {
    const std::string url = postgres_->url();
    const std::string socket_dir = url.substr(5, url.find(' ') - 5);
    port_ = FreePort();
    const std::string ini = socket_dir + "/pgbouncer.ini";
    std::ofstream(ini) << "[databases]\nbaton = host=" << socket_dir << " user=baton dbname=baton\n[pgbouncer]\nlisten_addr = "
                       << kHere << "\nlisten_port = " << port_
                       << "\nauth_type = any\npool_mode = session\nunix_socket_dir =\ndefault_pool_size = 50\n";
    chmod(ini.c_str(), 0644);
    pooler_ = std::make_unique<Program>(
        Program::Start{"pgbouncer", {"/usr/sbin/pgbouncer", "-q", "-u", "postgres", ini}, dir_.path() + "/pgbouncer.log"});
  }
  std::unique_ptr<Program> StartBatond(const std::string& name, const std::string& database, int port, bool far) {
    std::vector<std::string> command{OwnDirectory() + "/batond", "--database", database + " application_name=" + name,
                                     "--id", name, "--listen", "127.0.0.1:" + std::to_string(port), "--metrics", ""};
    if (far) command.insert(command.begin(), {"/usr/sbin/ip", "netns", "exec", there_});
    return std::make_unique<Program>(Program::Start{name, command, dir_.path() + "/" + name + ".log"});
  }
  bool FarLeads() { return LastLines(dir_.path() + "/far.log", 200).find("\"event\":\"leading\"") != std::string::npos; }

  StateDir dir_;
  const std::string there_ = "baton-cut-" + std::to_string(getpid());
  std::unique_ptr<EmbeddedPostgres> postgres_;
  std::unique_ptr<Program> pooler_;
  std::unique_ptr<Program> far_;
  std::unique_ptr<Program> near_;
  int port_ = 0;
};

TEST_P(CutOff, AnotherLeadsWithinTheLeaseAndTwoSeconds) {
  far_ = StartBatond("far", std::string("host=") + kHere + " port=" + std::to_string(port_) + " user=baton dbname=baton",
                     FreePort(), true);
  ASSERT_TRUE(WaitFor(kPatience, {}, [&] { return FarLeads(); })) << LastLines(dir_.path() + "/far.log", 20);
  const int api_port = FreePort();
  near_ = StartBatond("near", postgres_->url(), api_port, false);
  Api api({"127.0.0.1:" + std::to_string(api_port)}, {});
  ASSERT_TRUE(WaitFor(kPatience, {}, [&] { return api.Answers(0); }));
  FlightRecorder recorder(postgres_->url(), dir_.path() + "/pg/postgres.log");
  const auto began = Clock::now();
  ASSERT_TRUE(!GetParam().to_database || Do("ip -n " + there_ + " route add blackhole " + kHere + "/32"));
  ASSERT_TRUE(!GetParam().from_database || Do("ip route add blackhole " + std::string(kThere) + "/32"));
  ASSERT_TRUE(WaitFor(kPatience, {}, [&] { return api.Available(); }));
  const double took = std::chrono::duration<double>(Clock::now() - began).count();
  EXPECT_LE(took, 4.5) << "lease (2.5 s) and 2 s";
  // Back again: whatever lay in its buffers arrives, and changes nothing.
  ASSERT_TRUE(!GetParam().to_database || Do("ip -n " + there_ + " route del blackhole " + kHere + "/32"));
  ASSERT_TRUE(!GetParam().from_database || Do("ip route del blackhole " + std::string(kThere) + "/32"));
  ASSERT_TRUE(WaitFor(kPatience, {}, [&] {
    return testing::Psql(postgres_->url(), "SELECT state FROM members WHERE id = 'far' AND seen_at > now() - interval '3 seconds'") ==
           "STANDBY\n";
  })) << LastLines(dir_.path() + "/far.log", 20);
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
