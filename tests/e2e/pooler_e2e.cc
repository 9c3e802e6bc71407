// batond behind PgBouncer: where sessions are its own it works, where they are mixed it says so and does not start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <grpcpp/create_channel.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/e2e/ready_dir.h"
#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/stack/api.h"
#include "tools/stack/free_port.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/http.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kPoolerPatience{30};
constexpr std::chrono::milliseconds kPoolerLease{1000};  // renewed each 200 ms

class Pooler : public ::testing::Test {
 protected:
  void SetUp() override {
    auto postgres = EmbeddedPostgres::Start({.dir = dir_.path() + "/pg"});
    ASSERT_TRUE(postgres.ok()) << postgres.error().message;
    postgres_ = *std::move(postgres);
  }
  void TearDown() override {
    batond_.reset();
    bouncer_.reset();
    EXPECT_TRUE(postgres_->Stop().ok());
  }

  // PgBouncer does not run as root, and has to reach PostgreSQL's socket: it runs as whoever owns that.
  void StartBouncer(const std::string& mode) {
    const std::string url = postgres_->url();
    const std::string socket_dir = url.substr(5, url.find(' ') - 5);  // "host=DIR user=..."
    port_ = stack::FreePort();
    const std::string ini = socket_dir + "/pgbouncer.ini";
    std::ofstream(ini) << "[databases]\nbaton = host=" << socket_dir << " user=baton dbname=baton\n"
                       << "[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " << port_ << "\nauth_type = any\n"
                       << "pool_mode = " << mode
                       << "\nunix_socket_dir =\nignore_startup_parameters = extra_float_digits\n"
                       << "default_pool_size = 40\n";
    std::filesystem::permissions(ini, std::filesystem::perms(0644));
    std::vector<std::string> command{"/usr/sbin/pgbouncer", "-q", ini};
    if (getuid() == 0) {
      struct stat owner {};
      ASSERT_EQ(stat(socket_dir.c_str(), &owner), 0);
      command.insert(command.begin() + 1, {"-u", getpwuid(owner.st_uid)->pw_name});
    }
    bouncer_ =
        std::make_unique<stack::Program>(stack::Program::Start{"pgbouncer", command, dir_.path() + "/pgbouncer.log"});
  }
  void StartBatond() {
    api_port_ = stack::FreePort();
    metrics_port_ = stack::FreePort();
    batond_ = std::make_unique<stack::Program>(stack::Program::Start{
        "batond",
        {stack::OwnDirectory() + "/batond", "--database",
         "host=127.0.0.1 port=" + std::to_string(port_) + " user=baton dbname=baton", "--insecure", "--listen",
         api_address(), "--metrics", Local(metrics_port_), "--leader-lease-ms", std::to_string(kPoolerLease.count())},
        log()});
  }
  static std::string Local(int port) { return "127.0.0.1:" + std::to_string(port); }
  std::string api_address() const { return Local(api_port_); }

  // The lease's renewals so far, by the bounds of the metric's buckets in ms: how many took at most so long.
  struct Renewals {
    std::map<double, int> within;
    int count = 0;
    // The bound that holds for so many of a hundred; above all bounds: infinity.
    double Percentile(double percent) const {
      for (const auto& [bound, many] : within) {
        if (many >= count * percent / 100) return bound;
      }
      return std::numeric_limits<double>::infinity();
    }
  };
  Renewals Read() const {
    Renewals renewals;
    std::istringstream text(stack::HttpGet(Local(metrics_port_), "localhost", "/metrics").body);
    const std::regex bucket(R"x(baton_lease_renewal_seconds_bucket\{le="([^"]+)"\} (\d+))x");
    for (std::string line; std::getline(text, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, bucket)) continue;
      if (match[1] == "+Inf") {
        renewals.count = std::stoi(match[2]);
      } else {
        renewals.within[std::stod(match[1]) * 1000] = std::stoi(match[2]);
      }
    }
    return renewals;
  }
  // Those since `before`.
  Renewals Since(const Renewals& before) const {
    Renewals renewals = Read();
    renewals.count -= before.count;
    for (auto& [bound, many] : renewals.within) {
      const auto at = before.within.find(bound);
      if (at != before.within.end()) many -= at->second;
    }
    return renewals;
  }
  // While it goes on, and until so many renewals were made beside it.
  Renewals RenewalsBeside(const std::function<void(std::stop_token)>& one, int threads, int renewals) {
    const Renewals before = Read();
    std::vector<std::jthread> busy;
    for (int i = 0; i < threads; ++i) busy.emplace_back(one);
    EXPECT_TRUE(stack::WaitFor(2 * kPoolerPatience, {}, [&] { return Read().count - before.count >= renewals; }));
    const Renewals made = Since(before);
    for (std::jthread& thread : busy) thread.request_stop();
    return made;
  }
  std::string log() const { return dir_.path() + "/batond.log"; }

