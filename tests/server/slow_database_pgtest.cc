// PostgreSQL answers, and late: somebody holds locks, or each row takes its time. What waits is bounded, the leader
// leads on, and whatever was acknowledged is there.
#include <gtest/gtest.h>

#include <future>
#include <iostream>
#include <set>
#include <thread>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

// Somebody's transaction that holds a table until it is let go.
class HeldTable {
 public:
  HeldTable(const std::string& url, const std::string& table) {
    std::promise<void> held;
    thread_ = std::thread([this, url, table, &held] {
      const auto session = OpenSession(url);
      // Held for too long it is ended by PostgreSQL (idle in a transaction): the test goes on, and says what it missed.
      (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
        s.RunScript("LOCK TABLE " + table);
        held.set_value();
        let_go_.get_future().wait();
        return true;
      });
    });
    held.get_future().wait();
  }
  ~HeldTable() { LetGo(); }
  void LetGo() {
    if (!thread_.joinable()) return;
    let_go_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> let_go_;
  std::thread thread_;
};

struct TimedAnswer {
  std::string guid;
  grpc::Status status;
  bool says_when = false;
};

class SlowDatabase : public ::testing::Test {
 protected:
  static constexpr int kCalls = 60;

  explicit SlowDatabase(int writers = 2) : service_({}, Narrow(writers)) {}
  static batond::ServiceOptions Narrow(int writers) {
    batond::ServiceOptions options;
    options.write_shards = writers;
    options.queue_max = 5;
    return options;
  }
  TimedAnswer Write(const std::string& guid) {
    const auto context = Patient();
    v2::DesireLRPResponse response;
    TimedAnswer answer{guid, service_.apps->DesireLRP(context.get(), RunningService::SmallApp(guid), &response)};
    return Noted(std::move(answer), *context);
  }
  TimedAnswer Read(const std::string& guid) {
    const auto context = Patient();
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(guid);
    v2::GetDesiredLRPResponse got;
    TimedAnswer answer{guid, service_.apps->GetDesiredLRP(context.get(), get, &got)};
    return Noted(std::move(answer), *context);
  }
  TimedAnswer Noted(TimedAnswer answer, const grpc::ClientContext& context) {
    answer.says_when = context.GetServerTrailingMetadata().contains("baton-retry-after-ms");
    ++answered_;
    return answer;
  }
  static std::unique_ptr<grpc::ClientContext> Patient(std::chrono::milliseconds patience = std::chrono::seconds(60)) {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + patience);
    return context;
  }
  // All at once, each on a thread of its own.
  template <class Ask>
  std::vector<std::future<TimedAnswer>> AskAll(Ask ask) {
    answered_ = 0;
    std::vector<std::future<TimedAnswer>> calls;
    for (int i = 0; i < kCalls; ++i) {
      calls.push_back(std::async(std::launch::async, [=] { return ask("app-" + std::to_string(i)); }));
    }
    return calls;
  }
  // What is refused, is refused at once, and politely; gives the rest.
  static std::set<std::string> Done(std::vector<std::future<TimedAnswer>>& calls, int& refused) {
    std::set<std::string> done;
    for (auto& call : calls) {
      const TimedAnswer answer = call.get();
      if (answer.status.ok()) {
        done.insert(answer.guid);
        continue;
      }
      ++refused;
      EXPECT_EQ(answer.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << answer.status.error_message();
      EXPECT_TRUE(answer.says_when);
    }
    return done;
  }
  std::string Epoch() {
    std::string epoch;
    (void)OpenSession(service_.url())->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      return epoch = s.RunScript("SELECT epoch FROM leases WHERE name = 'batond'")[0].Text(), true;
    });
    return epoch;
  }

  RunningService service_;
  std::atomic<int> answered_{0};
};

// Where one call is refused, all have to be.
class SlowDatabaseWithOneWriter : public SlowDatabase {
 protected:
  SlowDatabaseWithOneWriter() : SlowDatabase(1) {}
};

