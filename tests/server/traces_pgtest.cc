// A caller's trace: in the lines of its call, in those of what its roll does, and at who judges the roll.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <optional>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/fakes/logged_lines.h"
#include "tests/load/scripted_server.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr char kTrace[] = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr char kTraceParent[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr char kOtherTrace[] = "0af7651916cd43dd8448eb211c80319c";
constexpr char kOtherTraceParent[] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

std::unique_ptr<grpc::ClientContext> In(const std::string& trace_parent) {
  auto context = Context();
  context->AddMetadata("traceparent", trace_parent);
  return context;
}

class Traces : public ::testing::Test {
 protected:
  Traces()
      : judge_([this](const load::ScriptedRequest& request) -> load::ScriptedReply {
          const std::lock_guard lock(mutex_);
          const auto at = request.headers.find("traceparent");
          asked_.push_back(at == request.headers.end() ? "" : at->second);
          return {.body = R"({"verdict": "wait", "reason": "it is early"})"};
        }),
        service_({}, Allowing(), {}, &log_) {
    service_.WaitForLead();
    cell_.emplace(service_, "cell");
    cell_->Hello();
  }
  static batond::ServiceOptions Allowing() {
    batond::ServiceOptions options;
    options.verdict_allow = *AllowedHosts::From({"127.0.0.0/8"});
    return options;
  }

  // An app of two that is done with its first roll, and whose rolls stop for a verdict after one.
  void BeginJudged() {
    v2::DesireLRPRequest app = RunningService::SmallApp("app", 2);
    v2::Strategy& strategy = *app.mutable_desired_lrp()->mutable_strategy();
    strategy.set_min_healthy_time_ms(0);
    strategy.set_bake_time_ms(0);
    v2::Stage& stage = *strategy.add_stages();
    stage.mutable_instances()->set_count(1);
    stage.mutable_verdict()->set_url("http://" + judge_.Target() + "/");
    ASSERT_TRUE(service_.Desire(app).ok());
    StartOne();
    StartOne();
    ASSERT_TRUE(Eventually([&] { return LatestRoll().state() == v2::COMPLETED; }));
  }
  void StartOne() {
    const v2::RunOrder order = cell_->NextRun();
    cell_->Report(ScriptedCell::Claimed(order.actual_id()));
    cell_->Report(ScriptedCell::Started(order.actual_id()));
  }
  v2::Roll LatestRoll() {
    v2::GetRollRequest request;
    request.set_process_guid("app");
    v2::GetRollResponse answer;
    EXPECT_TRUE(service_.rolls->GetRoll(Context().get(), request, &answer).ok());
    return answer.roll();
  }
  v2::UpdateDesiredLRPRequest ToAnother() const {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid("app");
    *request.mutable_update()->mutable_desired_lrp()->mutable_definition() =
        RunningService::SmallApp("app").desired_lrp().definition();
    auto& definition = *request.mutable_update()->mutable_desired_lrp()->mutable_definition();
    definition.mutable_run_info()->mutable_action()->mutable_run_action()->add_args("another");
    return request;
  }
  grpc::Status UpdateIn(std::unique_ptr<grpc::ClientContext> context) {
    v2::UpdateDesiredLRPResponse answer;
    return service_.apps->UpdateDesiredLRP(context.get(), ToAnother(), &answer);
  }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  // The lines of the event about this roll.
  std::vector<LoggedLines::Line> Lines(const std::string& event, const v2::Roll& roll) {
    return log_.With({{"event", event}, {"roll", roll.roll_id()}});
  }

  std::mutex mutex_;
  std::vector<std::string> asked_;  // the traceparent of each question
  load::ScriptedServer judge_;
  LoggedLines log_;
  RunningService service_;
  std::optional<ScriptedCell> cell_;
};

