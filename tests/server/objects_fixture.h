// A batond with an access file, and who calls it: what tests of objects begin with.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/server/scripted_cell.h"
#include "tests/server/secure_service.h"

namespace baton {

inline constexpr char kSecret[] = "tell-nobody";

// A file of this test's own, as 0600 as it is asked to be.
class AccessText {
 public:
  explicit AccessText(const std::string& text) { Write(text); }
  ~AccessText() { std::filesystem::remove(path_); }
  void Write(const std::string& text) {
    const std::string fresh = path_ + ".new";
    std::ofstream(fresh) << text;
    chmod(fresh.c_str(), 0600);
    std::filesystem::rename(fresh, path_);
  }
  const std::string& path() const { return path_; }

 private:
  static std::string NewPath() {
    static int number = 0;
    return std::filesystem::temp_directory_path() / ("access-" + std::to_string(getpid()) + "-" + std::to_string(++number));
  }
  const std::string path_ = NewPath();
};

inline v2::DesireLRPRequest AppIn(const std::string& guid, const std::string& domain, int instances = 0, const std::string& host = "") {
  auto request = RunningService::SmallApp(guid, instances);
  auto& app = *request.mutable_desired_lrp();
  app.set_domain(domain);
  app.mutable_definition()->set_definition_identifier("v1");
  auto& variable = *app.mutable_definition()->mutable_run_info()->add_environment_variables();
  variable.set_name("SECRET");
  variable.set_value(kSecret);
  if (!host.empty()) (*app.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":[")" + host + R"("],"port":8080}])";
  return request;
}

// The stubs of one caller.
struct As : Stubs {
  explicit As(std::shared_ptr<grpc::Channel> with)
      : Stubs(with), channel(std::move(with)), old_apps(v1::DesiredLRPs::NewStub(channel)),
        old_lrps(v1::ActualLRPs::NewStub(channel)) {}
  As(const SecureService& secure, Role role, const std::string& name) : As(secure.ChannelOf(role, name)) {}

  grpc::Status Desire(const v2::DesireLRPRequest& request) {
    v2::DesireLRPResponse response;
    return apps->DesireLRP(Context().get(), request, &response);
  }
  grpc::Status Scale(const std::string& guid, int instances) {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    request.mutable_update()->set_instances(instances);
    v2::UpdateDesiredLRPResponse response;
    return apps->UpdateDesiredLRP(Context().get(), request, &response);
  }
  grpc::Status Route(const std::string& guid, const std::string& hosts) {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    (*request.mutable_update()->mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":[)" + hosts + R"(],"port":8080}])";
    v2::UpdateDesiredLRPResponse response;
    return apps->UpdateDesiredLRP(Context().get(), request, &response);
  }
  grpc::Status Get(const std::string& guid, bool reveal = false) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(guid);
    request.set_reveal_secrets(reveal);
    v2::GetDesiredLRPResponse response;
    return apps->GetDesiredLRP(Context().get(), request, &response);
  }
  grpc::Status GetDefinition(const std::string& guid, bool reveal = false) {
    v2::GetDefinitionRequest request;
    request.set_process_guid(guid);
    request.set_definition_identifier("v1");
    request.set_reveal_secrets(reveal);
    v2::GetDefinitionResponse response;
    return definitions->GetDefinition(Context().get(), request, &response);
  }
  template <class Request, class Stream, class Guids>
  std::vector<std::string> Listed(const Request& request, Stream stream, Guids guids) {
    const auto context = Context();
    auto reader = stream(context.get(), request);
    std::vector<std::string> all;
    while (guids(*reader, all)) continue;
    EXPECT_TRUE(reader->Finish().ok());
    return all;
  }
  std::vector<std::string> Apps(const std::string& domain = "") {
    v2::ListDesiredLRPsRequest request;
    request.set_domain(domain);
    return Listed(request, [&](auto* c, auto& r) { return apps->ListDesiredLRPs(c, r); },
                  [](auto& reader, auto& all) {
                    v2::ListDesiredLRPsResponse page;
                    if (!reader.Read(&page)) return false;
                    for (const auto& app : page.desired_lrps()) all.push_back(app.process_guid());
                    return true;
                  });
  }
  std::vector<std::string> Scheduled() {
    return Listed(v2::ListDesiredLRPsRequest(), [&](auto* c, auto& r) { return apps->ListSchedulingInfos(c, r); },
                  [](auto& reader, auto& all) {
                    v2::ListSchedulingInfosResponse page;
                    if (!reader.Read(&page)) return false;
                    for (const auto& app : page.scheduling_infos()) all.push_back(app.process_guid());
                    return true;
                  });
  }
  std::vector<std::string> Instances() {
    return Listed(v2::ListActualLRPsRequest(), [&](auto* c, auto& r) { return lrps->ListActualLRPs(c, r); },
                  [](auto& reader, auto& all) {
                    v2::ListActualLRPsResponse page;
                    if (!reader.Read(&page)) return false;
                    for (const auto& lrp : page.actual_lrps()) all.push_back(lrp.process_guid());
                    return true;
                  });
  }
  std::vector<std::string> Definitions(const std::string& guid = "") {
    v2::ListDefinitionsRequest request;
    request.set_process_guid(guid);
    return Listed(request, [&](auto* c, auto& r) { return definitions->ListDefinitions(c, r); },
                  [](auto& reader, auto& all) {
                    v2::ListDefinitionsResponse page;
                    if (!reader.Read(&page)) return false;
                    for (const auto& one : page.definitions()) all.push_back(one.process_guid());
                    return true;
                  });
  }
  std::vector<std::string> OpenRolls() {
    return Listed(v2::ListRollsRequest(), [&](auto* c, auto& r) { return rolls->ListRolls(c, r); },
                  [](auto& reader, auto& all) {
                    v2::ListRollsResponse page;
                    if (!reader.Read(&page)) return false;
                    for (const auto& one : page.rolls()) all.push_back(one.process_guid());
                    return true;
                  });
  }

  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::DesiredLRPs::Stub> old_apps;
  std::unique_ptr<v1::ActualLRPs::Stub> old_lrps;
};

inline constexpr char kRules[] =
    "controller mine domains a,aa hostnames *.a.example\n"
    "controller other domains b hostnames *\n"
    "controller all domains * hostnames *\n"
    "cell honest-1 networks 127.0.0.0/8\n"
    "cell honest-2 networks 127.0.0.0/8\n"
    "cell rep pulls\n"
    "router r1\n";

inline batond::ServiceOptions With(const std::string& access, const std::string& revoked = "") {
  batond::ServiceOptions options;
  options.access = access;
  options.revoked = revoked;
  options.access_look = milliseconds(200);
  return options;
}

// A cell on a connection of its own, which says what the test tells it to.
class CellOn {
 public:
  CellOn(const SecureService& secure, const std::string& name, const KeyAndCertificate& certificate)
      : as(secure.ChannelOf(certificate)), cell(*as.cells, name) {
    cell.Hello();
    cell.KeepBeating();
  }
  CellOn(const SecureService& secure, const std::string& name) : CellOn(secure, name, CertificateOf(secure.authority(), Role::kCell, name)) {}

  As as;
  ScriptedCell cell;
};

inline v1::ActualLRPInstanceKey KeyOf(const std::string& cell, const std::string& start) {
  v1::ActualLRPInstanceKey key;
  key.set_cell_id(cell);
  key.set_instance_guid(start);
  return key;
}

}  // namespace baton
