// What must not be taken, over the wire: the right status, a sentence that names field, value and limit, and nothing
// half done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "tests/schema/pg_tools.h"
#include "tests/server/broken_limits.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::HasSubstr;
using baton::testing::Psql;

class BadInput : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
  }
  static void TearDownTestSuite() { delete service; }

  bool Known(const std::string& guid) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(guid);
    v2::GetDesiredLRPResponse response;
    return service->apps->GetDesiredLRP(Context().get(), request, &response).ok();
  }

  static RunningService* service;
};
RunningService* BadInput::service = nullptr;

struct Case {
  const char* name;
  std::function<void(v2::DesireLRPRequest&)> spoil;
  StatusCode code;
  std::vector<std::string> says;
};

v1::Action* Nested(v1::Action* action, int depth) {
  for (int i = 1; i < depth; ++i) action = action->mutable_try_action()->mutable_action();
  return action;
}

constexpr auto kInvalid = StatusCode::INVALID_ARGUMENT;

std::vector<Case> OfTheApp() {
  const auto guid = [](std::string value) {
    return [value](v2::DesireLRPRequest& r) { r.mutable_desired_lrp()->set_process_guid(value); };
  };
  const auto app = [](auto change) { return [change](v2::DesireLRPRequest& r) { change(*r.mutable_desired_lrp()); }; };
  return {
      {"empty guid", guid(""), kInvalid, {"process_guid", "empty", "255"}},
      {"NUL in the guid", guid(std::string("a\0b", 3)), kInvalid, {"process_guid", "NUL"}},
      {"control character in the guid", guid("a\nb"), kInvalid, {"process_guid", "[A-Za-z0-9._:-]"}},
      {"blank in the guid", guid("a b"), kInvalid, {"process_guid", "is not what it may be"}},
      {"long guid", guid(std::string(256, 'a')), kInvalid, {"process_guid", "256", "255"}},
      {"no domain", app([](auto& a) { a.clear_domain(); }), kInvalid, {"domain", "empty"}},
      {"NUL in the annotation",
       app([](auto& a) { a.set_annotation(std::string("x\0y", 3)); }),
       kInvalid,
       {"annotation", "NUL"}},
      {"long annotation",
       app([](auto& a) { a.set_annotation(std::string(10241, 'a')); }),
       kInvalid,
       {"annotation", "10241", "10240"}},
      {"negative instances", app([](auto& a) { a.set_instances(-1); }), kInvalid, {"instances", "-1", "100000"}},
      {"absurd instances", app([](auto& a) { a.set_instances(100001); }), kInvalid, {"instances", "100001", "100000"}},
      {"no surge and nothing unavailable",
       app([](auto& a) {
         a.mutable_strategy()->mutable_max_surge()->set_count(0);
         a.mutable_strategy()->mutable_max_unavailable()->set_count(0);
       }),
       kInvalid,
       {"max_surge", "max_unavailable", "both 0"}},
      {"negative surge",
       app([](auto& a) { a.mutable_strategy()->mutable_max_surge()->set_count(-3); }),
       kInvalid,
       {"max_surge", "-3"}},
      {"stages",
       app([](auto& a) { a.mutable_strategy()->add_stages(); }),
       StatusCode::INVALID_ARGUMENT,
       {"desired_lrp.strategy.stages[0].instances is missing"}},
      {"half of the credentials",
       app([](auto& a) { a.set_image_username("me"); }),
       kInvalid,
       {"image_username", "image_password"}},
      {"odd idempotency key",
       [](v2::DesireLRPRequest& r) { r.set_idempotency_key("a\tb"); },
       kInvalid,
       {"idempotency_key"}},
  };
}

