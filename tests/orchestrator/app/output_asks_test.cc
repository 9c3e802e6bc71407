// Asks for output and their answers.
#include "orchestrator/app/cells/output_asks.h"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <string>
#include <vector>

namespace baton {
namespace {

struct AskedOutput {
  Loop loop;
  CellId cell{"cell-1"};
  // On the loop, as everything that the class does.
  void Do(std::function<void()> what) {
    std::promise<void> done;
    loop.Post([&] { what(), done.set_value(); });
    done.get_future().wait();
  }
};

TEST(OutputAsks, AnAnswerEndsItsOwnAskAlone) {
  AskedOutput asked;
  OutputAsks asks(asked.loop);
  std::vector<std::string> told;
  const auto tell = [&told](const Result<CellOutput>& output) {
    told.push_back(output ? output->output : output.error().message);
  };
  asked.Do([&] {
    const auto one = asks.Begin(asked.cell, {}, tell);
    const auto two = asks.Begin(asked.cell, {}, tell);
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->id, two->id);
    asks.Answer(CellId("cell-2"), {.id = one->id, .output = "another cell's"});
    EXPECT_TRUE(told.empty());
    asks.Answer(asked.cell, {.id = two->id, .output = "two"});
    asks.Answer(asked.cell, {.id = two->id, .output = "two again"});
    asks.Answer(asked.cell, {.id = one->id, .error = "it has none"});
  });
  EXPECT_EQ(told, (std::vector<std::string>{"two", "cell cell-1: it has none"}));
}

TEST(OutputAsks, ACellThatDoesNotAnswerIsNotWaitedForForEver) {
  AskedOutput asked;
  OutputAsks asks(asked.loop, std::chrono::milliseconds(20));
  std::promise<std::string> told;
  asked.Do([&] {
    (void)asks.Begin(asked.cell, {}, [&](const Result<CellOutput>& output) { told.set_value(output.error().message); });
  });
  EXPECT_EQ(told.get_future().get(), "cell cell-1 did not answer within 20 ms");
}

TEST(OutputAsks, TooManyAtATimeAreRefused) {
  AskedOutput asked;
  OutputAsks asks(asked.loop);
  int refused = 0;
  asked.Do([&] {
    for (std::size_t i = 0; i <= OutputAsks::kMax; ++i) {
      (void)asks.Begin(asked.cell, {}, [&](const Result<CellOutput>& output) {
        refused += !output && output.error().kind == ErrorKind::kResourceExhausted ? 1 : 0;
      });
    }
  });
  EXPECT_EQ(refused, 1);
}

TEST(OutputAsks, WhoWaitsWhenTheLeadEndsIsSentOn) {
  AskedOutput asked;
  OutputAsks asks(asked.loop);
  std::vector<ErrorKind> told;
  asked.Do([&] {
    for (int i = 0; i < 2; ++i) {
      (void)asks.Begin(asked.cell, {}, [&](const Result<CellOutput>& output) { told.push_back(output.error().kind); });
    }
    asks.EndAll("this batond leads no more");
    asks.EndAll("and again");
  });
  EXPECT_EQ(told, (std::vector<ErrorKind>{ErrorKind::kUnavailable, ErrorKind::kUnavailable}));
}

}  // namespace
}  // namespace baton
