// What `baton apply` changes, says and keeps.
#include <google/protobuf/util/message_differencer.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/tools/baton/program.h"

namespace baton::cli {
namespace {

using nlohmann::json;

MATCHER_P(IsSame, app, "the app that it was") {
  return google::protobuf::util::MessageDifferencer::Equals(arg, app);
}

class ApplyProgram : public Program {
 protected:
  // With its secrets.
  v2::DesiredLRP Stored() {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid("shop");
    request.set_reveal_secrets(true);
    v2::GetDesiredLRPResponse response;
    grpc::ClientContext context;
    EXPECT_TRUE(service.apps->GetDesiredLRP(&context, request, &response).ok());
    return response.desired_lrp();
  }
  std::string Described() {
    EXPECT_EQ(Do({"describe", "app", "shop", "-o", "yaml"}), kDone) << err;
    return out;
  }
  int ApplyText(const std::string& text, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"apply", "-f", "-"});
    return Do(more, text);
  }
  static std::string Replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what << " is not in\n" << text;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
  }
  static std::string OddApp() {
    return App("v1",
               "instances: 1\nimage_username: u\nimage_password: p4ssw0rd\nannotation: 'a $${HOME}: # b'\n"
               "metric_tags: {'': x, slot: {dynamic: INDEX}}\ndefinition_history: 0\n"
               "routes:\n  cf-router: !raw '[ {\"port\": 8080, \"hostnames\": [\"shop.example\"], \"x\": null} ]'\n"
               "  tcp-router: [{external_port: 1024, container_port: 8080}]\n  other: !!binary //4=\n"
               "  another: {a: 1}\n");
  }
};

TEST_F(ApplyProgram, ADescriptionThatIsAppliedChangesNothing) {
  ASSERT_EQ(ApplyText(OddApp()), kDone) << err;
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  const v2::DesiredLRP before = Stored();
  EXPECT_EQ(before.routes().routes().at("other"), "\xff\xfe");
  const std::string text = Described();
  EXPECT_THAT(text, AllOf(Not(HasSubstr("s3cr3t")), Not(HasSubstr("p4ssw0rd"))));
  EXPECT_EQ(ApplyText(text, {"--dry-run"}), kDone) << err;
  EXPECT_EQ(out, "app shop unchanged\n");
  EXPECT_EQ(ApplyText(text), kDone) << err;
  EXPECT_EQ(out, "app shop unchanged\n");
  EXPECT_THAT(Stored(), IsSame(before));
  EXPECT_EQ(Described(), text);
}

TEST_F(ApplyProgram, ADescriptionOfAnAppWithARouteThatLeadsNowhereChangesNothing) {
  const std::string routes = "routes: [{hostname: shop.example, port: 8080}]\n";
  ASSERT_EQ(ApplyText(App("v1", routes)), kDone) << err;
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  const std::string v2 = Replaced(App("v2", routes), "[8080]", "[9090, 2222]");
  ASSERT_EQ(ApplyText(v2, {"--accept-unroutable"}), kDone) << err;
  const v2::DesiredLRP before = Stored();
  EXPECT_EQ(ApplyText(Described()), kDone) << err;
  EXPECT_EQ(out, "app shop unchanged, roll " + before.roll_id() + " goes on\n");
  EXPECT_THAT(Stored(), IsSame(before));
}

TEST_F(ApplyProgram, WhatChangesIsSaidFieldByFieldAndADryRunSaysTheSame) {
  ASSERT_EQ(ApplyText(OddApp()), kDone) << err;
  std::string text = Replaced(Described(), "instances: 1\n", "instances: 0\n");
  text = Replaced(text, "on_failure: ROLLBACK", "on_failure: HOLD");
  text = Replaced(text, "value: null", "value: n3w s3cr3t");
  text = Replaced(text, "definition_identifier: v1", "definition_identifier: v2");
  text = Replaced(text, "external_port: 1024", "external_port: 1025");
  const v2::DesiredLRP before = Stored();
  EXPECT_EQ(ApplyText(text, {"--dry-run"}), kDone) << err;
  const std::string dry = out;
  EXPECT_THAT(Stored(), IsSame(before));
  EXPECT_THAT(dry, AllOf(HasSubstr("  instances 1 -> 0\n"), HasSubstr("  strategy.on_failure ROLLBACK -> HOLD\n"),
                         HasSubstr("environment_variables[0].value another value, which is not shown\n"),
                         HasSubstr("  routes.tcp-router [{\"external_port\":1024,\"container_port\":8080}] -> "),
                         HasSubstr("\napp shop would be updated, with a roll from v1 to v2\n"), Not(HasSubstr("s3cr3t"))));
  EXPECT_EQ(ApplyText(text), kDone) << err;
  EXPECT_EQ(out.substr(0, out.find("app shop")), dry.substr(0, dry.find("app shop")));
  EXPECT_THAT(out, HasSubstr("\napp shop updated\n")) << "none of no instances is to be rolled";
  EXPECT_EQ(Stored().definition().run_info().environment_variables(0).value(), "n3w s3cr3t");
  EXPECT_EQ(Stored().image_password(), "p4ssw0rd");
  EXPECT_EQ(Stored().instances(), 0);
}

