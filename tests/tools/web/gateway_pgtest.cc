// baton.v2 as JSON, against a batond.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/fakes/logged_lines.h"
#include "tests/server/running_service.h"
#include "tests/tools/web/running_web.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class WebGateway : public ::testing::Test {
 protected:
  void SetUp() override { service_.WaitForLead(); }
  web::WebOptions OptionsFor(const std::string& role) const {
    web::WebOptions options;
    options.batond = {service_.address()};
    options.loopback_role = role;
    return options;
  }
  // Of an error; empty: it is none.
  static std::string CodeOf(const RawAnswer& answer) {
    const Json body = Json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
    return body.is_object() ? body.value("code", "") : "";
  }

  LoggedLines log_;
  RunningService service_{{}, {}, {}, &log_};
};

// Who may not call a method does not reach batond; who may gets batond's own answer.
TEST_F(WebGateway, AMethodIsForTheRolesOfItsOptionAndNobodyElse) {
  const auto methods = web::Methods::Make();
  ASSERT_TRUE(methods);
  ASSERT_GE(methods->all().size(), 45u);
  int refused = 0, changing = 0;
  for (const char* word : {"viewer", "operator", "admin"}) {
    const RunningWeb web(OptionsFor(word));
    for (const auto& [name, method] : methods->all()) {
      if (name == "baton.v2.Events/Subscribe") continue;  // has no end
      const RawAnswer answer = web.Post("/api/" + name);
      const bool may = web::MayCall(method, *web::PageRole(word));
      const bool not_allowed = answer.status == 403 && answer.body.find("may not call") != std::string::npos;
      EXPECT_EQ(not_allowed, !may) << word << ' ' << name << ": " << answer.status << ' ' << answer.body;
      if (may) {
        EXPECT_NE(answer.status, 0) << name;
        EXPECT_THAT(CodeOf(answer),
                    ::testing::Not(::testing::AnyOf("unimplemented", "unavailable", "internal", "unknown")))
            << name << ": " << answer.body;
      }
      refused += not_allowed;
      if (method.access.effect == CallEffect::kChanges && word == std::string("viewer")) {
        // Convergence looks for a viewer, and works for nobody below operator: that goes by what is asked.
        const bool looks = name == "baton.v2.Admin/Convergence";
        EXPECT_EQ(looks ? web.Post("/api/" + name, R"({"run": true})").status : answer.status, 403) << name;
        ++changing;
      }
    }
  }
  EXPECT_GT(refused, 30);
  EXPECT_GT(changing, 20);
}

TEST_F(WebGateway, WhatIsNotForPeopleIsNotThere) {
  const RunningWeb web(OptionsFor("admin"));
  for (const char* name :
       {"Cells/Connect", "Routes/Connect", "ActualLRPs/ClaimActualLRP", "Rolls/NoSuch", "Auctioneer/Place", ""}) {
    EXPECT_EQ(web.Call(name).status, 404) << name;
  }
  EXPECT_EQ(web.Post("/api/baton.v1.BBS/Ping").status, 404);
}

TEST_F(WebGateway, ATraceparentGoesOnToBatond) {
  const RunningWeb web(OptionsFor("admin"));
  const auto cancel = [&](const std::string& headers) {
    RawHttp client(web.port());
    client.Send(PostText("/api/baton.v2.Rolls/CancelRoll", R"({"process_guid": "none"})", headers));
    EXPECT_EQ(client.Read().status, 404);
  };
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const std::string good = "traceparent: 00-" + trace + "-00f067aa0ba902b7-01\r\n";
  cancel("traceparent: 00-" + trace + "-0000000000000000-01\r\n");
  cancel(good + good);
  EXPECT_EQ(log_.With({{"event", "cancel_roll"}}).size(), 2U);
  EXPECT_TRUE(log_.With({{"trace_id", trace}}).empty());
  cancel(good);
  EXPECT_EQ(log_.With({{"event", "cancel_roll"}, {"trace_id", trace}}).size(), 1U);
}

TEST_F(WebGateway, AnAppIsDesiredReadAndListed) {
  const RunningWeb web(OptionsFor("admin"));
  const std::string app =
      R"({"desired_lrp": {"process_guid": "shop", "domain": "test", "instances": 2, "definition": {"resource": {"root_fs": "host:", "memory_mb": 16},
    "run_info": {"action": {"run_action": {"path": "/bin/true", "user": "vcap"}}, "ports": [8080], "environment_variables": [{"name": "PASSWORD", "value": "geheim"}]}}}})";
  const RawAnswer made = web.Call("DesiredLRPs/DesireLRP", app);
  ASSERT_EQ(made.status, 200) << made.body;
  const RawAnswer read = web.Call("DesiredLRPs/GetDesiredLRP", R"({"process_guid": "shop"})");
  EXPECT_EQ(Json::parse(read.body)["desired_lrp"]["instances"], 2);
  EXPECT_THAT(read.body, ::testing::Not(HasSubstr("geheim")));
  const RawAnswer listed = web.Call("DesiredLRPs/ListSchedulingInfos");
  EXPECT_EQ(listed.headers.at("content-type"), "application/x-ndjson");
  EXPECT_EQ(Json::parse(listed.body)["scheduling_infos"][0]["process_guid"], "shop");
  EXPECT_EQ(web.Call("Definitions/ListDefinitions", R"({"process_guid": "none"})").status, 200);
}

