// Who may look, and what a page of another site cannot do.
#include "tools/web/who/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/stack/state_dir.h"

namespace baton {
namespace {

using web::Gate;
using web::Person;

const Gate::Time kStart = Gate::Time() + std::chrono::hours(1);

http::Request Post(std::multimap<std::string, std::string> headers = {}, std::string body = "{}") {
  http::Request request{.method = "POST", .path = "/api/x", .headers = std::move(headers), .body = std::move(body)};
  const auto put = [&](const char* name, const char* value) {
    if (!request.Has(name)) request.headers.emplace(name, value);
  };
  put("host", "127.0.0.1:8892");
  put("content-type", "application/json");
  put("baton-page", "1");
  request.peer.address = "127.0.0.1";
  return request;
}

int Refused(const Gate& gate, const http::Request& request) {
  const auto refused = gate.Refuse(request);
  return refused ? refused->status : 0;
}

TEST(PageGate, TakesWhatThePageSends) {
  const Gate gate({.hosts = {"baton.example"}});
  EXPECT_EQ(Refused(gate, Post()), 0);
  for (const char* host : {"127.0.0.1:8892", "[::1]:8892", "localhost:8892", "baton.example", "BATON.example:443"}) {
    EXPECT_EQ(Refused(gate, Post({{"host", host}, {"origin", std::string("http://") + host}})), 0) << host;
  }
}

TEST(PageGate, RefusesWhatAnotherSiteCouldSend) {
  const Gate gate({.hosts = {"baton.example"}});
  EXPECT_EQ(Refused(gate, Post({{"host", "evil.example"}})), 403) << "a name that somebody points at this machine";
  EXPECT_EQ(Refused(gate, Post({{"host", "127.0.0.1.evil.example"}})), 403);
  EXPECT_EQ(Refused(gate, Post({{"origin", "http://evil.example"}})), 403);
  EXPECT_EQ(Refused(gate, Post({{"origin", "null"}})), 403);
  EXPECT_EQ(Refused(gate, Post({{"content-type", "text/plain"}})), 415) << "what a form can send";
  EXPECT_EQ(Refused(gate, Post({{"baton-page", ""}})), 403);
  http::Request twice = Post();
  twice.headers.emplace("host", "evil.example");
  EXPECT_EQ(Refused(gate, twice), 403);
  http::Request put = Post();
  put.method = "PUT";
  EXPECT_EQ(Refused(gate, put), 405);
}

// What it cannot read it could still begin: there are 200 live streams.
TEST(PageGate, AnotherSiteBeginsNoStream) {
  const Gate gate({});
  const auto asked = [](const char* path, const char* site) {
    http::Request request = Post({{"sec-fetch-site", site}});
    request.method = "GET";
    request.path = path;
    return request;
  };
  EXPECT_EQ(Refused(gate, asked("/live", "cross-site")), 403);
  EXPECT_EQ(Refused(gate, asked("/live", "same-site")), 403);
  EXPECT_EQ(Refused(gate, asked("/api/me", "cross-site")), 403);
  EXPECT_EQ(Refused(gate, asked("/live", "same-origin")), 0);
  EXPECT_EQ(Refused(gate, asked("/apps/shop", "cross-site")), 0) << "a link in a chat";
}

TEST(PageGate, WithoutTlsEverybodyOnTheMachineIsWhatTheOptionSays) {
  Gate viewer({});
  EXPECT_EQ(viewer.Who(Post(), kStart), (Person{"loopback", Role::kViewer}));
  Gate steers({.loopback_role = Role::kOperator});
  http::Request posing = Post({{"x-forwarded-user", "root"}, {"x-forwarded-groups", "ops"}});
  EXPECT_EQ(steers.Who(posing, kStart), (Person{"loopback", Role::kOperator}));
}

TEST(PageGate, ACertificateSaysWhoSomebodyIs) {
  Gate gate({.tls = true, .trust_domain = "baton"});
  const auto who = [&](std::vector<std::string> uris) {
    http::Request request = Post();
    request.peer.tls = request.peer.certificate = true;
    request.peer.uris = std::move(uris);
    return gate.Who(request, kStart);
  };
  EXPECT_EQ(who({"spiffe://baton/role/operator/ann"}), (Person{"ann", Role::kOperator}));
  EXPECT_EQ(who({"spiffe://other/role/operator/ann"}), std::nullopt);
  EXPECT_EQ(who({"spiffe://baton/role/cell/cell-1"}), std::nullopt);
  EXPECT_EQ(who({"spiffe://baton/role/batond/batond"}), std::nullopt);
  EXPECT_EQ(who({"spiffe://baton/role/viewer/a", "spiffe://baton/role/admin/b"}), std::nullopt);
  EXPECT_EQ(who({}), std::nullopt);
  EXPECT_EQ(gate.Who(Post(), kStart), std::nullopt) << "without a certificate";
}

TEST(PageGate, TheProxysWordCountsOnItsSocketAlone) {
  Gate gate({.tls = true, .operator_group = "ops"});
  http::Request request = Post({{"x-forwarded-user", "ann"}, {"x-forwarded-groups", "dev,ops"}, {"host", "anything"}});
  EXPECT_EQ(gate.Who(request, kStart), std::nullopt);
  request.peer.unix_socket = true;
  EXPECT_EQ(gate.Who(request, kStart), (Person{"ann", Role::kOperator}));
  EXPECT_EQ(Refused(gate, request), 0);
  request.headers.erase("x-forwarded-groups");
  request.headers.emplace("x-forwarded-groups", "devops");
  EXPECT_EQ(gate.Who(request, kStart), (Person{"ann", Role::kViewer}));
  request.headers.emplace("x-forwarded-user", "root");
  EXPECT_EQ(gate.Who(request, kStart), std::nullopt) << "the header is there twice";
}

class PageTokens : public ::testing::Test {
 protected:
  void Write(const std::string& text, mode_t mode = 0600) {
    std::ofstream(file_) << text;
    chmod(file_.c_str(), mode);
  }
  Gate MakeGate() { return Gate({.tls = true, .tokens = file_}); }
  static std::string Body(const std::string& token) { return nlohmann::json{{"token", token}}.dump(); }
  static std::string CookieOf(const http::Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "Set-Cookie") return value.substr(0, value.find(';'));
    }
    return "";
  }