TEST_F(SlowDatabase, MoreWritesThanMayWaitAreRefusedAtOnceAndThoseThatWaitAreDone) {
  service_.WaitForLead();
  ASSERT_TRUE(service_.Desire(RunningService::SmallApp("before")).ok());
  const std::string epoch = Epoch();
  HeldTable held(service_.url(), "desired_lrps");
  auto first = std::async(std::launch::async, [this] { return Write("first"); });
  EXPECT_TRUE(Eventually([&] { return SomebodyWaits(service_.url()); }));
  // Where one is refused, five wait behind the batch that is under way, and perhaps some in the other writer's.
  auto calls = AskAll([this](const std::string& guid) { return Write(guid); });
  EXPECT_TRUE(Eventually([&] { return answered_ > 0; })) << "too much waits";
  EXPECT_TRUE(service_.Serving()) << "renewals wait for nobody";
  held.LetGo();
  int refused = 0;
  const std::set<std::string> done = Done(calls, refused);
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(first.get().status.ok());
  EXPECT_GE(done.size(), 5U) << "what waited is done";
  for (int i = 0; i < kCalls; ++i) {
    const std::string guid = "app-" + std::to_string(i);
    const grpc::Status found = Read(guid).status;
    EXPECT_EQ(found.ok(), done.contains(guid)) << guid << ": " << found.error_message();
  }
  EXPECT_EQ(Epoch(), epoch) << "the same one leads";
  EXPECT_TRUE(Write("after").status.ok());
}

// Its caller was told nothing but that its time was over; a hundred of them in a second, each a cancelled call, cost it
// its connection.
TEST_F(SlowDatabase, AWriteWhoseDeadlineWouldPassBeforeItsTurnIsRefusedWithAHint) {
  service_.WaitForLead();
  ASSERT_TRUE(service_.Desire(RunningService::SmallApp("app")).ok());
  HeldTable held(service_.url(), "desired_lrps");
  // Each writer waits for the table with one, the younger of them for longer than the impatient calls take.
  std::vector<std::future<TimedAnswer>> under_way;
  for (const char* app : {"first", "second"}) {
    under_way.push_back(std::async(std::launch::async, [this, app] { return Write(app); }));
    EXPECT_TRUE(Eventually([&] { return SomebodyWaits(service_.url(), static_cast<int>(under_way.size())); }));
  }
  const auto impatient = [&](auto ask) {
    return Eventually([&] {
      const auto context = Patient(std::chrono::milliseconds(200));
      const std::string why = ask(*context);
      return why.find("the call's deadline would pass before its turn") != std::string::npos &&
             Noted({}, *context).says_when;
    });
  };
  EXPECT_TRUE(impatient([this](grpc::ClientContext& context) {
    v2::UpdateDesiredLRPRequest update;
    update.set_process_guid("app");
    update.mutable_update()->set_annotation("another");
    v2::UpdateDesiredLRPResponse updated;
    return service_.apps->UpdateDesiredLRP(&context, update, &updated).error_message();
  }));
  EXPECT_TRUE(impatient([this](grpc::ClientContext& context) {
    v1::RemoveDesiredLRPRequest remove;
    remove.set_process_guid("app");
    v1::DesiredLRPLifecycleResponse removed;
    const auto apps = v1::DesiredLRPs::NewStub(service_.channel());
    const grpc::Status status = apps->RemoveDesiredLRP(&context, remove, &removed);
    return status.error_message() + removed.error().message();
  })) << "its deadline goes with a call of baton.v1";
  held.LetGo();
  for (auto& call : under_way) EXPECT_TRUE(call.get().status.ok());
}

// They waited without a bound, each with its call.
TEST_F(SlowDatabase, MoreReadsThanMayWaitAreRefusedAtOnceAndThoseThatWaitAreDone) {
  service_.WaitForLead();
  for (int i = 0; i < kCalls; ++i)
    ASSERT_TRUE(service_.Desire(RunningService::SmallApp("app-" + std::to_string(i))).ok());
  HeldTable held(service_.url(), "desired_lrps");
  auto calls = AskAll([this](const std::string& guid) { return Read(guid); });
  EXPECT_TRUE(Eventually([&] { return answered_ > 0; })) << "too much waits";
  held.LetGo();
  int refused = 0;
  const std::set<std::string> done = Done(calls, refused);
  EXPECT_GT(refused, 0);
  EXPECT_GE(done.size(), 20U);
  EXPECT_TRUE(Read("app-0").status.ok());
}

