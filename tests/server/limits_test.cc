// Every limit that the .proto files state is held, in each form of request that it stands in; made from the
// descriptors.
#include <gmock/gmock.h>
#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <set>

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/wire/limits/cross_rules.h"
#include "orchestrator/wire/limits/field_limits.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/stored/stored.h"
#include "tests/server/broken_limits.h"

namespace baton {
namespace {

using google::protobuf::Message;
using ::testing::HasSubstr;

template <class T>
Status StatusOf(const Result<T>& result) {
  return result ? Status(Done{}) : Status(result.error());
}

// As the call takes it: by what makes a use case's request of it, where there is one.
Status Taken(const Message& request) {
  if (const auto* m = dynamic_cast<const v2::DesireLRPRequest*>(&request)) return StatusOf(DesireFrom(*m));
  if (const auto* m = dynamic_cast<const v2::UpdateDesiredLRPRequest*>(&request)) return StatusOf(UpdateFrom(*m));
  if (const auto* m = dynamic_cast<const v2::ReplaceDesiredLRPRequest*>(&request)) return StatusOf(ReplaceFrom(*m));
  return wire::CheckLimits(request);
}

TEST(Limits, WhatIsWithinThemIsTaken) {
  for (const auto* type : wire::RequestTypes()) {
    const auto request = ValidRequest(*type);
    const Status status = Taken(*request);
    EXPECT_TRUE(status.ok()) << type->name() << ": " << (status.ok() ? "" : status.error().message) << "\n"
                             << request->DebugString();
  }
}

TEST(Limits, EachThatIsBrokenIsRefusedByName) {
  std::set<std::string> limits;
  int violations = 0;
  int accepted = 0;
  for (const auto* type : wire::RequestTypes()) {
    for (const BrokenLimit& broken : BreakAll(*type)) {
      SCOPED_TRACE(type->name() + " " + broken.field + " " + broken.limit);
      limits.insert(broken.field + " " + broken.limit);
      ++violations;
      const Status status = Taken(*broken.request);
      if (status.ok()) {
        ++accepted;
        ADD_FAILURE() << "was accepted: " << broken.request->ShortDebugString().substr(0, 500);
        continue;
      }
      EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument);
      EXPECT_THAT(status.error().message, HasSubstr(broken.field.substr(broken.field.rfind('.') + 1)));
    }
  }
  std::printf("limits: %zu limits, %d violations, %d accepted\n", limits.size(), violations, accepted);
  EXPECT_GT(limits.size(), 150u);
}

v2::DesireLRPRequest App() {
  v2::DesireLRPRequest request;
  v2::DesiredLRP& app = *request.mutable_desired_lrp();
  app.set_process_guid("a");
  app.set_domain("d");
  app.mutable_definition()->mutable_resource()->set_root_fs("host:");
  app.mutable_definition()->mutable_run_info()->mutable_action()->mutable_run_action()->set_path("/bin/true");
  app.mutable_definition()->mutable_run_info()->add_ports(8080);
  return request;
}

struct BrokenRule {
  const char* rule;
  std::unique_ptr<Message> request;
};

std::unique_ptr<Message> Desire(const std::function<void(v2::DesiredLRP&)>& spoil) {
  auto request = std::make_unique<v2::DesireLRPRequest>(App());
  spoil(*request->mutable_desired_lrp());
  return request;
}

std::unique_ptr<Message> OfRun(const std::function<void(v1::DesiredLRPRunInfo&)>& spoil) {
  return Desire([&](v2::DesiredLRP& app) { spoil(*app.mutable_definition()->mutable_run_info()); });
}

std::unique_ptr<Message> Update(const std::function<void(v2::UpdateDesiredLRPRequest&)>& spoil) {
  auto request = std::make_unique<v2::UpdateDesiredLRPRequest>();
  request->set_process_guid("a");
  spoil(*request);
  return request;
}

std::unique_ptr<Message> Rule(const std::function<void(v1::SecurityGroupRule&)>& spoil) {
  return OfRun([&](v1::DesiredLRPRunInfo& run) {
    v1::SecurityGroupRule& rule = *run.add_egress_rules();
    rule.set_protocol("tcp");
    rule.add_destinations("10.0.0.1");
    spoil(rule);
  });
}

v1::ImageLayer& AddLayer(v1::DesiredLRPRunInfo& run) {
  v1::ImageLayer& layer = *run.add_image_layers();
  layer.set_url("https://blobs.example/l");
  layer.set_destination_path("/l");
  layer.set_layer_type(v1::ImageLayer::EXCLUSIVE);
  layer.set_media_type(v1::ImageLayer::TGZ);
  return layer;
}

void BreakRun(std::vector<BrokenRule>& all) {
  all.push_back({"download.checksum", OfRun([](auto& run) {
                   auto& download = *run.mutable_setup()->mutable_download_action();
                   download.set_from("f");
                   download.set_to("t");
                   download.set_checksum_value("00");
                 })});
  all.push_back({"dependency.checksum", OfRun([](auto& run) {
                   auto& dependency = *run.add_cached_dependencies();
                   dependency.set_from("f");
                   dependency.set_to("t");
                   dependency.set_checksum_algorithm("md5");
                 })});
  all.push_back({"timeout.nothing", OfRun([](auto& run) {
                   *run.mutable_setup()->mutable_timeout_action()->mutable_action() = run.action();
                 })});
  all.push_back({"port_range.reversed", Rule([](auto& rule) {
                   rule.mutable_port_range()->set_start(9);
                   rule.mutable_port_range()->set_end(3);
                 })});
  all.push_back({"egress.ports", Rule([](auto&) {})});
  all.push_back({"egress.ports", Rule([](auto& rule) {
                   rule.add_ports(1);
                   rule.mutable_port_range()->set_start(1);
                   rule.mutable_port_range()->set_end(3);
                 })});
  all.push_back({"egress.ports", Rule([](auto& rule) {
                   rule.set_protocol("all");
                   rule.add_ports(1);
                 })});
  all.push_back({"egress.icmp", Rule([](auto& rule) { rule.set_protocol("icmp"); })});
  all.push_back({"egress.icmp", Rule([](auto& rule) {
                   rule.add_ports(1);
                   rule.mutable_icmp_info();
                 })});
  all.push_back({"layer.digest", OfRun([](auto& run) { AddLayer(run); })});
  all.push_back({"layer.digest", OfRun([](auto& run) { AddLayer(run).set_digest_value("00"); })});
  all.push_back({"run_info.file_below_file", OfRun([](auto& run) {
                   run.add_volume_mounted_files()->set_path("/redis//./username");
                   run.mutable_action()->mutable_run_action()->add_volume_mounted_files()->set_path("redis");
                 })});
  all.push_back({"run_info.check_ports", OfRun([](auto& run) {
                   run.mutable_check_definition()->add_checks()->mutable_tcp_check()->set_port(5432);
                 })});
  all.push_back({"run_info.check_ports", OfRun([](auto& run) {
                   run.mutable_check_definition()->add_checks()->mutable_tcp_check()->set_port(8080);
                   run.mutable_check_definition()->add_readiness_checks()->mutable_http_check()->set_port(22);
                 })});
  all.push_back({"volume.device", OfRun([](auto& run) {
                   auto& mount = *run.add_volume_mounts();
                   mount.set_driver("nfs");
                   mount.set_container_dir("/v");
                   mount.set_mode("rw");
                 })});
}

void BreakApp(std::vector<BrokenRule>& all) {
  all.push_back({"stage.until",
                 Desire([](auto& app) { app.mutable_strategy()->add_stages()->mutable_instances()->set_count(1); })});
  all.push_back({"app.credentials", Desire([](auto& app) { app.set_image_username("me"); })});
  all.push_back({"app.metrics_guid", Desire([](auto& app) {
                   app.mutable_definition()->mutable_run_info()->set_metrics_guid("one");
                   (*app.mutable_metric_tags())["source_id"].set_static_("other");
                 })});
  const auto route = [](auto& app) {
    (*app.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.example"],"port":9999}])";
  };
  all.push_back({"desire.route_ports", Desire(route)});
  auto plan = std::make_unique<v2::PlanUpdateRequest>();
  plan->set_process_guid("a");
  *plan->mutable_create() = App().desired_lrp();
  route(*plan->mutable_create());
  all.push_back({"plan.route_ports", std::move(plan)});
}

void BreakUpdate(std::vector<BrokenRule>& all) {
  all.push_back({"update.credentials", Update([](auto& m) { m.mutable_update()->set_image_password("p"); })});
  all.push_back({"app.credentials",
                 Update([](auto& m) { m.mutable_update()->mutable_desired_lrp()->set_image_username("me"); })});
  all.push_back(
      {"update.guid", Update([](auto& m) { m.mutable_update()->mutable_desired_lrp()->set_process_guid("b"); })});
  all.push_back({"update.instances", Update([](auto& m) {
                   m.mutable_update()->set_instances(1);
                   m.mutable_update()->mutable_desired_lrp()->set_instances(2);
                 })});
  all.push_back({"update.identifier", Update([](auto& m) {
                   auto& definition = *m.mutable_update()->mutable_desired_lrp()->mutable_definition();
                   definition = App().desired_lrp().definition();
                   definition.set_definition_identifier("v1");
                   m.mutable_update()->set_update_identifier("v2");
                 })});
  all.push_back({"update.unnamed", Update([](auto& m) { m.mutable_update()->set_update_identifier("v2"); })});
}

TEST(Limits, EachRuleBetweenFieldsIsHeld) {
  std::vector<BrokenRule> all;
  BreakRun(all);
  BreakApp(all);
  BreakUpdate(all);
  std::set<std::string> broken;
  for (const BrokenRule& one : all) {
    SCOPED_TRACE(one.rule);
    broken.insert(one.rule);
    const Status status = Taken(*one.request);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument);
  }
  for (const wire::CrossRule& rule : wire::CrossRules()) EXPECT_TRUE(broken.contains(rule.name)) << rule.name;
}

TEST(Limits, WhatThisVersionDoesNotKnowIsRefused) {
  v2::DesireLRPRequest request = App();
  auto& run = *request.mutable_desired_lrp()->mutable_definition()->mutable_run_info();
  run.GetReflection()->MutableUnknownFields(&run)->AddVarint(4711, 1);
  EXPECT_THAT(DesireFrom(request).error().message,
              HasSubstr("desired_lrp.definition.run_info has field number 4711, which this batond does not know"));
  request = App();
  (*request.mutable_desired_lrp()->mutable_metric_tags())["t"].set_dynamic(
      static_cast<v1::MetricTagValue::DynamicValue>(9));
  EXPECT_THAT(DesireFrom(request).error().message, HasSubstr("desired_lrp.metric_tags['t'].dynamic is 9"));
}

// What is no name may be a secret in the wrong place, or a terminal's control characters.
TEST(Limits, WhatIsNoNameIsNotInTheRefusal) {
  const std::string canary = "CANARYzz=x y\x1b[31m";
  const auto refusal = [](const v2::DesireLRPRequest& request) {
    const auto refused = DesireFrom(request);
    EXPECT_FALSE(refused);
    return refused ? std::string() : refused.error().message;
  };
  v2::DesireLRPRequest request = App();
  request.mutable_desired_lrp()->set_process_guid(canary);
  EXPECT_EQ(refusal(request), "desired_lrp.process_guid is not what it may be; it takes 1 to 255 of [A-Za-z0-9._:-]");
  request = App();
  request.mutable_desired_lrp()->mutable_definition()->set_definition_identifier(canary);
  EXPECT_THAT(refusal(request), HasSubstr("definition_identifier is not what it may be; it takes 1 to 255 of"));
  request = App();
  (*request.mutable_desired_lrp()->mutable_routes()->mutable_routes())[canary] = "[]";
  EXPECT_THAT(refusal(request), HasSubstr("desired_lrp.routes.routes[0]: a key is not what it may be; it takes 1 to 255 of"));
  request = App();
  (*request.mutable_desired_lrp()->mutable_metric_tags())[canary].set_dynamic(static_cast<v1::MetricTagValue::DynamicValue>(9));
  EXPECT_THAT(refusal(request), HasSubstr("desired_lrp.metric_tags[a key].dynamic is 9"));
  EXPECT_EQ(wire::CheckName("domain", canary).error().message, "domain is not what it may be; it takes only [A-Za-z0-9._:-]");
  EXPECT_EQ(wire::Shown(canary), "(no name, 17 bytes)");
  EXPECT_EQ(wire::Shown("/baton.v2.Rolls/Get"), "'/baton.v2.Rolls/Get'");
}

TEST(Limits, ASecretIsNotInTheRefusal) {
  v2::DesireLRPRequest request = App();
  v2::Stage& stage = *request.mutable_desired_lrp()->mutable_strategy()->add_stages();
  stage.mutable_instances()->set_count(1);
  stage.mutable_verdict()->set_url("ftp://me:s3cr3t@judge.example");
  const std::string message = DesireFrom(request).error().message;
  EXPECT_THAT(
      message,
      HasSubstr("desired_lrp.strategy.stages[0].verdict.url is not what it may be; it takes http:// or https://"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("s3cr3t")));
}

// A secret in the wrong place: in a variable's name, in what a router is told, in the address of an image.
TEST(Limits, WhatStandsInAFieldOfAnAppIsNotInTheRefusal) {
  const auto refusal = [](const std::function<void(v2::DesiredLRP&)>& spoil) {
    v2::DesireLRPRequest request = App();
    spoil(*request.mutable_desired_lrp());
    const auto refused = DesireFrom(request);
    EXPECT_FALSE(refused);
    return refused ? std::string() : refused.error().message;
  };
  const auto routes = [](const std::string& json) {
    return [json](v2::DesiredLRP& app) { (*app.mutable_routes()->mutable_routes())["cf-router"] = json; };
  };
  const std::vector<std::pair<std::string, std::string>> all = {
      {refusal([](v2::DesiredLRP& app) {
         app.mutable_definition()->mutable_run_info()->add_environment_variables()->set_name("TOKEN=s3cr3t");
       }),
       "environment_variables[0].name is not what it may be"},
      {refusal([](v2::DesiredLRP& app) {
         app.mutable_definition()->mutable_run_info()->add_volume_mounted_files()->set_path("../s3cr3t");
       }),
       "volume_mounted_files[0].path is not what it may be"},
      {refusal([](v2::DesiredLRP& app) { app.mutable_definition()->mutable_resource()->set_root_fs("s3cr3t"); }),
       "root_fs is not what it may be"},
      {refusal(routes("{s3cr3t")), "routes.cf-router is not a JSON list"},
      {refusal(routes(R"([{"hostnames":["me:s3cr3t@host"],"port":8080}])")), "hostnames[0] is no host name"},
      {refusal(routes(R"([{"hostnames":["host/?s3cr3t"],"port":8080}])")), "hostnames[0] has a path that no request has"},
  };
  for (const auto& [message, says] : all) {
    EXPECT_THAT(message, HasSubstr(says));
    EXPECT_THAT(message, ::testing::Not(HasSubstr("s3cr3t")));
  }
}

TEST(Limits, PathsOfMountedFilesAreBelowTheirFolderAsInDiego) {
  const auto taken = [](const std::string& path) {
    v2::DesireLRPRequest request = App();
    request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_volume_mounted_files()->set_path(path);
    return DesireFrom(request).ok();
  };
  EXPECT_TRUE(taken("/redis/username"));  // Diego's own example
  EXPECT_TRUE(taken("redis/..username"));
  EXPECT_TRUE(taken("./redis/./username"));
  for (const char* path : {"", "/", "//", "/redis/", ".", "./.", "redis/.", "..", "/../up", "a/../b"}) EXPECT_FALSE(taken(path)) << path;
}

TEST(Limits, DestinationsAreAddressesRangesAndSubnets) {
  const auto taken = [](const std::string& destination) {
    v2::DesireLRPRequest request = App();
    auto& rule = *request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_egress_rules();
    rule.set_protocol("all");
    rule.add_destinations(destination);
    return DesireFrom(request).ok();
  };
  for (const char* good :
       {"1.2.3.4", "1.2.3.4-2.3.4.5", "1.2.3.0/24", "0.0.0.0/0", "::1", "fd00::/8", "1.2.3.4,5.6.7.8/32"}) {
    EXPECT_TRUE(taken(good)) << good;
  }
  for (const char* bad :
       {"example.org", "1.2.3.4-", "2.3.4.5-1.2.3.4", "1.2.3.0/33", "1.2.3.0/", "1.2.3.4,", "::1-1.2.3.4"}) {
    EXPECT_FALSE(taken(bad)) << bad;
  }
}

// A limit that is tightened must not make an app unreadable that was stored before.
TEST(Limits, AStoredStrategyIsReadWhateverARequestMaySay) {
  v2::Strategy stored;
  stored.mutable_max_surge()->set_percent(5000);
  stored.mutable_max_in_flight()->set_count(0);
  stored.set_min_healthy_time_ms(std::numeric_limits<std::int64_t>::max());
  stored.set_max_failures(-1);
  stored.set_on_failure(static_cast<v2::Strategy::OnFailure>(77));
  stored.add_stages()->mutable_verdict()->set_url("ftp://x");
  const auto strategy = wire::DecodeStrategy(stored.SerializeAsString());
  ASSERT_TRUE(strategy.ok());
  EXPECT_EQ(strategy->max_surge, (IntOrPercent{5000, true}));
  EXPECT_EQ(strategy->max_failures, 1);
  EXPECT_EQ(strategy->on_failure, OnFailure::kRollback);
  EXPECT_GT(TimePoint(seconds(2'000'000'000)) + strategy->min_healthy_time, TimePoint(seconds(2'000'000'000)));
  EXPECT_EQ(strategy->stages.size(), 1u);
}

}  // namespace
}  // namespace baton
