// Two batonds on PostgreSQL that fails over, as deploy/ha has it, under traffic and writes: what dies or is cut off is
// not noticed by any request of an app, and nothing that was acknowledged is lost. Needs root, network namespaces,
// Patroni and etcd; run by `./dev prove ha`.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <iostream>
#include <memory>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/e2e/writers.h"
#include "tests/ha/machines.h"
#include "tests/ha/patroni_pair.h"
#include "tools/load/load.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kPatience{180};
// Longer than Patroni's ttl: what decides by it has decided.
constexpr seconds kAway{30};
// What a commit may wait for, at most: the ttl and two rounds of Patroni's loop, and a machine that is busy.
constexpr milliseconds kOutageMost{60'000};

class HighAvailability : public ::testing::Test {
 protected:
  ~HighAvailability() override {
    if (load_) load_->Stop();
    writers_.reset();
    if (stack_) stack_->Stop();
    if (!HasFailure()) return;
    dir_.Keep();
    std::cerr << "the logs are kept in " << dir_.path() << '\n';
  }

  void SetUp() override {
    if (!machines_.there()) GTEST_SKIP() << "needs root and network namespaces";
    database_ = std::make_unique<PatroniPair>(dir_.path() + "/db", stack::OwnDirectory(), machines_);
    database_->Start();
    stack::StackOptions options;
    options.dir = dir_.path() + "/stack";
    options.tls = true;
    options.batonds = 2;
    options.database = database_->url();
    options.batond_arguments = {"--config", BATON_SOURCE_DIR "/deploy/ha/batond.conf"};  // whose places are not these
    options.router_arguments = {"--retries", "0"};  // none that could hide a first that failed
    stack_ = std::make_unique<stack::Stack>(options);
    stack_->Start();
    app_ = {.instances = 3, .program = stack_->bin_dir() + "/hello", .min_healthy_ms = 500};
    const v2::Roll roll = stack_->api().Desire(stack::DesiredHello(app_, stack::HelloDefinition(app_, "v1")));
    ASSERT_EQ(EndOf(roll), v2::COMPLETED);
    load_ = load::Load::Start({.target = stack_->http_address(), .host = app_.hostname, .rate = 50});
    writers_ = std::make_unique<Writers>(stack_->api_addresses(), 4, milliseconds(50), stack_->certificates()->Admin());
    ASSERT_TRUE(WritesGoOn());
  }

  v2::RollState EndOf(const v2::Roll& roll) {
    return stack_->api().WatchRoll(roll.roll_id(), [](const auto&, const auto&) {}).state();
  }
  // Each of the writers gets on.
  bool WritesGoOn() {
    std::vector<int> before;
    for (std::size_t i = 0; i < writers_->count(); ++i) before.push_back(writers_->app(i).acknowledged);
    return stack::WaitFor(kPatience, {}, [&] {
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (writers_->app(i).acknowledged < before[i] + 5) return false;
      }
      return true;
    });
  }
  bool IsWholeAgain() {
    return stack::WaitFor(kPatience, {}, [&] { return database_->Whole() && stack_->api().Available(); });
  }
  bool AnotherIsPrimary(int than) {
    return stack::WaitFor(kPatience, {}, [&] { return database_->Primary() == 1 - than; });
  }
  // The time that something is away is what is tried, and nothing is to happen at its end.
  static void Pass(seconds time) {
    const auto end = Clock::now() + time;
    ASSERT_TRUE(stack::WaitFor(time * 2, {}, [&] { return Clock::now() >= end; }));
  }

  // `happens` includes all that puts it right again.
  template <class Happens>
  void Scene(const std::string& name, Happens&& happens) {
    if (HasFatalFailure()) return;  // of one before: there is nothing whole to begin with
    ASSERT_TRUE(IsWholeAgain()) << "before: " << name;
    ASSERT_TRUE(WritesGoOn());
    writers_->ForgetLongestWait();
    happens();
    ASSERT_TRUE(IsWholeAgain()) << "after: " << name;
    ASSERT_TRUE(WritesGoOn());
    const milliseconds outage = writers_->longest_wait();
    EXPECT_LT(outage, kOutageMost) << name;
    const load::LoadSnapshot traffic = load_->Snapshot();
    EXPECT_EQ(traffic.failed, 0) << name;
    std::cout << "ha " << name << ": outage_ms " << outage.count() << ", writes lost " << Lost() << ", requests "
              << traffic.requests << " failed " << traffic.failed << std::endl;
  }

  // Of each app what was acknowledged last, or a later one: it is written on meanwhile. How many are not so.
  int Lost() {
    int lost = 0;
    for (std::size_t i = 0; i < writers_->count(); ++i) {
      const int acknowledged = writers_->app(i).acknowledged;
      const int found = Found(i);
      EXPECT_GE(found, acknowledged) << Writers::Guid(i);
      lost += found < acknowledged ? 1 : 0;
      EXPECT_EQ(writers_->app(i).refused, 0);
    }
    return lost;
  }
  int Found(std::size_t i) {
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(Writers::Guid(i));
    v1::DesiredLRPResponse response;
    EXPECT_TRUE(stack::WaitFor(kPatience, {}, [&] {
      const std::optional<std::size_t> leader = stack_->api().Leader();
      if (!leader) return false;
      const auto stub = v1::DesiredLRPs::NewStub(Dial(stack_->api_address(*leader), stack_->certificates()->Admin()));
      grpc::ClientContext context;
      return stub->GetDesiredLRP(&context, request, &response).ok();
    }));
    const std::string annotation = response.desired_lrp().annotation();
    return annotation.empty() ? 0 : std::stoi(annotation);
  }
  void KillLeader() {
    const std::size_t leader = *stack_->api().Leader();
    stack_->KillBatond(leader);
    ASSERT_TRUE(WritesGoOn());
    stack_->StartBatond(leader);
  }

  stack::StateDir dir_;
  Machines machines_{2};
  std::unique_ptr<PatroniPair> database_;
  std::unique_ptr<stack::Stack> stack_;
  stack::HelloApp app_;
  std::unique_ptr<load::Load> load_;
  std::unique_ptr<Writers> writers_;
};

