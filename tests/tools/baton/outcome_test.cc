#include "tools/baton/outcome.h"

#include <gtest/gtest.h>

#include "tools/baton/connection.h"
#include "tools/baton/files/apply_request.h"
#include "tools/baton/waiting/watch_view.h"

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

// As gRPC says it of a batond that does not believe the certificate, and of a place where nobody listens.
TEST(Outcome, AServerThatEndsTheHandshakeIsNotTakenForNone) {
  const ConnectionOptions options{.addresses = {"10.0.0.2:8891"}};
  const auto words = [&](const std::string& reason) {
    return std::string(FailureOf({grpc::StatusCode::UNAVAILABLE, reason}, "apps", options).what());
  };
  EXPECT_EQ(words("failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.2:8891: Socket closed"),
            "the server at 10.0.0.2:8891 ended the TLS handshake (ipv4:10.0.0.2:8891: Socket closed): it takes only who shows a "
            "certificate (--tls, --context) of an authority in its ca.pem that holds now. `baton certs check DIR` looks at yours, and "
            "its log says why (peer_refused, library_message)");
  const std::string nobody = words("failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.2:8891: Failed to connect to remote host: Connection refused");
  EXPECT_NE(nobody.find("is batond running?"), std::string::npos) << nobody;
  const std::string killed = words("Socket closed");
  EXPECT_NE(killed.find("is batond running?"), std::string::npos) << "in the middle of a call: " << killed;
}

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

// An unchanged app with a roll that was held was said to have one that goes on.
TEST(Outcome, AnOpenRollIsSaidToGoOnOnlyWhereItDoes) {
  v2::Roll roll;
  roll.set_roll_id("r1");
  roll.set_process_guid("shop");
  roll.set_source_definition("v1");
  roll.set_state(v2::ROLLING);
  roll.set_reason("because");
  EXPECT_EQ(RollWords(roll), "roll r1 goes on");
  roll.set_state(v2::HELD);
  EXPECT_EQ(RollWords(roll), "roll r1 is held: because; unblocked by: baton rollout retry shop, or baton rollout undo shop");
  roll.set_state(v2::ROLLING_BACK);
  EXPECT_EQ(RollWords(roll), "roll r1 goes back to v1: because");
  roll.set_state(v2::PAUSED);
  roll.add_paused_because(v2::HAND);
  EXPECT_EQ(RollWords(roll), "roll r1 is paused: because; unblocked by: baton rollout resume shop");
  roll.add_paused_because(v2::STAGE);
  EXPECT_EQ(RollWords(roll), "roll r1 is paused: because; unblocked by: baton rollout resume shop, and the end of the stage, or "
                             "baton rollout promote shop");
  roll.clear_paused_because();
  roll.add_paused_because(v2::STAGE);
  EXPECT_EQ(RollWords(roll), "roll r1 is paused: because; unblocked by: the end of the stage, or baton rollout promote shop");
  v2::UpdateDesiredLRPResponse answer;
  answer.set_changed(true);
  *answer.mutable_roll() = roll;
  EXPECT_EQ(UpdateWords(answer, "r1"), "updated, " + RollWords(roll));
  EXPECT_EQ(UpdateWords(answer, ""), "updated, roll r1 opened");
}

TEST(Outcome, UnreachableIsNotARefusal) {
  EXPECT_EQ(ExitOf(grpc::Status::OK), kDone);
  EXPECT_EQ(ExitOf(grpc::Status(grpc::StatusCode::UNAVAILABLE, "")), kUnreachable);
  EXPECT_EQ(ExitOf(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "")), kUnreachable);
  EXPECT_EQ(ExitOf(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "")), kFailed);
}

}  // namespace
}  // namespace baton::cli