TEST_F(ApplyProgram, AFileWithoutInstancesKeepsTheirNumberAndTheSecrets) {
  ASSERT_EQ(ApplyText(OddApp()), kDone) << err;
  ASSERT_EQ(Do({"scale", "shop", "3"}), kDone) << err;
  const std::string text = Replaced(Described(), "instances: 3\n", "");
  EXPECT_EQ(ApplyText(text), kDone) << err;
  EXPECT_THAT(out, HasSubstr("app shop unchanged"));
  EXPECT_EQ(ApplyText(Replaced(text, "max_failures: 3", "max_failures: 5")), kDone) << err;
  EXPECT_THAT(out, HasSubstr("  strategy.max_failures 3 -> 5\napp shop updated"));
  EXPECT_EQ(Stored().instances(), 3);
  EXPECT_EQ(Stored().image_password(), "p4ssw0rd");
  EXPECT_EQ(Stored().definition().run_info().environment_variables(0).value(), "s3cr3t");
}

TEST_F(ApplyProgram, WhatWasHiddenIsNoValueAndWhatIsStoredNowhereCannotBeKept) {
  ASSERT_EQ(Apply("v1"), kDone) << err;
  const std::string text = Described();
  EXPECT_EQ(ApplyText(Replaced(text, "value: null", "value: <redacted>")), kUsage);
  EXPECT_THAT(err, AllOf(HasSubstr("baton: stdin:"), HasSubstr("definition.run_info.environment_variables[0].value: "),
                         HasSubstr("this value was hidden when it was exported: leave it out to keep what is stored, or give it")));
  EXPECT_EQ(Stored().definition().run_info().environment_variables(0).value(), "s3cr3t");
  ASSERT_EQ(Do({"delete", "shop"}), kDone) << err;
  EXPECT_EQ(ApplyText(text), kUsage);
  EXPECT_THAT(err, HasSubstr("nothing is stored that could be kept: give it"));
  EXPECT_EQ(ApplyText(Replaced(text, "value: null", "value: given")), kDone) << err;
}

// They were in each of these answers.
TEST_F(ApplyProgram, NoAnswerShowsWhatOtherRoutersKeep) {
  const auto routes = [](const std::string& key) {
    return App("v1", "instances: 1\nroutes:\n  cf-router: [{hostname: shop.example, port: 8080}]\n  diego-ssh: {private_key: " +
                         key + "}\n");
  };
  const auto hidden = [&] { return AllOf(Not(HasSubstr("pr1v4te")), Not(HasSubstr("cHIxdjR0Z"))); };
  EXPECT_EQ(Do({"plan", "-f", "-"}, routes("pr1v4te")), kDone) << err;
  EXPECT_THAT(out, AllOf(hidden(), HasSubstr("diego-ssh: <redacted>")));
  ASSERT_EQ(ApplyText(routes("pr1v4te")), kDone) << err;
  const std::vector<std::vector<std::string>> reads = {
      {"describe", "app", "shop"}, {"describe", "app", "shop", "-o", "json"}, {"describe", "app", "shop", "-o", "yaml"},
      {"get", "apps", "-o", "wide"}, {"get", "apps", "-o", "json"}, {"get", "apps", "-o", "yaml"},
      {"events"}, {"events", "-o", "json"}, {"admin", "audit", "-o", "wide"}, {"admin", "audit", "-o", "json"},
      {"scale", "shop", "1", "-o", "json"}};
  for (const auto& words : reads) {
    EXPECT_EQ(Do(words), kDone) << words[0] << err;
    EXPECT_THAT(out, hidden()) << words[0] << " " << words[1];
  }
  EXPECT_EQ(ApplyText(routes("pr1v4te2"), {"--dry-run"}), kDone) << err;
  EXPECT_EQ(out, "  routes.diego-ssh another value, which is not shown\napp shop would be updated\n");
  for (const std::string output : {"json", "yaml"}) {
    EXPECT_EQ(ApplyText(routes("pr1v4te2"), {"--dry-run", "-o", output}), kDone) << err;
    EXPECT_THAT(out, hidden());
  }
  EXPECT_EQ(ApplyText(routes("pr1v4te2")), kDone) << err;
  EXPECT_THAT(out, ::testing::StartsWith("  routes.diego-ssh another value, which is not shown\napp shop updated"));
  EXPECT_EQ(ApplyText(Replaced(routes("x"), "{private_key: x}", "null")), kDone) << err;
  EXPECT_THAT(out, HasSubstr("app shop unchanged"));
  EXPECT_EQ(ApplyText(Replaced(routes("x"), "  diego-ssh: {private_key: x}\n", "")), kDone) << err;
  EXPECT_THAT(out, HasSubstr("  routes.diego-ssh <redacted> -> (gone)\n"));
}