TEST_F(HighAvailability, WhateverDiesOrIsCutOffNoRequestFailsAndNoWriteIsLost) {
  Scene("switchover", [&] {
    const int old = *database_->Primary();
    database_->SwitchOver();
    ASSERT_TRUE(AnotherIsPrimary(old));
  });
  Scene("primary killed", [&] {
    const int old = *database_->Primary();
    database_->KillMachine(old);
    ASSERT_TRUE(AnotherIsPrimary(old));
    ASSERT_TRUE(WritesGoOn()) << "with one machine left";
    database_->StartMachine(old);
  });
  Scene("PostgreSQL of the primary killed", [&] { database_->KillPostgres(*database_->Primary()); });
  Scene("standby killed", [&] {
    const int standby = 1 - *database_->Primary();
    database_->KillMachine(standby);
    ASSERT_TRUE(WritesGoOn()) << "with one machine left";
    database_->StartMachine(standby);
  });
  Scene("etcd killed", [&] {
    database_->KillEtcd();
    Pass(kAway);
    ASSERT_TRUE(WritesGoOn()) << "without etcd";
    database_->StartEtcd();
  });
  Scene("batond killed", [&] { KillLeader(); });
  Scene("other batond killed", [&] { KillLeader(); });
  Scene("databases parted", [&] {
    machines_.Part(0, 1);
    ASSERT_TRUE(WritesGoOn());
    Pass(kAway);
    machines_.Join(0, 1);
  });
  Scene("primary cut off", [&] {
    const int old = *database_->Primary();
    machines_.CutOff(old);
    ASSERT_TRUE(AnotherIsPrimary(old));
    ASSERT_TRUE(WritesGoOn());
    machines_.Reconnect(old);
  });
  // And rolls are made as before.
  const v2::Roll roll =
      stack_->api().Update(app_.process_guid, stack::UpdateTo(stack::HelloDefinition(app_, "v2"))).roll();
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  writers_->Stop();
  const int lost = Lost();
  load_->Stop();
  const load::LoadSnapshot traffic = load_->Snapshot();
  EXPECT_GT(traffic.answered, 0);
  EXPECT_EQ(traffic.failed, 0);
  std::cout << "ha all: writes acknowledged " << writers_->Acknowledged() << ", lost " << lost << ", requests "
            << traffic.requests << " failed " << traffic.failed << std::endl;
}

}  // namespace
}  // namespace baton
