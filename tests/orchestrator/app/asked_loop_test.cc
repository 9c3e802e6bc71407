// Who asks is answered once: by a turn, by the end of a reign, or by the end of the loop.
#include "orchestrator/app/leader/asked_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "orchestrator/model/names.h"

namespace baton {
namespace {

struct Question {
  std::string text;
  std::function<void(const Result<std::string>&)> answer;
};

class LoopThatIsAsked : public ::testing::Test {
 protected:
  // "UNAVAILABLE" where it was refused.
  std::future<std::string> Ask(const std::string& text) {
    const auto told = std::make_shared<std::promise<std::string>>();
    loop.Ask({text, [told](const Result<std::string>& answer) {
                told->set_value(answer ? *answer : std::string(Name(answer.error().kind)));
              }});
    return told->get_future();
  }

  std::promise<void> in_turn;
  std::promise<void> go_on;
  bool hold = false;  // the turn that answers next
  std::vector<bool> at_once;
  AskedLoop<Question> loop{[this](const std::vector<Question>& asked, bool now) {
    at_once.push_back(now);
    for (const Question& one : asked) one.answer("to " + one.text);
    if (std::exchange(hold, false)) {
      in_turn.set_value();
      go_on.get_future().wait();
    }
    return Ticker::kUntilWoken;
  }};
};

TEST_F(LoopThatIsAsked, RefusesWhereThisProcessDoesNotLead) {
  EXPECT_EQ(Ask("a").get(), "UNAVAILABLE");
  loop.Lead();
  EXPECT_EQ(Ask("b").get(), "to b");
  loop.Follow();
  EXPECT_EQ(Ask("c").get(), "UNAVAILABLE");
}

TEST_F(LoopThatIsAsked, ATurnIsToldWhetherItWasWoken) {
  loop.Lead();
  EXPECT_EQ(Ask("a").get(), "to a");
  EXPECT_EQ(Ask("b").get(), "to b");
  loop.Stop();
  EXPECT_THAT(at_once,
              ::testing::AnyOf(::testing::ElementsAre(true, false), ::testing::ElementsAre(true, false, false)));
}

// A turn may take long, and its process be told to stop meanwhile.
TEST_F(LoopThatIsAsked, WhoAsksDuringTheLastTurnIsAnswered) {
  hold = true;
  loop.Lead();
  in_turn.get_future().wait();
  auto during = Ask("a");
  std::thread stop([this] { loop.Stop(); });
  go_on.set_value();
  stop.join();
  EXPECT_THAT(during.get(), ::testing::AnyOf("UNAVAILABLE", "to a")) << "a turn began before it was told to stop";
  EXPECT_EQ(Ask("b").get(), "UNAVAILABLE") << "at once";
}

}  // namespace
}  // namespace baton
