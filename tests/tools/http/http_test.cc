// What strangers send to a server of tools/http, over real sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "tests/tools/http/raw_http.h"
#include "tools/http/server.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using http::ExchangePtr;
using http::Request;

// Answers with what was asked; /stream is a stream that the test feeds.
class Served : public ::testing::Test {
 protected:
  void Start(http::Limits limits = {}) {
    server_ = std::make_unique<http::Server>(
        loop_, limits, [this](const ExchangePtr& exchange, const Request& request) { Handle(exchange, request); });
    ASSERT_TRUE(server_->Listen("127.0.0.1:0", nullptr));
    thread_ = std::thread([this] {
      const auto work = boost::asio::make_work_guard(loop_);
      loop_.run();
    });
  }
  void TearDown() override {
    OnLoop([this] {
      stream_.reset();
      server_->Stop();
    });
    loop_.stop();
    thread_.join();
    server_.reset();
  }

  int port() const { return server_->port(); }
  template <class Act>
  void OnLoop(Act act) {
    std::promise<void> done;
    boost::asio::post(loop_, [&] {
      act();
      done.set_value();
    });
    done.get_future().wait();
  }
  std::size_t Connections() {
    std::size_t open = 0;
    OnLoop([&] { open = server_->connections(); });
    return open;
  }
  bool Soon(const std::function<bool()>& holds) { return stack::WaitFor(std::chrono::seconds(20), {}, holds); }

  std::atomic<bool> gone_ = false;
  ExchangePtr stream_;  // the loop's

 private:
  void Handle(const ExchangePtr& exchange, const Request& request) {
    if (request.path == "/stream") {
      stream_ = exchange;
      exchange->BeginStream({.content_type = "text/event-stream"});
      exchange->OnGone([this] {
        gone_ = true;
        stream_.reset();
      });
      return;
    }
    exchange->Answer({.body = request.method + ' ' + request.path + ' ' + request.query + ' ' + request.body});
  }

  boost::asio::io_context loop_;
  std::unique_ptr<http::Server> server_;
  std::thread thread_;
};

TEST_F(Served, AnswersOnOneConnectionAsOftenAsAsked) {
  Start();
  RawHttp client(port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Send(GetText("/a%20b?x=1")));
    const RawAnswer answer = client.Read();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "GET /a b x=1 ");
  }
  EXPECT_EQ(Connections(), 1u);
}

TEST_F(Served, WhatIsSentTogetherIsAnsweredInOrder) {
  Start();
  RawHttp client(port());
  std::string all;
  for (int i = 0; i < 20; ++i)
    all += i % 2 ? GetText("/" + std::to_string(i)) : PostText("/" + std::to_string(i), "body");
  ASSERT_TRUE(client.Send(all));
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(client.Read().body, (i % 2 ? "GET /" : "POST /") + std::to_string(i) + (i % 2 ? "  " : "  body"));
}

