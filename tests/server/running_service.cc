#include "tests/server/running_service.h"

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <grpcpp/generic/generic_stub.h>

#include <future>
#include <thread>

#include "orchestrator/base/check.h"
#include "orchestrator/model/version.h"
#include "tests/fakes/pg_fixture.h"
#include "tools/batond/service.h"

namespace baton {

RunningService::RunningService(std::string url, batond::ServiceOptions options, const Dial& dial, Log* log)
    : log_("batond", LogLevel::kError), url_(url.empty() ? MigratedDatabase() : std::move(url)) {
  options.listen = "127.0.0.1:0";
  options.metrics.clear();
  auto service = batond::Service::Start(options, url_, log ? *log : log_);
  if (!service) std::fprintf(stderr, "%s\n", service.error().message.c_str());
  service_ = *std::move(service);
  address_ = service_->address();
  channel_ = dial ? dial(address_) : grpc::CreateChannel(address_, grpc::InsecureChannelCredentials());
  static_cast<Stubs&>(*this) = Stubs(channel_);
}

RunningService::~RunningService() = default;

void RunningService::Stop() { service_.reset(); }

std::string RunningService::Metrics() const { return service_->Metrics(); }

void RunningService::WaitForLead() {
  CHECK(Eventually([this] { return Serving(); }));
}

// Debian ships no health.proto: a HealthCheckRequest without a service is an empty message, and the one number in a
// HealthCheckResponse is 1 for SERVING.
bool RunningService::Serving() {
  grpc::TemplatedGenericStub<google::protobuf::Empty, google::protobuf::Int32Value> stub(channel_);
  const auto context = Context();
  const google::protobuf::Empty request;
  google::protobuf::Int32Value response;
  std::promise<grpc::Status> done;
  stub.UnaryCall(context.get(), "/grpc.health.v1.Health/Check", {}, &request, &response,
                 [&done](grpc::Status status) { done.set_value(std::move(status)); });
  return done.get_future().get().ok() && response.value() == 1;
}

v2::DesireLRPRequest RunningService::SmallApp(const std::string& guid, int instances) {
  v2::DesireLRPRequest request;
  v2::DesiredLRP& app = *request.mutable_desired_lrp();
  app.set_process_guid(guid);
  app.set_domain("test");
  app.set_instances(instances);
  auto& definition = *app.mutable_definition();
  definition.mutable_resource()->set_root_fs("host:");
  definition.mutable_resource()->set_memory_mb(16);
  definition.mutable_run_info()->mutable_action()->mutable_run_action()->set_path("/bin/true");
  definition.mutable_run_info()->mutable_action()->mutable_run_action()->set_user("vcap");
  definition.mutable_run_info()->add_ports(8080);
  return request;
}

grpc::Status RunningService::Desire(const v2::DesireLRPRequest& request, v2::DesireLRPResponse* response) {
  v2::DesireLRPResponse unread;
  return apps->DesireLRP(Context().get(), request, response ? response : &unread);
}

grpc::Status RunningService::Update(const v2::UpdateDesiredLRPRequest& request,
                                    v2::UpdateDesiredLRPResponse* response) {
  v2::UpdateDesiredLRPResponse unread;
  return apps->UpdateDesiredLRP(Context().get(), request, response ? response : &unread);
}

std::vector<v2::ActualLRP> RunningService::Instances(const std::string& guid) {
  const auto context = Context();
  v2::ListActualLRPsRequest request;
  request.set_process_guid(guid);
  const auto stream = lrps->ListActualLRPs(context.get(), request);
  std::vector<v2::ActualLRP> all;
  for (v2::ListActualLRPsResponse page; stream->Read(&page);) {
    all.insert(all.end(), page.actual_lrps().begin(), page.actual_lrps().end());
  }
  (void)stream->Finish();
  return all;
}

Result<StartedService> StartedService::Start(const batond::ServiceOptions& options, const std::string& url, Log& log) {
  auto service = batond::Service::Start(options, url, log);
  if (!service) return service.error();
  return StartedService(*std::move(service));
}

StartedService::StartedService(std::unique_ptr<batond::Service> service) : service_(std::move(service)) {}
StartedService::StartedService(StartedService&&) noexcept = default;
StartedService& StartedService::operator=(StartedService&&) noexcept = default;
StartedService::~StartedService() = default;

const std::string& StartedService::address() const { return service_->address(); }

Status StartedService::Stop() { return service_->Stop(); }

std::unique_ptr<grpc::ClientContext> Context() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  return context;
}

bool Eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // between two looks
  }
  return true;
}

}  // namespace baton