TEST_F(ApplyProgram, ADryRunOfANewAppIsCheckedAndMakesNone) {
  EXPECT_EQ(ApplyText(App("v1"), {"--dry-run"}), kDone) << err;
  EXPECT_EQ(out, "app shop would be created\n");
  EXPECT_EQ(ApplyText(App("v1", "instances: -1\n"), {"--dry-run"}), kFailed);
  EXPECT_THAT(err, HasSubstr("instances is -1"));
  EXPECT_EQ(Do({"get", "apps", "shop"}), kFailed);
}

TEST_F(ApplyProgram, ZerosAndEmptyListsArePrinted) {
  EXPECT_EQ(Do({"get", "apps", "-o", "json"}), kDone) << err;
  EXPECT_EQ(json::parse(out)["desired_lrps"], json::array());
  RunVersion1();
  EXPECT_EQ(Do({"get", "instances", "-o", "json"}), kDone) << err;
  const json instance = json::parse(out)["actual_lrps"][0];
  EXPECT_EQ(instance["index"], 0);
  EXPECT_EQ(instance["crash_count"], 0);
  EXPECT_EQ(Do({"describe", "instance", "shop/0", "-o", "yaml"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("index: 0\n"));
  EXPECT_EQ(Do({"get", "rolls", "-o", "yaml"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("rolls: []\n"));
  ASSERT_EQ(Do({"scale", "shop", "0"}), kDone) << err;
  EXPECT_EQ(Do({"describe", "app", "shop", "-o", "json"}), kDone) << err;
  EXPECT_EQ(json::parse(out)["instances"], 0);
  EXPECT_EQ(Do({"describe", "app", "shop"}), kDone) << err;
  EXPECT_THAT(out, AllOf(::testing::ContainsRegex("Instances: +0 wanted"), HasSubstr("placement_tags: []")));
  EXPECT_EQ(Do({"describe", "cell", "cell-1"}), kDone) << err;
  EXPECT_THAT(out, AllOf(::testing::ContainsRegex("Losses: +0"), ::testing::ContainsRegex("Placement tags: +none")));
}

TEST_F(ApplyProgram, RoutesAreShownAsPeopleWriteThem) {
  ASSERT_EQ(ApplyText(App("v1", "routes: [{hostname: shop.example, port: 8080}]\n")), kDone) << err;
  const json routes = json::parse(R"([{"hostnames": ["shop.example"], "port": 8080}])");
  EXPECT_EQ(Do({"describe", "app", "shop", "-o", "json"}), kDone) << err;
  EXPECT_EQ(json::parse(out)["routes"], routes);
  EXPECT_EQ(Do({"get", "apps", "-o", "json"}), kDone) << err;
  EXPECT_EQ(json::parse(out)["desired_lrps"][0]["routes"], routes);
  EXPECT_THAT(Described(), HasSubstr("routes:\n  - hostnames:\n      - shop.example\n    port: 8080\n"));
}

// --dry-run said "unchanged" where only a flag asked for something.
TEST_F(ApplyProgram, ADryRunSaysWhatItsFlagsWouldDo) {
  const auto file = [](const std::string& version) {
    return App(version, "instances: 1\nroutes: [{hostname: shop.example, port: 8080}]\n");
  };
  ASSERT_EQ(ApplyText(file("v1")), kDone) << err;
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  EXPECT_EQ(ApplyText(file("v1"), {"--dry-run", "--retry"}), kDone) << err;
  EXPECT_EQ(out, "app shop unchanged; --retry: no roll to this definition is held or has failed\n");
  EXPECT_EQ(ApplyText(file("v1"), {"--dry-run", "--port-alias", "80=8080"}), kDone) << err;
  EXPECT_EQ(out, "  port_aliases.80 (not there) -> 8080\napp shop would be updated\n");
  ASSERT_EQ(ApplyText(file("v1"), {"--port-alias", "80=8080"}), kDone) << err;
  EXPECT_EQ(out, "  port_aliases.80 (not there) -> 8080\napp shop updated\n");
  EXPECT_EQ(ApplyText(file("v1"), {"--dry-run", "--port-alias", "80=8080"}), kDone) << err;
  EXPECT_EQ(out, "app shop unchanged; --port-alias: the routes lead there already\n");
}

TEST_F(ApplyProgram, ADryRunSaysThatAHeldRollWouldGoOn) {
  const auto file = [](const std::string& version) {
    return Replaced(App(version, "instances: 1\n"), "{min_healthy_time: 0s}",
                    "{min_healthy_time: 0s, on_failure: HOLD, max_failures: 1}");
  };
  ASSERT_EQ(ApplyText(file("v1")), kDone) << err;
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  ASSERT_EQ(ApplyText(file("v2")), kDone) << err;
  const std::string id = cell->NextRun().actual_id();
  cell->Report(ScriptedCell::Claimed(id));
  cell->Report(ScriptedCell::Crashed(id));
  ASSERT_TRUE(StateBecomes("HELD")) << out;
  const std::string held = "app shop unchanged, roll " + Stored().roll_id() + " is held: ";
  const std::string unblocks = "; unblocked by: baton rollout retry shop, or baton rollout undo shop\n";
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--dry-run"}, {}}) {
    EXPECT_EQ(ApplyText(Described(), more), kDone) << err;
    EXPECT_THAT(out, AllOf(::testing::StartsWith(held), ::testing::EndsWith(unblocks))) << "it was said to go on";
  }
  EXPECT_EQ(ApplyText(file("v2"), {"--dry-run", "--retry"}), kDone) << err;
  EXPECT_EQ(out, "  roll.state HELD -> ROLLING\napp shop would be updated\n");
  EXPECT_EQ(ApplyText(file("v2"), {"--retry"}), kDone) << err;
  EXPECT_THAT(out, ::testing::StartsWith("  roll.state HELD -> ROLLING\napp shop updated, roll "));
}

// Its rows could not be read, so that the plan failed, and with it the one command that could have mended it.
class AppThatCannotBeRead : public ApplyProgram {
 protected:
  void Break(const std::string& column) {
    const auto session = OpenSession(service.url());
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      return s.RunScript("UPDATE " + column + " = '\\x00' WHERE process_guid = 'shop'"), true;
    });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  static std::string Whole(const std::string& more = "") { return App("v1", "instances: 1\n" + more); }
};

TEST_F(AppThatCannotBeRead, IsReplacedByAFileThatGivesEverything) {
  ASSERT_EQ(ApplyText(Whole("annotation: a\n")), kDone) << err;
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  for (const std::string column : {"desired_lrps SET strategy", "desired_lrps SET routes", "desired_lrps SET credentials",
                                   "desired_lrps SET metric_tags"}) {
    Break(column);
    EXPECT_EQ(ApplyText(Whole("annotation: b\n"), {"--dry-run"}), kDone) << column << err;
    EXPECT_THAT(out, AllOf(::testing::StartsWith("  what is stored cannot be compared: "),
                           ::testing::EndsWith("\napp shop would be replaced\n")));
    EXPECT_EQ(ApplyText(Whole("annotation: b\n")), kDone) << column << err;
    EXPECT_THAT(
        out, AllOf(::testing::StartsWith("  what is stored cannot be compared: "), HasSubstr("\napp shop replaced")));
    EXPECT_EQ(Stored().annotation(), "b") << column;
    EXPECT_EQ(ApplyText(Whole("annotation: b\n")), kDone) << err;
    EXPECT_THAT(out, HasSubstr("app shop unchanged"));
  }
}

TEST_F(AppThatCannotBeRead, IsReplacedWhereOnlyThePlanFailsAndItsSecretsAreKept) {
  ASSERT_EQ(ApplyText(Whole()), kDone) << err;
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  const std::string text = Described();
  Break("actual_lrps SET net_info");
  EXPECT_EQ(ApplyText(Replaced(text, "max_failures: 3", "max_failures: 5")), kDone) << err;
  EXPECT_THAT(out,
              AllOf(::testing::StartsWith("  what is stored cannot be compared: "), HasSubstr("\napp shop replaced")));
  EXPECT_EQ(Stored().definition().run_info().environment_variables(0).value(), "s3cr3t");
}

TEST_F(AppThatCannotBeRead, IsLeftAloneByAFileThatLeavesSomethingToIt) {
  ASSERT_EQ(ApplyText(Whole()), kDone) << err;
  const std::string text = Described();
  Break("desired_lrps SET strategy");
  EXPECT_EQ(ApplyText(App("v1")), kFailed);
  EXPECT_THAT(err, AllOf(HasSubstr("app shop: what is stored cannot be compared ("), HasSubstr("instances and secrets too")));
  EXPECT_EQ(ApplyText(Whole(), {"--retry"}), kFailed);
  EXPECT_EQ(ApplyText(App("v1"), {"--dry-run"}), kFailed);
  EXPECT_EQ(ApplyText(text), kUsage) << "its secrets are not known";
  EXPECT_THAT(err, HasSubstr("nothing is stored that could be kept: give it; what is stored cannot be read: "));
  EXPECT_EQ(Do({"plan", "-f", "-"}, Whole()), kFailed);
  EXPECT_EQ(ApplyText(Whole()), kDone) << err;
}

// Batond as it is; others may do something between two calls.
class Between final : public v2::DesiredLRPs::Service {
 public:
  explicit Between(RunningService& service) : apps_(*service.apps) {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address = "127.0.0.1:" + std::to_string(port);
  }
  grpc::Status GetDesiredLRP(grpc::ServerContext*, const v2::GetDesiredLRPRequest* request,
                             v2::GetDesiredLRPResponse* response) override {
    const grpc::Status status = apps_.GetDesiredLRP(Context().get(), *request, response);
    if (after_read) std::exchange(after_read, nullptr)();
    return status;
  }
  grpc::Status PlanUpdate(grpc::ServerContext*, const v2::PlanUpdateRequest* request,
                          v2::PlanUpdateResponse* response) override {
    return apps_.PlanUpdate(Context().get(), *request, response);
  }
  grpc::Status UpdateDesiredLRP(grpc::ServerContext*, const v2::UpdateDesiredLRPRequest* request,
                                v2::UpdateDesiredLRPResponse* response) override {
    return apps_.UpdateDesiredLRP(Context().get(), *request, response);
  }
  grpc::Status ReplaceDesiredLRP(grpc::ServerContext*, const v2::ReplaceDesiredLRPRequest* request,
                                 v2::UpdateDesiredLRPResponse* response) override {
    return apps_.ReplaceDesiredLRP(Context().get(), *request, response);
  }

  std::string address;
  std::function<void()> after_read;

 private:
  v2::DesiredLRPs::Stub& apps_;
  std::unique_ptr<grpc::Server> server_;
};

// Who was faster lost a password: the file was completed from what was stored before.
TEST_F(ApplyProgram, ASecretThatOthersChangeMeanwhileIsKept) {
  const std::string head = "image_username: u\nimage_password: ";
  ASSERT_EQ(ApplyText(App("v1", "instances: 1\n" + head + "old\n")), kDone) << err;
  for (const std::string instances : {"instances: 1\n", ""}) {  // ReplaceDesiredLRP and UpdateDesiredLRP
    const std::string fresh = "new" + std::to_string(instances.size());
    Between between(service);
    between.after_read = [&] {
      v2::UpdateDesiredLRPRequest request;
      request.set_process_guid("shop");
      request.mutable_update()->set_image_username("u");
      request.mutable_update()->set_image_password(fresh);
      EXPECT_TRUE(service.Update(request).ok());
    };
    const std::string text = App("v1", instances + head + "null\nannotation: " + fresh + "\n");
    std::istringstream input(text);
    std::ostringstream said;
    Io io{input, said, said, nullptr, Now};
    EXPECT_EQ(cli::Run({"--batond", between.address, "apply", "-f", "-"}, io), kDone) << said.str();
    EXPECT_EQ(Stored().annotation(), fresh);
    EXPECT_EQ(Stored().image_password(), fresh) << instances;
  }
}

}  // namespace
}  // namespace baton::cli
