#include "tests/e2e/writers.h"

#include <grpcpp/grpcpp.h>

#include "baton/v1/bbs_service.grpc.pb.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

grpc::Status Ask(v1::DesiredLRPs::Stub& stub, const std::string& guid, int number,
                 v1::DesiredLRPLifecycleResponse& response) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
  if (number > 0) {
    v1::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    request.mutable_update()->set_annotation(std::to_string(number));
    return stub.UpdateDesiredLRP(&context, request, &response);
  }
  v1::DesireLRPRequest request;
  auto& app = *request.mutable_desired_lrp();
  app.set_process_guid(guid);
  app.set_domain("written");
  app.set_root_fs("host:");
  app.mutable_action()->mutable_run_action()->set_path("/bin/true");
  app.mutable_action()->mutable_run_action()->set_user("me");
  return stub.DesireLRP(&context, request, &response);
}

}  // namespace

Writers::Writers(std::vector<std::string> addresses, int count, milliseconds pause, ClientCredentials credentials)
    : addresses_(std::move(addresses)), pause_(pause), credentials_(std::move(credentials)),
      apps_(static_cast<std::size_t>(count)) {
  for (std::size_t i = 0; i < apps_.size(); ++i) threads_.emplace_back([this, i] { Write(i); });
}

Writers::~Writers() { Stop(); }

void Writers::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    stopped_.notify_all();
  }
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

int Writers::Acknowledged() const {
  int all = 0;
  for (const App& app : apps_) all += app.acknowledged;
  return all;
}

void Writers::Write(std::size_t i) {
  std::size_t at = i;
  auto stub = v1::DesiredLRPs::NewStub(Dial(addresses_[at % addresses_.size()], credentials_));
  auto last = Clock::now();
  for (int number = 0; !stopping_;) {
    v1::DesiredLRPLifecycleResponse response;
    const grpc::Status status = Ask(*stub, Guid(i), number, response);
    // The app may be there since a call whose answer was lost.
    const bool there = number == 0 && response.error().type() == v1::Error::ResourceExists;
    if (status.ok() && (!response.has_error() || there)) {
      const auto now = Clock::now();
      const auto wait = std::chrono::duration_cast<milliseconds>(now - last).count();
      for (auto most = longest_wait_ms_.load(); wait > most && !longest_wait_ms_.compare_exchange_weak(most, wait);) {
      }
      apps_[i].acknowledged = number++;
      last = now + pause_;
      std::unique_lock lock(mutex_);
      stopped_.wait_until(lock, last, [this] { return stopping_.load(); });
      last = std::min(last, Clock::now());
      continue;
    }
    if (status.ok()) {
      ++apps_[i].refused;
    } else {
      // With a pause between its writes it has one here, too: each try is a handshake.
      std::unique_lock lock(mutex_);
      stopped_.wait_for(lock, pause_, [this] { return stopping_.load(); });
      stub = v1::DesiredLRPs::NewStub(Dial(addresses_[++at % addresses_.size()], credentials_));
    }
  }
}

}  // namespace baton
