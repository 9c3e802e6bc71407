#include "tools/baton/outcome.h"

#include <gtest/gtest.h>

#include "tools/baton/watch_view.h"

namespace baton::cli {
namespace {

struct Case {
  v2::RollState state;
  bool finished;
  bool over;
  int exit_status;
};

constexpr Case kCases[] = {
    {v2::QUEUED, false, false, kDone},
    {v2::ROLLING, false, false, kDone},
    {v2::PAUSED, false, false, kDone},
    {v2::ROLLING_BACK, false, false, kFailed},
    {v2::HELD, false, true, kFailed},
    {v2::COMPLETED, true, true, kDone},
    {v2::COMPLETED_WITH_GAPS, true, true, kFailed},
    {v2::ROLLED_BACK, true, true, kFailed},
    {v2::SUPERSEDED, true, true, kFailed},
    {v2::YIELDED, true, true, kFailed},
};

TEST(Outcome, OfEachState) {
  for (const Case& c : kCases) {
    EXPECT_EQ(IsFinished(c.state), c.finished) << c.state;
    EXPECT_EQ(IsOver(c.state), c.over) << c.state;
    EXPECT_EQ(ExitOf(c.state), c.exit_status) << c.state;
  }
  EXPECT_EQ(std::size(kCases) + 1, static_cast<std::size_t>(v2::RollState_descriptor()->value_count()))
      << "a state has no case here";
}

TEST(Outcome, WhatWaitsForAPersonSaysWhatToDo) {
  v2::Roll roll;
  roll.set_process_guid("shop");
  roll.set_state(v2::HELD);
  EXPECT_NE(Advice(roll).find("baton rollout retry shop"), std::string::npos);
  roll.set_state(v2::PAUSED);
  roll.add_paused_because(v2::HAND);
  EXPECT_NE(Advice(roll).find("baton rollout resume shop"), std::string::npos);
  roll.add_paused_because(v2::STAGE);
  EXPECT_NE(Advice(roll).find("baton rollout promote shop"), std::string::npos);
  roll.set_state(v2::COMPLETED);
  EXPECT_EQ(Advice(roll), "");
}

TEST(Outcome, UnreachableIsNotARefusal) {
  EXPECT_EQ(ExitOf(grpc::Status::OK), kDone);
  EXPECT_EQ(ExitOf(grpc::Status(grpc::StatusCode::UNAVAILABLE, "")), kUnreachable);
  EXPECT_EQ(ExitOf(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "")), kUnreachable);
  EXPECT_EQ(ExitOf(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "")), kFailed);
}

}  // namespace
}  // namespace baton::cli
