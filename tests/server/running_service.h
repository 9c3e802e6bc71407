// A whole batond within the test's process, on a database of its own, and a client's stubs to it.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>

#include "orchestrator/base/result.h"
#include "tests/server/stubs.h"
#include "tools/batond/options.h"
#include "tools/logging/json_log.h"

namespace baton {
namespace batond {
class Service;
}

class RunningService : public Stubs {
 public:
  using Dial = std::function<std::shared_ptr<grpc::Channel>(const std::string& address)>;
  // `url` empty: a fresh database. `dial` empty: without TLS. `log`: instead of stderr.
  explicit RunningService(std::string url = {}, batond::ServiceOptions options = {}, const Dial& dial = {},
                          Log* log = nullptr);
  ~RunningService();

  // Waits until it leads and takes calls.
  void WaitForLead();
  bool Serving();  // by the health service
  void Stop();
  const std::string& url() const { return url_; }
  const std::string& address() const { return address_; }
  std::shared_ptr<grpc::Channel> channel() { return channel_; }
  std::string Metrics() const;

  // A small app that is in order.
  static v2::DesireLRPRequest SmallApp(const std::string& guid, int instances = 1);
  // Each within 10 seconds.
  grpc::Status Desire(const v2::DesireLRPRequest& request, v2::DesireLRPResponse* response = nullptr);
  grpc::Status Update(const v2::UpdateDesiredLRPRequest& request, v2::UpdateDesiredLRPResponse* response = nullptr);
  std::vector<v2::ActualLRP> Instances(const std::string& guid);

 private:
  JsonLog log_;
  std::string url_;
  std::unique_ptr<batond::Service> service_;
  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
};

// One that may be refused, and whose end has an outcome. `options` as they are.
class StartedService {
 public:
  static Result<StartedService> Start(const batond::ServiceOptions& options, const std::string& url, Log& log);
  StartedService(StartedService&&) noexcept;
  StartedService& operator=(StartedService&&) noexcept;
  ~StartedService();
  const std::string& address() const;
  Status Stop();

 private:
  explicit StartedService(std::unique_ptr<batond::Service> service);
  std::unique_ptr<batond::Service> service_;
};

// A context whose call ends within 10 seconds.
std::unique_ptr<grpc::ClientContext> Context();

// Asks again until it is true, at most `timeout`; says whether it became so.
bool Eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout = std::chrono::seconds(20));

}  // namespace baton