  ReadyDir dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
  std::unique_ptr<stack::Program> bouncer_;
  std::unique_ptr<stack::Program> batond_;
  int port_ = 0;
  int api_port_ = 0;
  int metrics_port_ = 0;
};

TEST_F(Pooler, InSessionModeItWorks) {
  StartBouncer("session");
  StartBatond();
  stack::Api api({"127.0.0.1:" + std::to_string(api_port_)}, {});
  EXPECT_TRUE(stack::WaitFor(kPoolerPatience, {}, [&] { return api.Available(); })) << stack::LastLines(log(), 20);
}

// Writers have sessions of their own: a renewal waits behind none of them.
TEST_F(Pooler, BusyWritersDoNotHoldUpTheLeadersRenewals) {
  StartBouncer("session");
  StartBatond();
  stack::Api api({api_address()}, {});
  ASSERT_TRUE(stack::WaitFor(kPoolerPatience, {}, [&] { return api.Available(); })) << stack::LastLines(log(), 20);
  const std::int64_t epoch = api.Epoch();
  std::atomic<int> apps{0};
  std::atomic<int> written{0};
  const Renewals made = RenewalsBeside(
      [&](std::stop_token stop) {
        stack::Api own({api_address()}, {});
        stack::HelloApp app{.process_guid = "app-" + std::to_string(++apps), .instances = 1, .program = "/bin/true"};
        own.Desire(stack::DesiredHello(app, stack::HelloDefinition(app, "v1")));
        for (int i = 0; !stop.stop_requested(); ++i) {
          v2::DesiredLRPUpdate update;
          update.set_annotation("written " + std::to_string(i));
          own.Update(app.process_guid, update);
          ++written;
        }
      },
      16, 60);
  EXPECT_GT(written, 16 * 20) << "they were not busy";
  EXPECT_EQ(api.Epoch(), epoch) << "it was deposed";
  EXPECT_LE(made.Percentile(100), kPoolerLease.count() / 2.0);
  std::cout << "leaders lease renewal: p99 " << made.Percentile(99) << " ms of " << made.count
            << " renewals beside 16 writers\n";
  std::cout << "leaders lease renewal: all within " << made.Percentile(100) << " ms, half within "
            << made.Percentile(50) << " ms, " << written << " writes meanwhile\n";
}

// Each with a connection of its own, which asks and asks.
TEST_F(Pooler, HundredsOfClientConnectionsDoNotHoldUpTheLeadersRenewals) {
  constexpr int kThreads = 8;
  constexpr int kOfEach = 50;
  StartBouncer("session");
  StartBatond();
  stack::Api api({api_address()}, {});
  ASSERT_TRUE(stack::WaitFor(kPoolerPatience, {}, [&] { return api.Available(); })) << stack::LastLines(log(), 20);
  const std::int64_t epoch = api.Epoch();
  std::atomic<int> connected{0};
  std::atomic<int> asked{0};
  const Renewals made = RenewalsBeside(
      [&](std::stop_token stop) {
        std::vector<std::unique_ptr<v2::Admin::Stub>> stubs;
        for (int i = 0; i < kOfEach; ++i) {
          grpc::ChannelArguments alone;
          alone.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
          stubs.push_back(
              v2::Admin::NewStub(grpc::CreateCustomChannel(api_address(), grpc::InsecureChannelCredentials(), alone)));
        }
        for (bool first = true; !stop.stop_requested(); first = false) {
          for (const auto& stub : stubs) {
            grpc::ClientContext context;
            context.set_deadline(std::chrono::system_clock::now() + kPoolerPatience);
            // gRPC 1.51 may take a connect that is under way for one that failed: it asks errno too late
            // (grpc/grpc#35064).
            context.set_wait_for_ready(true);
            v2::VersionsResponse versions;
            const grpc::Status status = stub->Versions(&context, {}, &versions);
            EXPECT_TRUE(status.ok()) << status.error_message();
            ++asked;
            connected += first;
          }
        }
      },
      kThreads, 30);
  EXPECT_EQ(connected, kThreads * kOfEach);
  EXPECT_EQ(api.Epoch(), epoch) << "it was deposed";
  EXPECT_LE(made.Percentile(100), static_cast<double>(kPoolerLease.count()));
  std::cout << "leaders client storm: p99 " << made.Percentile(99) << " ms of " << made.count << " renewals beside "
            << connected << " connections, " << asked << " calls\n";
}

TEST_F(Pooler, InTransactionModeItIsRefusedWithWhatToDo) {
  StartBouncer("transaction");
  StartBatond();
  ASSERT_TRUE(batond_->WaitForEnd(kPoolerPatience)) << stack::LastLines(log(), 20);
  EXPECT_EQ(batond_->exit_status(), 1);
  EXPECT_THAT(stack::LastLines(log(), 3), AllOf(HasSubstr("mixes sessions"), HasSubstr("pool_mode = session")));
}

}  // namespace
}  // namespace baton