  const stack::StateDir dir_;
  const std::string file_ = dir_.path() + "/tokens";
};

TEST_F(PageTokens, ATokenIsASessionUntilItIsIdleOrLoggedOut) {
  const web::NewToken made = web::MakeToken({"ann", Role::kOperator});
  EXPECT_EQ(made.token.size(), 64u);
  EXPECT_THAT(made.line, ::testing::Not(::testing::HasSubstr(made.token)));
  Write("# people\n" + made.line + "\n");
  Gate gate = MakeGate();
  ASSERT_TRUE(gate.tokens()->Read());
  const http::Response in = gate.LogIn(Post({}, Body(made.token)), kStart);
  EXPECT_EQ(in.status, 200);
  const std::string cookie = CookieOf(in);
  EXPECT_THAT(cookie, ::testing::StartsWith("__Host-baton="));
  const http::Request with = Post({{"cookie", "a=b; " + cookie}});
  EXPECT_EQ(gate.Who(with, kStart), (Person{"ann", Role::kOperator}));
  EXPECT_EQ(gate.Who(with, kStart + std::chrono::hours(11)), (Person{"ann", Role::kOperator}));
  EXPECT_EQ(gate.Who(with, kStart + std::chrono::hours(22)), (Person{"ann", Role::kOperator}));
  EXPECT_EQ(gate.Who(with, kStart + std::chrono::hours(40)), std::nullopt);
  const http::Request again = Post({{"cookie", CookieOf(gate.LogIn(Post({}, Body(made.token)), kStart))}});
  gate.LogOut(again);
  EXPECT_EQ(gate.Who(again, kStart), std::nullopt);
}

TEST_F(PageTokens, WhoGuessesMayTryFiveTimesAMinute) {
  const web::NewToken made = web::MakeToken({"ann", Role::kViewer});
  Write(made.line);
  Gate gate = MakeGate();
  ASSERT_TRUE(gate.tokens()->Read());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(gate.LogIn(Post({}, Body("guess")), kStart).status, 401);
  EXPECT_EQ(gate.LogIn(Post({}, Body(made.token)), kStart).status, 429);
  http::Request elsewhere = Post({}, Body(made.token));
  elsewhere.peer.address = "127.0.0.2";
  EXPECT_EQ(gate.LogIn(elsewhere, kStart).status, 200);
  EXPECT_EQ(gate.LogIn(Post({}, Body(made.token)), kStart + std::chrono::seconds(61)).status, 200);
}

TEST_F(PageTokens, AFileThatCannotBeUsedIsNamedWithItsLine) {
  const std::string good = web::MakeToken({"ann", Role::kViewer}).line + "\n";
  const auto fault = [&](const std::string& text, mode_t mode = 0600) {
    Write(text, mode);
    const Status read = web::Tokens(file_).Read();
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(fault(good), "");
  EXPECT_THAT(fault(good + "bob viewer\n"), ::testing::EndsWith(":2: a line is NAME ROLE SHA256"));
  EXPECT_THAT(fault("bob king " + std::string(64, 'a')), ::testing::HasSubstr("none of viewer, operator, admin"));
  EXPECT_THAT(fault("b/b viewer " + std::string(64, 'a')), ::testing::HasSubstr("[A-Za-z0-9._-]"));
  EXPECT_THAT(fault("bob viewer secret"), ::testing::HasSubstr("no SHA-256"));
  EXPECT_THAT(fault(good + good), ::testing::HasSubstr("the same token"));
  EXPECT_NE(fault(good, 0644), "") << "others may read it";
}

}  // namespace
}  // namespace baton