std::vector<Case> OfItsRoutes() {
  const auto app = [](auto change) { return [change](v2::DesireLRPRequest& r) { change(*r.mutable_desired_lrp()); }; };
  return {
      {"routes that are no JSON",
       app([](auto& a) { (*a.mutable_routes()->mutable_routes())["cf-router"] = "{nope"; }),
       kInvalid,
       {"cf-router"}},
      {"a host name that the router would refuse",
       app([](auto& a) {
         (*a.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a*.example"],"port":8080}])";
       }),
       kInvalid,
       {"routes.cf-router[0].hostnames[0]", "is no host name", "*."}},
      {"a path that the router would refuse",
       app([](auto& a) {
         (*a.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.example/b/../c"],"port":8080}])";
       }),
       kInvalid,
       {"routes.cf-router[0].hostnames[0]", "has a path that no request has"}},
      {"a route with two ports",
       app([](auto& a) {
         (*a.mutable_routes()->mutable_routes())["cf-router"] =
             R"([{"hostnames":["a.example"],"port":8080},{"hostnames":["a.example"],"port":8081}])";
       }),
       kInvalid,
       {"a.example", "8080", "8081"}},
      {"a TCP route without a container port",
       app([](auto& a) { (*a.mutable_routes()->mutable_routes())["tcp-router"] = R"([{"external_port":1024}])"; }),
       kInvalid,
       {"routes.tcp-router[0].container_port"}},
      {"a route to a port that is not there",
       app([](auto& a) {
         (*a.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.example"],"port":9999}])";
       }),
       kInvalid,
       {"a.example", "9999", "none of definition.run_info.ports"}},
  };
}

std::vector<Case> OfItsDefinition() {
  const auto app = [](auto change) { return [change](v2::DesireLRPRequest& r) { change(*r.mutable_desired_lrp()); }; };
  return {
      {"nothing to run", app([](auto& a) { a.clear_definition(); }), kInvalid, {"desired_lrp.definition is missing"}},
      {"no action",
       app([](auto& a) { a.mutable_definition()->mutable_run_info()->clear_action(); }),
       kInvalid,
       {"action", "missing"}},
      {"no root_fs",
       app([](auto& a) { a.mutable_definition()->mutable_resource()->clear_root_fs(); }),
       kInvalid,
       {"root_fs"}},
      {"negative memory",
       app([](auto& a) { a.mutable_definition()->mutable_resource()->set_memory_mb(-5); }),
       kInvalid,
       {"memory_mb", "-5"}},
      {"port 0",
       app([](auto& a) { a.mutable_definition()->mutable_run_info()->add_ports(0); }),
       kInvalid,
       {"ports", "0", "65535"}},
      {"odd definition name",
       app([](auto& a) { a.mutable_definition()->set_definition_identifier("v 1"); }),
       kInvalid,
       {"definition_identifier", "is not what it may be"}},
      {"actions nested too deep",
       app([](auto& a) {
         auto* action = a.mutable_definition()->mutable_run_info()->mutable_action();
         const v1::Action leaf = *action;
         action->Clear();
         *Nested(action, 17) = leaf;
       }),
       kInvalid,
       {"action", "deeper than 16"}},
  };
}

std::vector<Case> Cases() {
  std::vector<Case> all = OfTheApp();
  std::ranges::move(OfItsRoutes(), std::back_inserter(all));
  std::ranges::move(OfItsDefinition(), std::back_inserter(all));
  return all;
}

TEST_F(BadInput, IsRefusedByNameAndNothingOfItIsStored) {
  int n = 0;
  for (const Case& one : Cases()) {
    SCOPED_TRACE(one.name);
    const std::string guid = "bad-" + std::to_string(++n);
    v2::DesireLRPRequest request = RunningService::SmallApp(guid);
    one.spoil(request);
    const grpc::Status status = service->Desire(request);
    EXPECT_EQ(status.error_code(), one.code) << status.error_message();
    for (const std::string& part : one.says) EXPECT_THAT(status.error_message(), HasSubstr(part));
    EXPECT_FALSE(Known(guid));
  }
}

// All of them over the wire; serving_law_test says which are there and counts them.
TEST_F(BadInput, EachLimitThatIsBrokenIsRefusedByTheCallItself) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("a")).ok());  // the name that the broken requests have
  int refused = 0;
  for (const BrokenLimit& broken : BreakAll(*v2::UpdateDesiredLRPRequest::descriptor())) {
    const grpc::Status status = service->Update(dynamic_cast<const v2::UpdateDesiredLRPRequest&>(*broken.request));
    EXPECT_EQ(status.error_code(), kInvalid) << broken.field << " " << broken.limit << ": " << status.error_message();
    ++refused;
  }
  for (const BrokenLimit& broken : BreakAll(*v2::PlanUpdateRequest::descriptor())) {
    v2::PlanUpdateResponse response;
    const auto& request = dynamic_cast<const v2::PlanUpdateRequest&>(*broken.request);
    const grpc::Status status = service->apps->PlanUpdate(Context().get(), request, &response);
    EXPECT_EQ(status.error_code(), kInvalid) << broken.field << " " << broken.limit << ": " << status.error_message();
    ++refused;
  }
  EXPECT_GT(refused, 200);
}

