// A batond on data of schema 1.1, its callers of both APIs, and the commands of an operator.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "baton/v2/upgrades_service.grpc.pb.h"
#include "schema/layouts.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/running_service.h"

namespace baton {

// Of schema 1.1, and nothing in it.
inline std::string LegacyDatabase() {
  std::string url = FreshDatabase();
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted,
                                                        [](Session& s) { return MakeLegacyLayout(s), true; });
  EXPECT_TRUE(error.ok()) << error.detail;
  return url;
}

class OnlineBatond {
 public:
  explicit OnlineBatond(const std::string& url, bool online = true)
      : service(url, Options(online)), apps(v1::DesiredLRPs::NewStub(service.channel())),
        upgrades(v2::Upgrades::NewStub(service.channel())) {
    service.WaitForLead();
  }
  static batond::ServiceOptions Options(bool online) {
    batond::ServiceOptions options;
    options.upgrade_online = online;
    return options;
  }

  static v1::DesiredLRP App(const std::string& guid, int instances = 1) {
    v1::DesiredLRP app;
    app.set_process_guid(guid);
    app.set_domain("cf");
    app.set_log_guid("log-" + guid);
    app.set_root_fs("host:");
    app.set_instances(instances);
    app.set_memory_mb(8);
    app.mutable_action()->mutable_run_action()->set_path("/bin/true");
    app.mutable_action()->mutable_run_action()->set_user("me");
    (*app.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.example"],"port":8080}])";
    app.add_ports(8080);
    (*app.mutable_metric_tags())["source_id"].set_static_("guid");
    app.set_annotation("note");
    return app;
  }
  // What was wrong with it, or nothing.
  std::string Desire(const v1::DesiredLRP& app) {
    v1::DesireLRPRequest request;
    *request.mutable_desired_lrp() = app;
    v1::DesiredLRPLifecycleResponse response;
    return Said(apps->DesireLRP(Context().get(), request, &response), response);
  }
  std::string Annotate(const std::string& guid, const std::string& annotation) {
    v1::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    request.mutable_update()->set_annotation(annotation);
    return Update(request);
  }
  std::string Update(const v1::UpdateDesiredLRPRequest& request) {
    v1::DesiredLRPLifecycleResponse response;
    return Said(apps->UpdateDesiredLRP(Context().get(), request, &response), response);
  }
  std::string Remove(const std::string& guid) {
    v1::RemoveDesiredLRPRequest request;
    request.set_process_guid(guid);
    v1::DesiredLRPLifecycleResponse response;
    return Said(apps->RemoveDesiredLRP(Context().get(), request, &response), response);
  }
  v1::DesiredLRP Get(const std::string& guid) {
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(guid);
    v1::DesiredLRPResponse response;
    const grpc::Status status = apps->GetDesiredLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.desired_lrp();
  }

  struct Answer {
    grpc::Status status;
    v2::UpgradeResponse upgrade;
  };
  Answer Look() {
    Answer answer;
    answer.status = upgrades->GetUpgrade(Context().get(), {}, &answer.upgrade);
    return answer;
  }
  Answer Begin(int shards = 4, bool keep_old = true, const std::string& target = {}) {
    v2::BeginUpgradeRequest request;
    request.set_shards(shards);
    request.set_keep_old_in_sync(keep_old);
    request.set_target(target);
    Answer answer;
    answer.status = upgrades->BeginUpgrade(Context().get(), request, &answer.upgrade);
    return answer;
  }
  Answer RollBack() {
    Answer answer;
    answer.status = upgrades->RollBackUpgrade(Context().get(), {}, &answer.upgrade);
    return answer;
  }
  Answer Finish() {
    Answer answer;
    answer.status = upgrades->FinishUpgrade(Context().get(), {}, &answer.upgrade);
    return answer;
  }
  bool Becomes(const std::string& state) {
    return Eventually([&] { return Look().upgrade.state() == state; });
  }

  RunningService service;
  std::unique_ptr<v1::DesiredLRPs::Stub> apps;
  std::unique_ptr<v2::Upgrades::Stub> upgrades;

 private:
  static std::string Said(const grpc::Status& status, const v1::DesiredLRPLifecycleResponse& response) {
    if (!status.ok()) return "status " + std::to_string(status.error_code()) + ": " + status.error_message();
    return response.has_error() ? v1::Error::Type_Name(response.error().type()) + ": " + response.error().message() : "";
  }
};

}  // namespace baton