TEST_F(Traces, ACallsTraceIsInItsLineInWhatItsRollDoesAndAtTheJudge) {
  ASSERT_NO_FATAL_FAILURE(BeginJudged());
  const v2::Roll first = LatestRoll();
  ASSERT_TRUE(UpdateIn(In(kTraceParent)).ok());
  const v2::Roll roll = LatestRoll();
  StartOne();
  ASSERT_TRUE(Eventually([&] { return !asked().empty() && !Lines("verdict", roll).empty(); }));
  EXPECT_THAT(asked(), Each(kTraceParent));
  EXPECT_THAT(Lines("verdict", roll), Each(Contains(Pair("trace_id", kTrace))));
  EXPECT_THAT(log_.With({{"event", "update_desired_lrp"}, {"trace_id", kTrace}}), SizeIs(1));
  EXPECT_THAT(Lines("roll_step", roll), SizeIs(::testing::Ge(3))) << "begun, a newcomer, the stage";
  EXPECT_THAT(Lines("roll_step", roll), Each(Contains(Pair("trace_id", kTrace))));
  EXPECT_THAT(Lines("roll_step", first), Not(::testing::IsEmpty()));
  EXPECT_THAT(Lines("roll_step", first), Each(Not(Contains(Key("trace_id"))))) << "its call had none";

  v2::ChangeRollRequest pause;
  pause.set_process_guid("app");
  v2::ChangeRollResponse paused;
  ASSERT_TRUE(service_.rolls->PauseRoll(In(kOtherTraceParent).get(), pause, &paused).ok());
  EXPECT_THAT(log_.With({{"event", "pause_roll"}, {"trace_id", kOtherTrace}}), SizeIs(1));
  EXPECT_THAT(Lines("roll_step", roll), Contains(Contains(Pair("trace_id", kOtherTrace)))) << "the step of the pause";
  EXPECT_THAT(log_.With({{"trace_id", kOtherTrace}, {"actor", "baton"}}), ::testing::IsEmpty());
}

TEST_F(Traces, ARefusalsLineHasItToo) {
  EXPECT_FALSE(UpdateIn(In(kTraceParent)).ok()) << "there is no such app";
  const auto lines = log_.With({{"event", "update_desired_lrp"}, {"trace_id", kTrace}});
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_TRUE(lines.front().contains("error"));
}

TEST_F(Traces, ACallThatIsOfNoAppHasItToo) {
  // What a cell says of itself is answered by nothing.
  ASSERT_TRUE(Eventually([&] {
    v2::ListCellsResponse cells;
    return service_.cells->ListCells(Context().get(), {}, &cells).ok() && cells.cells_size() == 1;
  }));
  v2::ChangeCellRequest request;
  request.set_cell_id("cell");
  v2::ChangeCellResponse response;
  ASSERT_TRUE(service_.cells->DrainCell(In(kTraceParent).get(), request, &response).ok());
  request.set_cell_id("nobody");
  EXPECT_FALSE(service_.cells->DrainCell(In(kOtherTraceParent).get(), request, &response).ok());
  EXPECT_THAT(log_.With({{"event", "drain_cell"}, {"trace_id", kTrace}}), SizeIs(1));
  EXPECT_THAT(log_.With({{"event", "drain_cell"}, {"trace_id", kOtherTrace}}), SizeIs(1));
}

TEST_F(Traces, ACallOfTheFirstApiIsOfItsTraceInTheSecond) {
  const auto apps = v1::DesiredLRPs::NewStub(service_.channel());
  v1::RemoveDesiredLRPRequest request;
  request.set_process_guid("nobody");
  v1::DesiredLRPLifecycleResponse response;
  ASSERT_TRUE(apps->RemoveDesiredLRP(In(kTraceParent).get(), request, &response).ok());
  EXPECT_THAT(log_.With({{"event", "remove_desired_lrp"}, {"trace_id", kTrace}}), SizeIs(1));
}

TEST_F(Traces, WhatIsNoTraceparentIsAsIfItWereNotSaid) {
  ASSERT_TRUE(service_.Desire(RunningService::SmallApp("app", 0)).ok());
  const v2::Roll before = LatestRoll();
  EXPECT_TRUE(UpdateIn(In("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")).ok());
  auto twice = In(kTraceParent);
  twice->AddMetadata("traceparent", kTraceParent);
  EXPECT_TRUE(UpdateIn(std::move(twice)).ok());
  EXPECT_THAT(log_.With({{"event", "update_desired_lrp"}}), SizeIs(2));
  EXPECT_THAT(log_.With({}), Each(Not(Contains(Key("trace_id")))));
}

}  // namespace
}  // namespace baton