TEST_F(BadInput, AnAppKeepsItsDomainForLife) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("domestic")).ok());
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("domestic");
  update.mutable_update()->mutable_desired_lrp()->set_domain("test");
  update.mutable_update()->mutable_desired_lrp()->set_annotation("first");
  EXPECT_TRUE(service->Update(update).ok());
  update.mutable_update()->mutable_desired_lrp()->set_domain("another");
  const grpc::Status status = service->Update(update);
  EXPECT_EQ(status.error_code(), kInvalid);
  EXPECT_THAT(status.error_message(), HasSubstr("desired_lrp.domain is 'another', the app's is 'test'"));
}

// What was stored before a limit came can be read, scaled and removed; what carries it is refused by its name.
TEST_F(BadInput, WhatWasStoredBeforeALimitCameGoesOn) {
  v2::DesireLRPRequest request = RunningService::SmallApp("veteran");
  request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->set_cpu_weight(100);
  ASSERT_TRUE(service->Desire(request).ok());
  // Field 8 once more, and the last one counts: 1000, as it was taken until now.
  Psql(service->url(), R"(UPDATE definitions SET run_info = run_info || '\x40e807'::bytea WHERE process_guid = 'veteran')");
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("veteran");
  v2::GetDesiredLRPResponse got;
  ASSERT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().definition().run_info().cpu_weight(), 1000u);
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("veteran");
  update.mutable_update()->set_instances(2);
  EXPECT_TRUE(service->Update(update).ok());
  *update.mutable_update()->mutable_desired_lrp()->mutable_definition() = got.desired_lrp().definition();
  const grpc::Status status = service->Update(update);
  EXPECT_EQ(status.error_code(), kInvalid);
  EXPECT_THAT(status.error_message(), HasSubstr("run_info.cpu_weight is 1000; it takes 100 at most"));
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("veteran");
  v2::RemoveDesiredLRPResponse removed;
  EXPECT_TRUE(service->apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
}

TEST_F(BadInput, ByteStringsThatAreNoUtf8AreRefused) {
  v2::DesireLRPRequest request = RunningService::SmallApp("utf8");
  request.mutable_desired_lrp()->set_annotation("\xff\xfe");
  const grpc::Status status = service->Desire(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("not valid UTF-8"));
}

TEST_F(BadInput, AMessageOverTheLimitIsRefusedWithTheLimit) {
  v2::DesireLRPRequest request = RunningService::SmallApp("huge");
  request.mutable_desired_lrp()
      ->mutable_definition()
      ->mutable_run_info()
      ->mutable_action()
      ->mutable_run_action()
      ->set_path(std::string(5 << 20, 'x'));
  const grpc::Status status = service->Desire(request);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("4194304"));
}

