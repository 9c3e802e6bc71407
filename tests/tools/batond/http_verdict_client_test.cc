// Verdicts over real sockets: who is asked, and what an answer means.
#include "tools/batond/http_verdict_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>

#include "tests/load/scripted_server.h"

namespace baton::batond {
namespace {

using ::testing::HasSubstr;

TEST(HttpVerdictClient, AQuestionThatNobodyAnswersEndsInItsTime) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);  // it takes connections, and says nothing
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(listener, any, size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, any, &size), 0);
  HttpVerdictClient verdict_client(*AllowedHosts::From({"127.0.0.1"}));
  VerdictQuestion question;
  question.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  question.timeout = milliseconds(300);
  std::promise<VerdictAnswer> answer;
  auto answered = answer.get_future();
  const auto began = std::chrono::steady_clock::now();
  verdict_client.Ask(question, [&answer](VerdictAnswer given) { answer.set_value(std::move(given)); });
  ASSERT_EQ(answered.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  // libcurl counts whole milliseconds: its time is over up to one early.
  EXPECT_GE(std::chrono::steady_clock::now() - began, question.timeout - milliseconds(1));
  EXPECT_EQ(answered.get().verdict, Verdict::kWait);
  close(listener);
}

VerdictAnswer Asked(const std::vector<std::string>& allowed, const std::string& url) {
  HttpVerdictClient verdict_client(*AllowedHosts::From(allowed));
  VerdictQuestion question;
  question.url = url;
  question.timeout = seconds(20);
  std::promise<VerdictAnswer> answer;
  verdict_client.Ask(question, [&answer](VerdictAnswer given) { answer.set_value(std::move(given)); });
  return answer.get_future().get();
}

// batond reaches what an app's owner does not: it must not be his hand there.
TEST(HttpVerdictClient, NobodyIsAskedWhomNoOperatorAllowed) {
  std::atomic<int> asked{0};
  load::ScriptedServer judge([&](const load::ScriptedRequest&) -> load::ScriptedReply {
    ++asked;
    return {.body = R"({"verdict": "promote"})"};
  });
  const std::string port = judge.Target().substr(judge.Target().rfind(':') + 1);
  const std::string by_number = "http://127.0.0.1:" + port, by_name = "http://localhost:" + port;
  EXPECT_THAT(Asked({}, by_number).text, HasSubstr("127.0.0.1:" + port + " is none that this batond may ask"));
  EXPECT_THAT(Asked({"judge.example"}, by_number).text, HasSubstr("not asked"));
  EXPECT_THAT(Asked({"127.0.0.1:1"}, by_number).text, HasSubstr("not asked"));
  EXPECT_THAT(Asked({"localhost"}, by_name).text, HasSubstr("localhost leads to an address that this batond may not ask"));
  EXPECT_THAT(Asked({"127.0.0.0/8"}, "http://me:secret@127.0.0.1:" + port).text, HasSubstr("has a user or a password"));
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(Asked({"127.0.0.1:" + port}, by_number).verdict, Verdict::kPromote);
  EXPECT_EQ(Asked({"127.0.0.0/8"}, by_number).verdict, Verdict::kPromote);
  EXPECT_EQ(Asked({"localhost", "127.0.0.0/8", "::1/128"}, by_name).verdict, Verdict::kPromote);
  // Of a name's addresses one is enough: ::1 is tried first where there is IPv6.
  EXPECT_EQ(Asked({"127.0.0.0/8"}, by_name).verdict, Verdict::kPromote);
}

TEST(HttpVerdictClient, AQuestionOfATraceSaysSo) {
  std::vector<std::map<std::string, std::string>> asked;
  load::ScriptedServer judge([&](const load::ScriptedRequest& request) -> load::ScriptedReply {
    asked.push_back(request.headers);
    return {.body = R"({"verdict": "promote"})"};
  });
  HttpVerdictClient verdict_client(*AllowedHosts::From({"127.0.0.0/8"}));
  VerdictQuestion question;
  question.url = "http://" + judge.Target();
  question.timeout = seconds(20);
  const std::string text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  for (const TraceParent& trace : {TraceParent(), TraceParent::From(text)}) {
    question.trace = trace;
    std::promise<VerdictAnswer> answer;
    verdict_client.Ask(question, [&answer](VerdictAnswer given) { answer.set_value(std::move(given)); });
    EXPECT_EQ(answer.get_future().get().verdict, Verdict::kPromote);
  }
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_FALSE(asked[0].contains("traceparent"));
  EXPECT_EQ(asked[1]["traceparent"], text);
  EXPECT_EQ(asked[1]["content-type"], "application/json");
}

TEST(ReadVerdict, OnlyAnAnswerThatSaysSoIsOne) {
  EXPECT_EQ(ReadVerdict(200, R"({"verdict": "promote", "reason": "well"})").verdict, Verdict::kPromote);
  EXPECT_EQ(ReadVerdict(200, R"({"verdict": "fail"})").verdict, Verdict::kFail);
  EXPECT_EQ(ReadVerdict(200, R"({"verdict": "wait", "reason": "5 of 10 min"})").text, "wait: 5 of 10 min");
  EXPECT_EQ(ReadVerdict(500, R"({"verdict": "promote"})").text, "it answered 500, not 200");
  for (const char* body : {"", "promote", "[]", R"({"verdict": 1})", R"({"verdict": "PROMOTE"})", "{"}) {
    EXPECT_EQ(ReadVerdict(200, body).verdict, Verdict::kWait) << body;
    EXPECT_THAT(ReadVerdict(200, body).text, HasSubstr("no verdict of promote, wait or fail")) << body;
  }
  EXPECT_EQ(ReadVerdict(200, R"({"verdict": "fail", "reason": "a\u0007b"})").text, "a?b");
}

}  // namespace
}  // namespace baton::batond
