// What an instance wrote, through its cell.
#include <thread>

#include "tests/tools/baton/program.h"

namespace baton::cli {
namespace {

class LogsTest : public Program {
 protected:
  void RunOnACellThatShowsOutput() {
    showing.emplace(service, "cell-2");
    showing->hello().add_abilities("output");
    showing->Hello();
    ASSERT_EQ(Do({"cell", "drain", "cell-1"}), kDone);
    ASSERT_EQ(Apply("v1"), kDone) << err;
    id = showing->NextRun().actual_id();
    for (const v2::CellReport& report : {ScriptedCell::Claimed(id), ScriptedCell::Started(id)}) {
      const v2::CellReportResult result = showing->Report(report);
      ASSERT_EQ(result.outcome(), v2::CellReportResult::APPLIED) << result.message() << showing->Finish().error_message();
    }
  }
  static v2::CellOutput Output(const std::string& bytes, const std::string& place, bool more = false) {
    v2::CellOutput output;
    output.set_output(bytes);
    output.set_place(place);
    output.set_more(more);
    return output;
  }

  std::optional<ScriptedCell> showing;
  std::string id;
};

TEST_F(LogsTest, TheLastLinesComeAsTheyWereWritten) {
  RunOnACellThatShowsOutput();
  const std::string odd("one\ntwo \0 \xff \x1b[31m\n", 18);
  std::jthread cell_answers([&] {
    const v2::OutputAsk ask = showing->NextOutputAsk();
    EXPECT_EQ(ask.actual_id(), id);
    EXPECT_EQ(ask.instance_guid(), id + "-run");
    EXPECT_EQ(ask.lines(), 7);
    EXPECT_EQ(ask.after(), "");
    showing->Show(ask, Output(odd, "p1"));
  });
  EXPECT_EQ(Do({"logs", "shop", "0", "--tail", "7", "--raw"}), kDone) << err;
  EXPECT_EQ(out, odd);
  EXPECT_EQ(err, "");
}

TEST_F(LogsTest, WhatItWritesDoesNothingToATerminalUnlessRaw) {
  RunOnACellThatShowsOutput();
  std::jthread cell_answers([&] { showing->Show(showing->NextOutputAsk(), Output("\x1b]0;title\x07one\b\n\x1b[2Jtwo\n", "p1")); });
  EXPECT_EQ(Do({"logs", "shop"}), kDone) << err;
  EXPECT_EQ(out, "one?\ntwo\n");
}

TEST_F(LogsTest, FollowingGoesOnAfterTheLastPlaceUntilTheInstanceAndItsAppAreGone) {
  RunOnACellThatShowsOutput();
  std::jthread cell_answers([&] {
    showing->Show(showing->NextOutputAsk(), Output("one\n", "p1", true));
    const v2::OutputAsk second = showing->NextOutputAsk();
    EXPECT_EQ(second.after(), "p1");
    v2::CellOutput more = Output("three\n", "p3");
    more.set_lost(true);
    showing->Show(second, more);
    showing->Show(showing->NextOutputAsk(), Output("four\n", "p4"));
    v2::RemoveDesiredLRPRequest remove;
    remove.set_process_guid("shop");
    v2::RemoveDesiredLRPResponse removed;
    EXPECT_TRUE(service.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
    EXPECT_TRUE(showing->WasToldToStop(id));
    v2::CellReport report = ScriptedCell::Claimed(id);
    report.mutable_stopped();
    showing->Report(report);
    // One may have been asked before it was gone.
  });
  EXPECT_EQ(Do({"logs", "shop", "-f"}), kDone) << err;
  EXPECT_EQ(out, "one\nthree\nfour\n");
  EXPECT_THAT(err, AllOf(HasSubstr("some output is lost"), HasSubstr("-run is over"),
                         HasSubstr("the slot has no instance any more")));
}

TEST_F(LogsTest, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(Do({"logs", "shop"}), kFailed);
  EXPECT_THAT(err, HasSubstr("slot 0 of app shop has no instance"));
  ASSERT_EQ(Apply("v1"), kDone) << err;
  first = cell->NextRun().actual_id();
  EXPECT_EQ(Do({"logs", "shop"}), kFailed);
  EXPECT_THAT(err, HasSubstr("slot 0 of app shop is UNCLAIMED and on no cell"));
  cell->Report(ScriptedCell::Claimed(first));
  EXPECT_EQ(Do({"logs", "shop"}), kFailed);
  EXPECT_THAT(err, HasSubstr("cell cell-1 is too old to show output"));
  EXPECT_EQ(Do({"logs", "shop", "1"}), kFailed);
  EXPECT_THAT(err, HasSubstr("slot 1 of app shop has no instance"));
  EXPECT_EQ(Do({"logs", "shop", "-1"}), kUsage);
  EXPECT_EQ(Do({"logs", "shop", "--tail", "0"}), kUsage);
  cell.reset();
  ASSERT_TRUE(Eventually([&] { return Do({"logs", "shop"}) == kFailed && err.find("is not connected") != std::string::npos; })) << err;
}

TEST_F(LogsTest, ACellThatHasItNoMoreOrDoesNotAnswerIsNamed) {
  RunOnACellThatShowsOutput();
  std::jthread cell_answers([&] {
    v2::CellOutput none;
    none.set_error("it has no such instance (any more)");
    showing->Show(showing->NextOutputAsk(), none);
  });
  EXPECT_EQ(Do({"logs", "shop"}), kFailed);
  EXPECT_THAT(err, HasSubstr("cell cell-2: it has no such instance (any more)"));
  EXPECT_EQ(Do({"logs", "shop"}), kFailed);
  EXPECT_THAT(err, HasSubstr("cell cell-2 did not answer within 5000 ms"));
}

}  // namespace
}  // namespace baton::cli