TEST_F(BadInput, RunInfoOverItsLimitIsRefusedWithTheLimit) {
  v2::DesireLRPRequest request = RunningService::SmallApp("large");
  request.mutable_desired_lrp()
      ->mutable_definition()
      ->mutable_run_info()
      ->mutable_action()
      ->mutable_run_action()
      ->set_path(std::string((1 << 20) + 1, 'x'));
  const grpc::Status status = service->Desire(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("1048576"));
}

TEST_F(BadInput, AnUnknownAppIsNotFoundByEveryCallThatNamesOne) {
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("nobody");
  update.mutable_update()->set_instances(2);
  const grpc::Status updated = service->Update(update);
  EXPECT_EQ(updated.error_code(), StatusCode::NOT_FOUND);
  EXPECT_THAT(updated.error_message(), HasSubstr("nobody"));

  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("nobody");
  v2::RemoveDesiredLRPResponse removed;
  EXPECT_EQ(service->apps->RemoveDesiredLRP(Context().get(), remove, &removed).error_code(), StatusCode::NOT_FOUND);

  v2::ChangeRollRequest change;
  change.set_process_guid("nobody");
  v2::ChangeRollResponse changed;
  EXPECT_EQ(service->rolls->PauseRoll(Context().get(), change, &changed).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(service->rolls->CancelRoll(Context().get(), change, &changed).error_code(), StatusCode::NOT_FOUND);

  v2::RollBackRequest back;
  back.set_process_guid("nobody");
  v2::UpdateDesiredLRPResponse rolled;
  EXPECT_EQ(service->rolls->RollBack(Context().get(), back, &rolled).error_code(), StatusCode::NOT_FOUND);

  v2::GetRollRequest get;
  get.set_process_guid("nobody");
  v2::GetRollResponse got;
  EXPECT_EQ(service->rolls->GetRoll(Context().get(), get, &got).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(BadInput, AnIdentifierIsNeverUsedForOtherContent) {
  v2::DesireLRPRequest request = RunningService::SmallApp("twice");
  request.mutable_desired_lrp()->mutable_definition()->set_definition_identifier("v1");
  ASSERT_TRUE(service->Desire(request).ok());
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("twice");
  *update.mutable_update()->mutable_desired_lrp()->mutable_definition() = request.desired_lrp().definition();
  update.mutable_update()->mutable_desired_lrp()->mutable_definition()->mutable_resource()->set_memory_mb(17);
  const grpc::Status status = service->Update(update);
  EXPECT_EQ(status.error_code(), StatusCode::ALREADY_EXISTS);
  EXPECT_THAT(status.error_message(), HasSubstr("definition_identifier v1 names other content"));
}

TEST_F(BadInput, AStaleModificationTagIsAbortedAndChangesNothing) {
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("tagged"), &desired).ok());
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("tagged");
  update.mutable_update()->set_annotation("first");
  *update.mutable_update()->mutable_expected()->mutable_modification_tag() = desired.desired_lrp().modification_tag();
  ASSERT_TRUE(service->Update(update).ok());
  update.mutable_update()->set_annotation("second");  // with the tag from before the first
  const grpc::Status status = service->Update(update);
  EXPECT_EQ(status.error_code(), StatusCode::ABORTED);
  EXPECT_THAT(status.error_message(), HasSubstr("modification_tag"));
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("tagged");
  get.set_reveal_secrets(true);
  v2::GetDesiredLRPResponse got;
  ASSERT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().annotation(), "first");
}

TEST_F(BadInput, NestingThatProtobufItselfCannotReadIsRefusedToo) {
  v2::DesireLRPRequest request = RunningService::SmallApp("abyss");
  auto* action = request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->mutable_action();
  const v1::Action leaf = *action;
  action->Clear();
  *Nested(action, 200) = leaf;
  const grpc::Status status = service->Desire(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("nested deeper than 100"));
  EXPECT_FALSE(Known("abyss"));
  EXPECT_TRUE(service->Desire(RunningService::SmallApp("after-abyss")).ok());
}

}  // namespace
}  // namespace baton
