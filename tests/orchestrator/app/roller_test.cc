// When apps are looked at, and in whose commit.
#include "orchestrator/app/roller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <future>

#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NoMetrics final : public Metrics {
 public:
  void Count(std::string_view, std::string_view, double) override {}
  void Set(std::string_view, double, std::string_view) override {}
  void Observe(std::string_view, double, std::string_view) override {}
};

// Calls wait until the test answers them. Asked on the loop alone.
class WaitingStore final : public Store {
 public:
  void Submit(Call call) override { calls.push_back(std::move(call)); }
  std::deque<Call> calls;
};

class RollerTest : public testing::Test {
 protected:
  RollerTest() {
    OnLoop([this] { roller_.Lead(); });
  }
  ~RollerTest() override { loop_.Stop(); }

  // Returns when it has run, and all that was posted by it or before.
  void OnLoop(const std::function<void()>& task) {
    loop_.Post(task);
    std::promise<void> done;
    loop_.Post([this, &done] { loop_.Post([&done] { done.set_value(); }); });
    done.get_future().wait();
  }
  void Report(const std::string& instance) {
    OnLoop([&] {
      Call call{.name = "start", .guid = ProcessGuid("app"), .instance = ActualId(instance)};
      call.decide = [](AppEdit&) { return Done{}; };
      call.done = [this, instance](const Status& status) {
        answers_.push_back(instance + (status ? " ok" : " " + status.error().message));
      };
      roller_.DoInstanceAndLook(std::move(call));
    });
  }
  // The oldest that waits.
  void Answer(const Status& status = Done{}) {
    OnLoop([&] {
      ASSERT_FALSE(store_.calls.empty());
      Call call = std::move(store_.calls.front());
      store_.calls.pop_front();
      call.done(status);
    });
  }
  // "start of all", "start of a1", "plan of all": what of the app's rows each takes.
  std::vector<std::string> Waiting() {
    std::vector<std::string> waiting;
    OnLoop([&] {
      for (const Call& call : store_.calls) {
        waiting.push_back(call.name + " of " + (call.instance ? call.instance->str() : "all"));
      }
    });
    return waiting;
  }

  SilentLog log_;
  NoMetrics metrics_;
  WaitingStore store_;
  Loop loop_;
  Roller roller_{store_, loop_, log_, metrics_, [](const Driven&) {}};
  std::vector<std::string> answers_;  // of the loop alone
};

TEST_F(RollerTest, AReportAndItsConsequencesAreOneCall) {
  Report("a1");
  EXPECT_THAT(Waiting(), ElementsAre("start of all"));
  Answer();
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_THAT(answers_, ElementsAre("a1 ok"));
}

TEST_F(RollerTest, ReportsThatComeWhileTheAppIsLookedAtAreLookedAtTogether) {
  for (const char* instance : {"a1", "a2", "a3", "a4"}) Report(instance);
  EXPECT_THAT(Waiting(), ElementsAre("start of all", "start of a2", "start of a3", "start of a4"));
  for (int i = 0; i < 4; ++i) Answer();
  EXPECT_THAT(answers_, ElementsAre("a1 ok", "a2 ok", "a3 ok", "a4 ok"));
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
  Answer();
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));  // what was told after that one had begun
  Answer();
  EXPECT_THAT(Waiting(), IsEmpty());
}

TEST_F(RollerTest, AnAppThatIsLookedAtIsLookedAtAgainAfterAReport) {
  roller_.Wake(ProcessGuid("app"));
  Report("a1");
  EXPECT_THAT(Waiting(), ElementsAre("plan of all", "start of a1"));
  OnLoop([this] { std::swap(store_.calls[0], store_.calls[1]); });  // of another batch
  Answer();
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
  Answer();
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
}

TEST_F(RollerTest, ARefusedReportKeepsNobodyFromLooking) {
  Report("a1");
  roller_.Wake(ProcessGuid("app"));
  Answer(Error{ErrorKind::kFailedPrecondition, "another's", {}});
  EXPECT_THAT(answers_, ElementsAre("a1 another's"));
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
}

// The rest of the app cannot be read, or breaks a rule of the tables: the instance runs nevertheless.
TEST_F(RollerTest, AReportIsTakenByItselfWhereTheAppIsBroken) {
  Report("a1");
  Answer(Error{ErrorKind::kInternal, "desired_lrps app: cannot be opened", {}});
  EXPECT_THAT(answers_, IsEmpty());
  EXPECT_THAT(Waiting(), ElementsAre("start of a1"));
  Answer();
  EXPECT_THAT(answers_, ElementsAre("a1 ok"));
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
}

TEST_F(RollerTest, WhoDoesNotLeadOnlyTakesTheReport) {
  OnLoop([this] { roller_.Follow(); });
  Report("a1");
  EXPECT_THAT(Waiting(), ElementsAre("start of a1"));
}

}  // namespace
}  // namespace baton