// Callers have filled the queue; what a cell says of a roll is taken all the same, and goes first when the database
// answers.
TEST_F(SlowDatabaseWithOneWriter, ARollGoesOnWhereCallersHaveFilledTheQueue) {
  service_.WaitForLead();
  ScriptedCell cell(service_, "cell-1");
  cell.Hello();
  cell.KeepBeating();
  v2::DesireLRPRequest app = RunningService::SmallApp("rolling");
  app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service_.Desire(app, &desired).ok());
  const std::string newcomer = cell.NextRun().actual_id();

  HeldTable held(service_.url(), "desired_lrps");
  auto calls = AskAll([this](const std::string& guid) { return Write(guid); });
  EXPECT_TRUE(Eventually([&] { return answered_ > 0; })) << "too much waits";
  auto reported = std::async(std::launch::async, [&] {
    return std::vector{cell.Report(ScriptedCell::Claimed(newcomer)), cell.Report(ScriptedCell::Started(newcomer))};
  });
  // As long as it is held, more come than may wait.
  for (int i = 0; i < 5; ++i) {
    const TimedAnswer refused = Write("late-" + std::to_string(i));
    EXPECT_EQ(refused.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_TRUE(refused.says_when);
  }
  held.LetGo();
  for (const v2::CellReportResult& result : reported.get()) {
    EXPECT_EQ(result.outcome(), v2::CellReportResult::APPLIED) << result.message();
  }
  EXPECT_TRUE(Eventually([&] {
    v2::GetRollRequest get;
    get.set_roll_id(desired.roll().roll_id());
    v2::GetRollResponse got;
    return service_.rolls->GetRoll(Context().get(), get, &got).ok() && got.roll().state() == v2::COMPLETED;
  })) << "the roll is done";
  int refused = 0;
  (void)Done(calls, refused);
  EXPECT_GT(refused, 0);
}

// Each instance's row takes its time, in the middle of everybody's transactions.
TEST_F(SlowDatabase, RowsThatTakeTheirTimeDeposeNobody) {
  service_.WaitForLead();
  const std::string epoch = Epoch();
  const auto slow = OpenSession(service_.url())->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript(
        "CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN PERFORM pg_sleep(0.15); RETURN NEW; END';"
        "CREATE TRIGGER slowly BEFORE INSERT ON actual_lrps FOR EACH ROW EXECUTE FUNCTION slowly()");
    return true;
  });
  ASSERT_TRUE(slow.ok()) << slow.detail;
  const auto began = std::chrono::steady_clock::now();
  auto calls = AskAll([this](const std::string& guid) { return Write(guid); });
  int refused = 0;
  const std::set<std::string> done = Done(calls, refused);
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  // Of two writers each sleeps for every instance.
  EXPECT_GT(done.size(), 2U);
  EXPECT_GE(took, 0.15 * static_cast<double>(done.size() / 2)) << "it was not slow at all";
  for (const std::string& guid : done) EXPECT_TRUE(Read(guid).status.ok()) << guid << " was acknowledged";
  EXPECT_EQ(Epoch(), epoch);
  std::cout << "slow database: " << done.size() << " writes in " << took << " s, " << refused
            << " refused, the leader's lease held\n";
}

// A controller whose calls all ran into their deadlines was taken for one that begins calls only to cancel them: it
// lost its connection, and with it the calls that had time.
TEST(ImpatientCallers, LoseTheirCallsAndNotTheirConnection) {
  RunningService service;
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const auto read = [&](std::chrono::milliseconds patience) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + patience);
    v2::GetDesiredLRPRequest get;
    get.set_process_guid("app");
    v2::GetDesiredLRPResponse got;
    return service.apps->GetDesiredLRP(&context, get, &got);
  };
  HeldTable held(service.url(), "desired_lrps");
  auto patient = std::async(std::launch::async, [&] { return read(std::chrono::seconds(60)); });
  std::vector<std::future<void>> impatient;
  for (int i = 0; i < 10; ++i) {
    impatient.push_back(std::async(std::launch::async, [&] {
      for (int call = 0; call < 30; ++call) {
        const grpc::Status status = read(std::chrono::milliseconds(20));
        EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << status.error_message();
      }
    }));
  }
  for (auto& one : impatient) one.get();
  held.LetGo();
  const grpc::Status answer = patient.get();
  EXPECT_TRUE(answer.ok()) << answer.error_message();
}

}  // namespace
}  // namespace baton
