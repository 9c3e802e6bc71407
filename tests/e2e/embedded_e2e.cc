// batond --embedded, while callers write all the time: PostgreSQL crashes, its disk is full, the machine loses power.
// Each write that was acknowledged is found afterwards, and nobody has to restart or mend anything.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/e2e/processes.h"
#include "tests/e2e/writers.h"
#include "tests/fakes/small_disk.h"
#include "tests/fakes/test_cluster.h"
#include "tools/client/channel.h"
#include "tools/embedded_postgres/command.h"
#include "tools/embedded_postgres/server_lock.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr int kWriters = 3;
constexpr int kDiskMebibytes = 200;

class Embedded : public ::testing::Test {
 protected:
  Embedded() : dir_(ClusterRoot()) {}
  ~Embedded() override {
    writers_.reset();
    if (stack_) stack_->Stop();
    if (!HasFailure()) return;
    dir_.Keep();
    std::cerr << "the stack's logs are kept in " << dir_.path() << '\n';
  }

  std::string PostgresDir() const { return dir_.path() + "/pg"; }
  void Begin() {
    stack::StackOptions options;
    options.dir = dir_.path();
    options.cells = 0;
    stack_ = std::make_unique<stack::Stack>(std::move(options));
    stack_->StartBatonds();
    writers_ = std::make_unique<Writers>(stack_->api_addresses(), kWriters, std::chrono::milliseconds(2));
    GoOn();
  }
  // Writes are acknowledged that were not asked for yet.
  void GoOn() {
    const int before = writers_->Acknowledged();
    ASSERT_TRUE(stack::WaitFor(kPatience, {}, [&] { return writers_->Acknowledged() > before + 50; }));
  }
  // 0: none runs.
  pid_t Postmaster() const {
    const ServerLock lock = ServerLock::OfCluster(PostgresDir() + "/data");
    pid_t pid = 0;
    std::ifstream(lock.path()) >> pid;
    return lock.ServerRuns() ? pid : 0;
  }
  // Of a connection in which batond works.
  pid_t Backend() const {
    for (const auto& [pid, command] : ProcessesIn(PostgresDir() + "/data")) {
      if (command.starts_with("postgres: baton_service ")) return pid;
    }
    return 0;
  }
  // Connections for reading come back by themselves, each when it is asked for something.
  v1::DesiredLRP App(const std::string& guid) {
    const auto apps = v1::DesiredLRPs::NewStub(Dial(stack_->api_address()));
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(guid);
    v1::DesiredLRPResponse response;
    EXPECT_TRUE(stack::WaitFor(kPatience, {}, [&] {
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + kPatience);
      return apps->GetDesiredLRP(&context, request, &response).ok();
    })) << guid;
    return response.desired_lrp();
  }
  // Of each app what was acknowledged last, or the write after it, whose answer was lost; and each was done once: it
  // made the modification tag greater by one.
  void ExpectNothingLost(const std::string& what) {
    writers_->Stop();
    for (std::size_t i = 0; i < writers_->count(); ++i) {
      const v1::DesiredLRP app = App(Writers::Guid(i));
      const int found = app.annotation().empty() ? -1 : std::stoi(app.annotation());
      EXPECT_GE(found, writers_->app(i).acknowledged) << Writers::Guid(i);
      EXPECT_LE(found, writers_->app(i).acknowledged + 1) << Writers::Guid(i);
      EXPECT_EQ(static_cast<int>(app.modification_tag().index()), found) << Writers::Guid(i);
    }
    std::cout << "scene embedded, " << what << ": " << writers_->Acknowledged()
              << " writes acknowledged, none lost, longest wait for one " << writers_->longest_wait().count()
              << " ms\n";
  }

  stack::StateDir dir_;
  std::unique_ptr<SmallDisk> disk_;
  std::unique_ptr<stack::Stack> stack_;
  std::unique_ptr<Writers> writers_;
};

class Crashing : public Embedded {
 protected:
  void SetUp() override {
    CopyClusterTo(PostgresDir());
    Begin();
  }
};

TEST_F(Crashing, APostmasterThatIsKilledIsFollowedByAnother) {
  const pid_t killed = Postmaster();
  ASSERT_GT(killed, 1);
  ASSERT_EQ(kill(killed, SIGKILL), 0);
  ASSERT_TRUE(stack::WaitFor(kPatience, {}, [&] { return Postmaster() != killed && Postmaster() != 0; }));
  GoOn();
  ExpectNothingLost("postmaster killed");
}

TEST_F(Crashing, ABackendThatIsKilledTakesNobodyWithItForLong) {
  const pid_t postmaster = Postmaster();
  for (int round = 0; round < 3; ++round) {
    const pid_t backend = Backend();
    ASSERT_GT(backend, 1);
    ASSERT_EQ(kill(backend, SIGKILL), 0);
    GoOn();
  }
  EXPECT_EQ(Postmaster(), postmaster) << "PostgreSQL recovers by itself";
  ExpectNothingLost("backends killed");
}

// Of a cluster that batond has made: a copy by a test would be on no disk.
class OnItsOwnDisk : public Embedded {
 protected:
  void SetUp() override {
    disk_ = std::make_unique<SmallDisk>(PostgresDir(), kDiskMebibytes);
    if (!disk_->mounted()) GTEST_SKIP() << "a disk of its own cannot be mounted: " << disk_->why();
    Begin();
  }
};

TEST_F(OnItsOwnDisk, AFullOneIsGoneOnWithAsSoonAsThereIsRoom) {
  // Without room for a file of its log of changes PostgreSQL itself ends, and cannot come up.
  ASSERT_TRUE(stack::WaitFor(kPatience, {}, [&] {
    disk_->Fill();
    static_cast<void>(RunCommand({"/usr/bin/psql", "host=" + PostgresDir() + "/socket user=baton dbname=baton", "-Xqc",
                                  "SELECT pg_switch_wal()"},
                                 {}));
    return !ServerLock::OfCluster(PostgresDir() + "/data").ServerRuns();
  }));
  disk_->Free();
  GoOn();
  ExpectNothingLost("disk full");
}

TEST_F(OnItsOwnDisk, WhatWasAcknowledgedIsThereAfterPowerWasLost) {
  for (int round = 0; round < 2; ++round) {
    disk_->PowerOff();
    stack_->KillBatond();
    stack_->KillPostgres();
    disk_->PowerOn();
    stack_->StartBatond();
    GoOn();
  }
  ExpectNothingLost("power lost twice");
}

}  // namespace
}  // namespace baton
