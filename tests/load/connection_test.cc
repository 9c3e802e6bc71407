// What can be told of a kept connection at the very moment before it is used again.
#include "tools/load/connection.h"

#include <gtest/gtest.h>

#include "tests/load/scripted_server.h"

namespace baton::load {
namespace {

using std::chrono::steady_clock;

LoadTarget TargetOf(const ScriptedServer& server) {
  const std::string target = server.Target();
  const int port = std::stoi(target.substr(target.rfind(':') + 1));
  return {.endpoint = {asio::ip::make_address("127.0.0.1"), static_cast<std::uint16_t>(port)},
          .host = "hello.example",
          .timeout = std::chrono::seconds(5)};
}

LoadOutcome AskOnce(asio::io_context& io, LoadConnection& connection) {
  LoadOutcome outcome;
  connection.Ask("/", steady_clock::now(), LoadConnection::After::kKeep,
                 [&](LoadOutcome result) { outcome = std::move(result); });
  io.restart();
  io.run();
  return outcome;
}

// The io_context does not run while it is asked: no watcher has told it.
TEST(LoadConnectionTest, ACloseThatNobodyHasToldYetIsNoticedBeforeTheNextRequest) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedReply{.then = ScriptedReply::Then::kCloseUnannounced, .body = HelloBody(0)};
  });
  const LoadTarget target = TargetOf(server);
  asio::io_context io;
  const auto connection = std::make_shared<LoadConnection>(io, target);
  EXPECT_TRUE(AskOnce(io, *connection).reusable);
  const auto start = steady_clock::now();
  while (!connection->GoneWhileIdle()) ASSERT_LT(steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(LoadConnectionTest, AnOpenConnectionIsNotGoneAndCanBeAskedAgain) {
  ScriptedServer server([](const ScriptedRequest&) { return ScriptedReply{.body = HelloBody(0)}; });
  const LoadTarget target = TargetOf(server);
  asio::io_context io;
  const auto connection = std::make_shared<LoadConnection>(io, target);
  EXPECT_TRUE(AskOnce(io, *connection).reusable);
  EXPECT_FALSE(connection->GoneWhileIdle());
  const LoadOutcome again = AskOnce(io, *connection);
  EXPECT_EQ(again.failure, "");
  EXPECT_EQ(server.requests(), 2);
}

// A watcher that was told to look, and whose call is on its way when the connection is used again, must stay silent.
TEST(LoadConnectionTest, AWatcherOfAnEarlierIdleTimeIsNotCalled) {
  ScriptedServer server([](const ScriptedRequest&) { return ScriptedReply{.body = HelloBody(0)}; });
  const LoadTarget target = TargetOf(server);
  asio::io_context io;
  const auto connection = std::make_shared<LoadConnection>(io, target);
  EXPECT_TRUE(AskOnce(io, *connection).reusable);
  bool called = false;
  connection->WatchIdle([&] { called = true; });
  EXPECT_FALSE(connection->GoneWhileIdle());
  EXPECT_EQ(AskOnce(io, *connection).failure, "");
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace baton::load
