// When apps are looked at, and in whose commit.
#include "orchestrator/app/leader/roller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/no_metrics.h"
#include "tests/fakes/on_loop.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/test_call.h"
#include "tests/fakes/waiting_store.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RollerTest : public ::testing::Test {
 protected:
  RollerTest() {
    OnLoop(loop_, [this] { roller_.Lead(); });
  }
  ~RollerTest() override { loop_.Stop(); }

  void Report(const std::string& instance) {
    OnLoop(loop_, [&] {
      TestCall call{{.name = "start", .guid = ProcessGuid("app"), .instance = ActualId(instance)}};
      call.done = [this, instance](const Status& status) {
        answers_.push_back(instance + (status ? " ok" : " " + status.error().message));
      };
      roller_.DoInstanceAndLook(std::move(call));
    });
  }
  // The oldest that waits.
  void Answer(const Status& status = Done{}) {
    OnLoop(loop_, [&] {
      ASSERT_FALSE(store_.commands.empty());
      const std::unique_ptr<AppCommand> command = std::move(store_.commands.front());
      store_.commands.pop_front();
      command->End(status);
    });
  }
  // "start of all", "start of a1", "plan of all": what of the app's rows each takes.
  std::vector<std::string> Waiting() {
    std::vector<std::string> waiting;
    OnLoop(loop_, [&] {
      for (const auto& command : store_.commands) {
        const CommandHeader& header = command->header();
        waiting.push_back(header.name + " of " + (header.instance ? header.instance->str() : "all"));
      }
    });
    return waiting;
  }

  std::vector<std::string> Guids() {
    std::vector<std::string> guids;
    OnLoop(loop_, [&] {
      for (const auto& command : store_.commands) guids.push_back(command->header().guid.str());
    });
    return guids;
  }

  // Waits for the next call.
  bool AwaitCall() {
    const auto end = Loop::Steady::now() + std::chrono::seconds(20);
    while (Waiting().empty() && Loop::Steady::now() < end) std::this_thread::yield();
    return !Waiting().empty();
  }

  static constexpr Roller::Timing kTiming{
      .tick = milliseconds(1), .round = milliseconds(20), .after_refusal = milliseconds(50), .in_turn = 2};
  SilentLog log_;
  NoMetrics metrics_;
  WaitingStore store_;
  Loop loop_;
  Roller roller_{store_, loop_, log_, metrics_, [](const Effects&) {}, kTiming};
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
  OnLoop(loop_, [this] { std::swap(store_.commands[0], store_.commands[1]); });  // of another batch
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
  Answer(Error{ErrorKind::kDataLoss, "desired_lrps app: cannot be opened", {}});
  EXPECT_THAT(answers_, IsEmpty());
  EXPECT_THAT(Waiting(), ElementsAre("start of a1"));
  Answer();
  EXPECT_THAT(answers_, ElementsAre("a1 ok"));
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
}

TEST_F(RollerTest, WhoDoesNotLeadOnlyTakesTheReport) {
  OnLoop(loop_, [this] { roller_.Follow(); });
  Report("a1");
  EXPECT_THAT(Waiting(), ElementsAre("start of a1"));
}

// Its wake-up got lost, or whatever it waits for tells nobody.
TEST_F(RollerTest, AnAppOnItsWayIsLookedAtEachRoundThoughNobodyWakesIt) {
  AppMaker maker = AppMaker::Settled(2);
  maker.OpenRoll();
  roller_.Wake(ProcessGuid("app"));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(AwaitCall());
    OnLoop(loop_, [&] {
      AppEdit edit(maker.app, maker.moment, "baton");
      EXPECT_TRUE(store_.commands.front()->Decide(edit));
      (void)edit.Finish();
    });
    Answer();
  }
}

// A million apps that an audit finds something of, or a thousand cells that come again: the store's queue is for
// others, too.
TEST_F(RollerTest, ManyThatAreWokenAtATimeAreLookedAtInTurn) {
  for (const char* guid : {"c", "a", "d", "b", "b"}) roller_.WakeInTurn(ProcessGuid(guid));
  EXPECT_THAT(Guids(), ElementsAre("c", "a")) << "two at a time";
  roller_.Wake(ProcessGuid("d"));
  EXPECT_THAT(Guids(), ElementsAre("c", "a", "d")) << "what has a reason of its own does not wait";
  Answer();
  EXPECT_THAT(Guids(), ElementsAre("a", "d", "b"));
  Answer();
  EXPECT_THAT(Guids(), ElementsAre("d", "b")) << "d is being looked at already";
  roller_.WakeInTurn(ProcessGuid("d"));
  Answer();
  EXPECT_THAT(Guids(), ElementsAre("b", "d")) << "it was woken again meanwhile";
  Answer();
  Answer();
  EXPECT_THAT(Guids(), IsEmpty());
}

TEST_F(RollerTest, WhereTheStoreIsFullNobodysTurnComesForAWhile) {
  for (const char* guid : {"a", "b", "c", "d", "e"}) roller_.WakeInTurn(ProcessGuid(guid));
  EXPECT_THAT(Guids(), ElementsAre("a", "b"));
  Answer(Error{ErrorKind::kResourceExhausted, "full", {}});
  Answer(Error{ErrorKind::kUnavailable, "away", {}});
  EXPECT_THAT(Guids(), IsEmpty()) << "of five, two were asked for";
  ASSERT_TRUE(AwaitCall());
  EXPECT_THAT(Guids(), ElementsAre("c", "d"));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(AwaitCall());
    Answer();
  }
  EXPECT_THAT(Guids(), IsEmpty()) << "those that were refused had their turns as well";
}

TEST_F(RollerTest, WhoIsWokenAgainAndAgainKeepsNobodyFromHisTurn) {
  for (const char* guid : {"a", "b", "y", "z"}) roller_.WakeInTurn(ProcessGuid(guid));
  EXPECT_THAT(Guids(), ElementsAre("a", "b"));
  for (const char* guid : {"a", "b"}) {
    Answer();
    roller_.WakeInTurn(ProcessGuid(guid));
  }
  EXPECT_THAT(Guids(), ElementsAre("y", "z"));
}

TEST_F(RollerTest, WhoLeadsNoMoreForgetsWhoseTurnItIs) {
  for (const char* guid : {"a", "b", "c"}) roller_.WakeInTurn(ProcessGuid(guid));
  OnLoop(loop_, [this] { roller_.Follow(); });
  Answer();
  Answer();
  EXPECT_THAT(Guids(), IsEmpty());
  OnLoop(loop_, [this] { roller_.Lead(); });
  for (const char* guid : {"a", "b", "c"}) roller_.WakeInTurn(ProcessGuid(guid));
  EXPECT_THAT(Guids(), ElementsAre("a", "b")) << "as many as before";
}

TEST_F(RollerTest, ALookThatFailedIsRepeatedAfterAPause) {
  roller_.Wake(ProcessGuid("app"));
  ASSERT_TRUE(AwaitCall());
  const auto began = Loop::Steady::now();
  Answer(Error{ErrorKind::kUnavailable, "the database does not answer", {}});
  ASSERT_TRUE(AwaitCall());
  EXPECT_GE(Loop::Steady::now() - began, kTiming.after_refusal);
  EXPECT_THAT(Waiting(), ElementsAre("plan of all"));
}

}  // namespace
}  // namespace baton