TEST_F(Served, AHeadIsAnsweredWithoutItsBody) {
  Start();
  RawHttp client(port());
  ASSERT_TRUE(client.Send("HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
  const std::string all = client.ReadUntil("");
  EXPECT_THAT(all, ::testing::StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(all, ::testing::HasSubstr("Content-Length: 8\r\n"));
  EXPECT_THAT(all, ::testing::EndsWith("\r\n\r\n"));
}

TEST_F(Served, WhoSendsNothingMoreStillGetsHisAnswer) {
  Start();
  RawHttp client(port());
  ASSERT_TRUE(client.Send(GetText("/last")));
  client.SendNoMore();
  EXPECT_EQ(client.Read().body, "GET /last  ");
  EXPECT_TRUE(client.Ended());
}

struct Odd {
  const char* name;
  std::string text;
  int status;  // 0: closed without an answer
};
class ServedOdd : public Served, public ::testing::WithParamInterface<Odd> {};

TEST_P(ServedOdd, IsRefusedAndTheNextClientIsNot) {
  Start({.head = 4096, .body = 10'000});
  RawHttp client(port());
  client.Send(GetParam().text);
  client.SendNoMore();
  EXPECT_EQ(client.Read().status, GetParam().status);
  EXPECT_TRUE(client.Ended());
  RawHttp next(port());
  ASSERT_TRUE(next.Send(GetText("/")));
  EXPECT_EQ(next.Read().status, 200);
}

INSTANTIATE_TEST_SUITE_P(
    All, ServedOdd,
    ::testing::Values(
        Odd{"Garbage", std::string(300, '\xff') + "\r\n\r\n", 400},
        Odd{"NoPath", "GET nowhere HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        Odd{"ControlCharacter", "GET /a%00b HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        Odd{"HalfAPercent", "GET /a%4 HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        Odd{"HugeHead", "GET / HTTP/1.1\r\nX: " + std::string(8000, 'x') + "\r\n\r\n", 431},
        Odd{"HugeBody", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20000\r\n\r\n" + std::string(20000, 'x'), 413},
        Odd{"HugeChunk",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n" + std::string(20000, 'x') +
                "\r\n0\r\n\r\n",
            413},
        Odd{"BadChunk", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", 400},
        Odd{"TwoLengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
        Odd{"LengthAndChunks",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
        Odd{"HalfABody", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\nhalf", 0},
        Odd{"HalfAHead", "GET / HT", 0}),
    [](const auto& odd) { return odd.param.name; });

TEST_F(Served, WhoIsSlowWithHisHeadIsCutOff) {
  Start({.for_head = std::chrono::milliseconds(100)});
  RawHttp client(port());
  ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\n"));
  EXPECT_TRUE(client.Ended());
}

TEST_F(Served, MoreConnectionsThanAreAllowedAreClosed) {
  Start({.connections = 5});
  std::vector<RawHttp> clients;
  for (int i = 0; i < 5; ++i) {
    clients.emplace_back(port());
    ASSERT_TRUE(clients.back().Send(GetText("/")));
    ASSERT_EQ(clients.back().Read().status, 200);
  }
  RawHttp more(port());
  EXPECT_TRUE(more.Ended());
  clients.clear();
  EXPECT_TRUE(Soon([&] { return Connections() == 0; }));
  RawHttp later(port());
  ASSERT_TRUE(later.Send(GetText("/")));
  EXPECT_EQ(later.Read().status, 200);
}

TEST_F(Served, ThousandsThatComeAndGoLeaveNothing) {
  Start();
  for (int i = 0; i < 10'000; ++i) {
    RawHttp client(port());
    if (i % 3 == 0) client.Send("GET / HT");
    if (i % 3 == 1) client.Send(GetText("/"));
    client.Drop();
  }
  EXPECT_TRUE(Soon([&] { return Connections() == 0; }));
}

TEST_F(Served, AStreamGoesOutPieceByPiece) {
  Start();
  RawHttp client(port());
  ASSERT_TRUE(client.Send(GetText("/stream")));
  client.ReadUntil("\r\n\r\n");
  OnLoop([&] { stream_->Write("one\n"); });
  EXPECT_THAT(client.ReadUntil("one\n"), ::testing::HasSubstr("4\r\none\n\r\n"));
  OnLoop([&] {
    stream_->Write("two\n");
    stream_->End();
  });
  EXPECT_THAT(client.ReadUntil("0\r\n\r\n"), ::testing::HasSubstr("4\r\ntwo\n\r\n"));
  EXPECT_TRUE(client.Ended());
  EXPECT_FALSE(gone_);
}

TEST_F(Served, AStreamHearsThatItsClientIsGone) {
  Start();
  {
    RawHttp client(port());
    ASSERT_TRUE(client.Send(GetText("/stream")));
    client.ReadUntil("\r\n\r\n");
  }
  EXPECT_TRUE(Soon([&] { return gone_.load(); }));
  EXPECT_TRUE(Soon([&] { return Connections() == 0; }));
}

// The time for a write was that of the read that waits for the client's end, too: streams ended after half a minute.
TEST_F(Served, AStreamThatIsQuietIsNotCutOff) {
  Start({.for_write = std::chrono::milliseconds(100)});
  RawHttp client(port());
  ASSERT_TRUE(client.Send(GetText("/stream")));
  client.ReadUntil("\r\n\r\n");
  OnLoop([&] { stream_->Write("one\n"); });
  client.ReadUntil("one\n");
  EXPECT_FALSE(stack::WaitFor(std::chrono::milliseconds(700), {}, [&] { return gone_.load(); }));
  OnLoop([&] { stream_->Write("two\n"); });
  EXPECT_THAT(client.ReadUntil("two\n"), ::testing::HasSubstr("two\n"));
}

TEST_F(Served, WhoTakesNothingOfAStreamIsBehindAndThenCutOff) {
  Start({.for_write = std::chrono::milliseconds(300)});
  RawHttp client(port());
  ASSERT_TRUE(client.Send(GetText("/stream")));
  client.ReadUntil("\r\n\r\n");
  std::size_t behind = 0;
  OnLoop([&] {
    for (int i = 0; i < 300; ++i) stream_->Write(std::string(100'000, 'x'));
    behind = stream_->Behind();
  });
  EXPECT_GT(behind, http::Limits().behind);
  EXPECT_TRUE(Soon([&] { return gone_.load(); }));
}

TEST(HttpAddress, OfAServerIsAnAddressWithAPort) {
  boost::asio::io_context loop;
  for (const char* address : {"", "127.0.0.1", "localhost:80", "127.0.0.1:99999", "127.0.0.1:-1", "::1:80:"}) {
    http::Server server(loop, {}, [](const ExchangePtr&, const Request&) {});
    EXPECT_FALSE(server.Listen(address, nullptr)) << address;
  }
  http::Server one(loop, {}, [](const ExchangePtr&, const Request&) {});
  ASSERT_TRUE(one.Listen("[::1]:0", nullptr));
  http::Server other(loop, {}, [](const ExchangePtr&, const Request&) {});
  const Status taken = other.Listen("[::1]:" + std::to_string(one.port()), nullptr);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, ::testing::HasSubstr("nothing can listen at"));
}

}  // namespace
}  // namespace baton
