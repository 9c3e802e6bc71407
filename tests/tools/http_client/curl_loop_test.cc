// libcurl's transfers against real sockets.
#include "tools/http_client/curl_loop.h"

#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>

#include "orchestrator/base/unique_fd.h"
#include "tests/load/scripted_server.h"

namespace {

// Whom libcurl asks for names in this program: says nothing until it may.
class SilentNames {
 public:
  int Answer() {
    std::unique_lock lock(mutex_);
    ++asked_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(20), [this] { return may_answer_; });
    return EAI_AGAIN;
  }
  bool WaitForAsked(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return asked_ >= count; });
  }
  void MayAnswer() {
    const std::lock_guard lock(mutex_);
    may_answer_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int asked_ = 0;
  bool may_answer_ = false;
};

SilentNames& Names() {
  static auto* const names = new SilentNames;  // for ever: libcurl's threads end when they like
  return *names;
}

}  // namespace

// The program's own goes before the C library's.
extern "C" int getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**) { return Names().Answer(); }

namespace baton {
namespace {

using load::ScriptedReply;
using load::ScriptedRequest;
using load::ScriptedServer;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::size_t kBodyMax = 1 << 10;
constexpr long kLongMs = 100'000;  // longer than any test may take

struct Answer {
  CURLcode code = CURLE_OK;
  long status = 0;
  long connects = 0;  // made for it
  std::string body;
};

class Get final : public CurlTransfer {
 public:
  Get(std::string url, long timeout_ms, std::promise<Answer> answer)
      : url_(std::move(url)), timeout_ms_(timeout_ms), promise_(std::move(answer)) {}

  void Begin(CURL* easy) override {
    curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout_ms_);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Get::Take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  }
  void End(CURL* easy, CURLcode code) override {
    answer_.code = code;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer_.status);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &answer_.connects);
    promise_.set_value(std::move(answer_));
  }

 private:
  static std::size_t Take(const char* data, std::size_t size, std::size_t count, void* self) {
    std::string& body = static_cast<Get*>(self)->answer_.body;
    if (body.size() + size * count > kBodyMax) return 0;
    body.append(data, size * count);
    return size * count;
  }

  const std::string url_;
  const long timeout_ms_;
  Answer answer_;
  std::promise<Answer> promise_;
};

// `where`: host, port and path.
std::future<Answer> Ask(CurlLoop& loop, const std::string& where, long timeout_ms = kLongMs) {
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  loop.Add(std::make_unique<Get>("http://" + where, timeout_ms, std::move(promise)));
  return answer;
}

ScriptedReply Nothing(const ScriptedRequest&) {
  ScriptedReply reply;
  reply.then = ScriptedReply::Then::kNothing;
  return reply;
}

TEST(CurlLoop, EachTransferGetsItsOwnAnswer) {
  ScriptedServer server([](const ScriptedRequest& request) -> ScriptedReply {
    return {.status = request.target == "/7" ? 404 : 200, .body = "of " + request.target};
  });
  CurlLoop loop({});
  std::vector<std::future<Answer>> answers;
  for (int i = 0; i < 20; ++i) answers.push_back(Ask(loop, server.Target() + "/" + std::to_string(i)));
  for (int i = 0; i < 20; ++i) {
    const Answer answer = answers[static_cast<std::size_t>(i)].get();
    EXPECT_EQ(answer.code, CURLE_OK) << i;
    EXPECT_EQ(answer.status, i == 7 ? 404 : 200) << i;
    EXPECT_EQ(answer.body, "of /" + std::to_string(i));
  }
}

TEST(CurlLoop, OneThatHangsEndsInItsTimeAndHoldsUpNoOther) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.target == "/hangs" ? Nothing(request) : ScriptedReply{.body = "well"};
  });
  CurlLoop loop({});
  std::future<Answer> hangs = Ask(loop, server.Target() + "/hangs", 400);
  ASSERT_TRUE(server.WaitForRequests(1));
  EXPECT_EQ(Ask(loop, server.Target() + "/answers").get().body, "well");
  EXPECT_EQ(hangs.get().code, CURLE_OPERATION_TIMEDOUT);
}

TEST(CurlLoop, WhereNobodyListensIsSaidAtOnce) {
  const UniqueFd bound(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));  // the port is taken, and nobody listens there
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(bound.get(), any, size), 0);
  ASSERT_EQ(getsockname(bound.get(), any, &size), 0);
  CurlLoop loop({});
  const auto began = steady_clock::now();
  EXPECT_EQ(Ask(loop, "127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/").get().code, CURLE_COULDNT_CONNECT);
  EXPECT_LT(steady_clock::now() - began, seconds(20));
}

TEST(CurlLoop, ATransferMayRefuseWhatItIsSent) {
  ScriptedServer server(
      [](const ScriptedRequest&) -> ScriptedReply { return {.body = std::string(kBodyMax + 1, 'x')}; });
  CurlLoop loop({});
  EXPECT_EQ(Ask(loop, server.Target() + "/").get().code, CURLE_WRITE_ERROR);
}

TEST(CurlLoop, AConnectionIsForOneTransferAlone) {
  ScriptedServer server([](const ScriptedRequest&) -> ScriptedReply { return {.body = "well"}; });
  CurlLoop loop({});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ask(loop, server.Target() + "/").get().connects, 1);
}

TEST(CurlLoop, AHostThatHasAllConnectionsItMayIsAskedLater) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.target == "/hangs" ? Nothing(request) : ScriptedReply{.body = "well"};
  });
  CurlLoop loop({.total = 16, .host = 1});
  std::future<Answer> hangs = Ask(loop, server.Target() + "/hangs", 400);
  ASSERT_TRUE(server.WaitForRequests(1));
  EXPECT_EQ(Ask(loop, server.Target() + "/").get().body, "well");
  EXPECT_EQ(hangs.wait_for(seconds(0)), std::future_status::ready);
}

TEST(CurlLoop, StopWaitsForNone) {
  ScriptedServer server(&Nothing);
  CurlLoop loop({});
  std::vector<std::future<Answer>> answers;
  for (int i = 0; i < 3; ++i) answers.push_back(Ask(loop, server.Target() + "/"));
  ASSERT_TRUE(server.WaitForRequests(3));
  const auto began = steady_clock::now();
  loop.Stop();
  loop.Stop();
  answers.push_back(Ask(loop, server.Target() + "/"));  // too late: never begun
  EXPECT_LT(steady_clock::now() - began, seconds(20));
  for (auto& answer : answers) EXPECT_EQ(answer.wait_for(seconds(0)), std::future_status::timeout);
  EXPECT_EQ(server.requests(), 3);
}

TEST(CurlLoop, ANameThatNobodyAnswersHoldsUpNeitherOthersNorTheEnd) {
  ScriptedServer server([](const ScriptedRequest&) -> ScriptedReply { return {.body = "well"}; });
  const auto began = steady_clock::now();
  CurlLoop loop({});
  EXPECT_EQ(Ask(loop, "nobody.example/", 200).get().code, CURLE_OPERATION_TIMEDOUT);
  EXPECT_EQ(Ask(loop, server.Target() + "/").get().body, "well");
  const std::future<Answer> under_way = Ask(loop, "nobody.example/");
  ASSERT_TRUE(Names().WaitForAsked(2));
  loop.Stop();
  EXPECT_LT(steady_clock::now() - began, seconds(10));
  Names().MayAnswer();
}

}  // namespace
}  // namespace baton
