// A batond, and a caller of baton.v1.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/server/running_service.h"

namespace baton {

class OldApi : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
    apps = v1::DesiredLRPs::NewStub(service->channel());
    lrps = v1::ActualLRPs::NewStub(service->channel());
    domains = v1::Domains::NewStub(service->channel());
    cells = v1::Cells::NewStub(service->channel());
    ping = v1::Ping::NewStub(service->channel());
  }
  static void TearDownTestSuite() {
    apps.reset();
    lrps.reset();
    domains.reset();
    cells.reset();
    ping.reset();
    delete service;
  }

  static v1::DesiredLRP App(const std::string& guid, int instances = 1) {
    v1::DesiredLRP app;
    app.set_process_guid(guid);
    app.set_domain("cf");
    app.set_log_guid("log-" + guid);
    app.set_root_fs("host:");
    app.set_instances(instances);
    app.set_memory_mb(8);
    app.set_cpu_weight(7);
    app.mutable_action()->mutable_run_action()->set_path("/bin/true");
    app.mutable_action()->mutable_run_action()->set_user("me");
    auto* variable = app.add_environment_variables();
    variable->set_name("TOKEN");
    variable->set_value("hunter2");
    app.set_image_username("puller");
    app.set_image_password("hunter3");
    (*app.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.example"],"port":8080}])";
    app.add_ports(8080);
    app.mutable_volume_mounts()->Add()->set_driver("nfs");
    app.mutable_volume_mounts(0)->set_container_dir("/data");
    app.mutable_volume_mounts(0)->set_mode("rw");
    app.mutable_volume_mounts(0)->mutable_shared()->set_volume_id("v");
    (*app.mutable_metric_tags())["source_id"].set_static_("guid");
    app.set_annotation("note");
    return app;
  }
  static v1::DesiredLRPLifecycleResponse Desire(const v1::DesiredLRP& app) {
    v1::DesireLRPRequest request;
    *request.mutable_desired_lrp() = app;
    v1::DesiredLRPLifecycleResponse response;
    const grpc::Status status = apps->DesireLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  static v1::DesiredLRPLifecycleResponse Update(const v1::UpdateDesiredLRPRequest& request) {
    v1::DesiredLRPLifecycleResponse response;
    const grpc::Status status = apps->UpdateDesiredLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  static v1::DesiredLRPResponse Get(const std::string& guid) {
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(guid);
    v1::DesiredLRPResponse response;
    const grpc::Status status = apps->GetDesiredLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  // All messages of a list as one.
  template <class Response, class Request, class Method>
  static Response List(Method method, const Request& request) {
    const auto context = Context();
    auto reader = (apps.get()->*method)(context.get(), request);
    return All<Response>(*reader);
  }
  template <class Response>
  static Response All(grpc::ClientReader<Response>& reader) {
    Response all, page;
    while (reader.Read(&page)) all.MergeFrom(page);
    const grpc::Status status = reader.Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
    return all;
  }
  template <class Request>
  static Request ByGuid(const std::string& guid) {
    Request request;
    request.add_process_guids(guid);
    return request;
  }

  static inline RunningService* service = nullptr;
  static inline std::unique_ptr<v1::DesiredLRPs::Stub> apps;
  static inline std::unique_ptr<v1::ActualLRPs::Stub> lrps;
  static inline std::unique_ptr<v1::Domains::Stub> domains;
  static inline std::unique_ptr<v1::Cells::Stub> cells;
  static inline std::unique_ptr<v1::Ping::Stub> ping;
};

}  // namespace baton