TEST_F(WebGateway, ARefusalKeepsItsCodeAndItsSentence) {
  const RunningWeb web(OptionsFor("admin"));
  const RawAnswer answer = web.Call("Rolls/PauseRoll", R"({"process_guid": "nobody"})");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(CodeOf(answer), "not_found");
  EXPECT_THAT(answer.body, HasSubstr("nobody"));
  for (const char* body : {"{", "[]", "7", R"({"process": "shop"})", R"({"process_guid": 7, "x": {}})", "\xff"}) {
    const RawAnswer bad = web.Call("Rolls/GetRoll", body);
    EXPECT_EQ(bad.status, 400) << body;
    EXPECT_EQ(CodeOf(bad), "invalid_argument") << body;
  }
}

TEST_F(WebGateway, SecretsAreShownToNobody) {
  const RunningWeb web(OptionsFor("admin"));
  for (const char* method : {"DesiredLRPs/GetDesiredLRP", "DesiredLRPs/ListDesiredLRPs",
                             "DesiredLRPs/ListSchedulingInfos", "Definitions/GetDefinition"}) {
    const RawAnswer answer = web.Call(method, R"({"reveal_secrets": true})");
    EXPECT_EQ(answer.status, 403) << method;
    EXPECT_THAT(answer.body, HasSubstr("secrets are not shown here")) << method;
  }
}

TEST_F(WebGateway, AStreamIsTheEventsAsTheyCome) {
  const RunningWeb web(OptionsFor("viewer"));
  RawHttp client(web.port());
  client.Send(PostText("/api/baton.v2.Events/Subscribe", R"({"snapshot": true})"));
  EXPECT_THAT(client.ReadUntil("\"snapshot_complete\":true"), HasSubstr("\"snapshot_complete\":true"));
  ASSERT_TRUE(service_.Desire(RunningService::SmallApp("later")).ok());
  EXPECT_THAT(client.ReadUntil("desired_created"), HasSubstr("\"later\""));
}

TEST_F(WebGateway, SoManyStreamsAreOpenAtOnceAndOneThatEndsMakesRoom) {
  const RunningWeb web(OptionsFor("viewer"));
  std::vector<RawHttp> clients;
  for (int i = 0; i < web::Gateway::kStreamsMost; ++i) {
    clients.emplace_back(web.port());
    clients.back().Send(PostText("/api/baton.v2.Events/Subscribe", "{}"));
    EXPECT_THAT(clients.back().ReadUntil("caught_up"), HasSubstr("200 OK")) << i;
  }
  EXPECT_EQ(web.Call("Events/Subscribe").status, 429);
  clients.pop_back();
  EXPECT_TRUE(Eventually([&] {
    RawHttp client(web.port());
    client.Send(PostText("/api/baton.v2.Events/Subscribe", "{}"));
    return client.ReadUntil("\r\n\r\n").find("200 OK") != std::string::npos;
  }));
}

TEST_F(WebGateway, AnAnswerComesWithinItsTimeWhereNobodyLeads) {
  web::WebOptions options = OptionsFor("viewer");
  options.batond = {"127.0.0.1:1"};
  const RunningWeb web(options);
  RawHttp client(web.port());
  client.Send(PostText("/api/baton.v2.Admin/Ping", "{}"));
  RawAnswer answer = client.Read();  // the call's ten seconds may be longer than a read's
  if (answer.status == 0) answer = client.Read();
  EXPECT_EQ(answer.status, 503) << answer.body;
  EXPECT_EQ(CodeOf(answer), "unavailable");
}

TEST_F(WebGateway, APlanIsMadeOfAFileAndItsFaultsHaveALine) {
  const RunningWeb web(OptionsFor("operator"));
  const RawAnswer faulty = web.Post("/api/plan", R"({"yaml": "process_guid: shop\ncolour: red\n"})");
  EXPECT_EQ(faulty.status, 400);
  const Json fault = Json::parse(faulty.body)["faults"][0];
  EXPECT_EQ(fault["line"], 2) << faulty.body;
  const std::string file =
      "process_guid: shop\ndomain: test\ninstances: 2\ndefinition:\n  resource: {root_fs: 'host:', memory_mb: 16}\n  "
      "run_info:\n    action: {run_action: {path: /bin/true, user: vcap}}\n    ports: [8080]\n";
  const RawAnswer planned = web.Post("/api/plan", Json{{"yaml", file}}.dump());
  ASSERT_EQ(planned.status, 200) << planned.body;
  EXPECT_EQ(Json::parse(planned.body)["method"], "DesireLRP");
  const RunningWeb viewers(OptionsFor("viewer"));
  EXPECT_EQ(viewers.Post("/api/plan", Json{{"yaml", file}}.dump()).status, 403);
}

TEST_F(WebGateway, ThePageIsServedWithItsAssetsAndNothingElse) {
  const RunningWeb web(OptionsFor("viewer"));
  const RawAnswer page = web.Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.headers.at("content-security-policy"), HasSubstr("default-src 'none'"));
  const std::size_t at = page.body.find("/assets/");
  ASSERT_NE(at, std::string::npos);
  const RawAnswer asset = web.Get(page.body.substr(at, page.body.find('"', at) - at));
  EXPECT_EQ(asset.status, 200);
  EXPECT_THAT(asset.headers.at("cache-control"), HasSubstr("immutable"));
  EXPECT_EQ(web.Get("/apps/a.b.c").body, page.body);
  for (const char* path :
       {"/favicon.ico", "/assets/../main.cc", "/assets/none.js", "/etc/passwd.txt", "/%2e%2e/x.txt"}) {
    EXPECT_EQ(web.Get(path).status, 404) << path;
  }
  EXPECT_LE(web::Assets().bytes(), 60u * 1024) << "the bundle, compressed";
}

}  // namespace
}  // namespace baton
