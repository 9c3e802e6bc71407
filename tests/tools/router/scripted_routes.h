// batond's side of Routes.Connect, played by a test: says what it is told to, and keeps what the router says.
#pragma once

#include <grpcpp/server.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "baton/v2/routes_service.grpc.pb.h"

namespace baton::router {

// `route` as RouteOf reads it: "a.example", "*.example/api", ":1024/GROUP".
v2::Route MakeRoute(const std::string& route);
v2::Endpoint MakeEndpoint(const std::string& route, const std::string& actual_id, std::uint32_t port);
v2::EndpointKey MakeKey(const std::string& route, const std::string& actual_id);

class ScriptedRoutes final : public v2::Routes::Service {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  static constexpr Milliseconds kLimit{10'000};

  ScriptedRoutes();
  ~ScriptedRoutes() override;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  // Until the n-th stream since the start (1, 2, ...) has said hello; its hello.
  std::optional<v2::RouteConsumerHello> WaitForStream(int n, Milliseconds limit = kLimit);
  int streams();

  // To the newest stream. The revision's number is the next one; returned.
  std::int64_t Snapshot(const std::vector<v2::Endpoint>& endpoints, const std::vector<v2::Endpoint>& draining = {},
                        const std::vector<std::string>& routes = {});
  // Of routes that apps have or have no more.
  std::int64_t Mapped(const std::vector<std::string>& mapped, const std::vector<std::string>& unmapped = {});
  std::int64_t Change(const std::vector<v2::Endpoint>& added, const std::vector<v2::Endpoint>& draining = {},
                      const std::vector<v2::EndpointKey>& removed = {});
  std::int64_t SendChange(v2::RouteChange change);  // with the next revision
  void Send(const v2::RouteMessage& message);
  // For those that follow.
  void SetEpoch(std::int64_t epoch);
  void SetNumber(std::int64_t number);
  void SetHeartbeatMs(std::int64_t interval);

  // Ends the newest stream; the router sees UNAVAILABLE.
  void EndStream();
  // No longer listens, ends streams; Start listens again at the same address.
  void Stop();
  void Start();

  bool WaitApplied(std::int64_t number, Milliseconds limit = kLimit);
  bool WaitDrained(const std::string& actual_id, Milliseconds limit = kLimit);
  // On the newest stream.
  bool IsApplied(std::int64_t number);
  bool IsDrained(const std::string& actual_id);
  std::vector<std::string> DrainReports();
  int heartbeats();
  // Until the newest stream's last word of load fits; with no instance in it, too.
  bool WaitLoad(const std::function<bool(const v2::RouteLoad&)>& fits, Milliseconds limit = kLimit);
  bool WaitGoodbye(Milliseconds limit = kLimit);
  bool goodbye();

 private:
  struct Stream {
    std::deque<v2::RouteMessage> outgoing;
    bool ended = false;
    std::optional<v2::RouteConsumerHello> hello;
    std::int64_t applied_epoch = 0;
    std::int64_t applied = -1;
    std::vector<std::string> drained;
    int heartbeats = 0;
    std::optional<v2::RouteLoad> load;
    bool goodbye = false;
  };

  grpc::Status Connect(grpc::ServerContext* context,
                       grpc::ServerReaderWriter<v2::RouteMessage, v2::RouteConsumerMessage>* wire) override;
  void Note(Stream& stream, const v2::RouteConsumerMessage& message);
  template <class Condition>
  bool Wait(Milliseconds limit, Condition condition);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Stream>> streams_;
  std::int64_t epoch_ = 1;
  std::int64_t number_ = 0;
  std::int64_t heartbeat_ms_ = 500;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace baton::router
