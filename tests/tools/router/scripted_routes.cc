#include "tests/tools/router/scripted_routes.h"

#include <grpcpp/server_builder.h>

#include <algorithm>
#include <thread>

#include "tests/tools/router/route_of.h"

namespace baton::router {

namespace {

template <class Message>
Message WithRoute(const std::string& text) {
  const RouteKey route = RouteOf(text);
  Message message;
  message.set_hostname(route.hostname);
  message.set_path(route.path);
  message.set_external_port(route.external_port);
  message.set_router_group_guid(route.router_group);
  return message;
}

}  // namespace

v2::Route MakeRoute(const std::string& route) { return WithRoute<v2::Route>(route); }

v2::Endpoint MakeEndpoint(const std::string& route, const std::string& actual_id, std::uint32_t port) {
  auto endpoint = WithRoute<v2::Endpoint>(route);
  endpoint.set_actual_id(actual_id);
  endpoint.set_address("127.0.0.1");
  endpoint.set_port(port);
  endpoint.set_process_guid("app");
  return endpoint;
}

v2::EndpointKey MakeKey(const std::string& route, const std::string& actual_id) {
  auto key = WithRoute<v2::EndpointKey>(route);
  key.set_actual_id(actual_id);
  return key;
}

ScriptedRoutes::ScriptedRoutes() { Start(); }
ScriptedRoutes::~ScriptedRoutes() { Stop(); }

void ScriptedRoutes::Start() {
  grpc::ServerBuilder builder;
  int bound = 0;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(port_), grpc::InsecureServerCredentials(), &bound);
  builder.SetMaxReceiveMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  port_ = bound;
}

void ScriptedRoutes::Stop() {
  if (!server_) return;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& stream : streams_) stream->ended = true;
    changed_.notify_all();
  }
  server_->Shutdown(std::chrono::system_clock::now());
  server_.reset();
}

grpc::Status ScriptedRoutes::Connect(grpc::ServerContext* context,
                                     grpc::ServerReaderWriter<v2::RouteMessage, v2::RouteConsumerMessage>* wire) {
  auto stream = std::make_shared<Stream>();
  std::thread reading([&] {
    v2::RouteConsumerMessage message;
    bool first = true;
    while (wire->Read(&message)) {
      const std::lock_guard lock(mutex_);
      if (first && message.has_hello()) streams_.push_back(stream);
      first = false;
      Note(*stream, message);
      changed_.notify_all();
    }
    const std::lock_guard lock(mutex_);
    stream->ended = true;
    changed_.notify_all();
  });
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stream->ended || !stream->outgoing.empty(); });
    if (stream->outgoing.empty()) break;
    const v2::RouteMessage message = std::move(stream->outgoing.front());
    stream->outgoing.pop_front();
    lock.unlock();
    if (!wire->Write(message)) break;
  }
  const bool left = [&] {
    const std::lock_guard lock(mutex_);
    return stream->goodbye;
  }();
  if (!left) context->TryCancel();  // ends the reading, too
  reading.join();
  return left ? grpc::Status::OK : grpc::Status(grpc::StatusCode::UNAVAILABLE, "the test ends this stream");
}

void ScriptedRoutes::Note(Stream& stream, const v2::RouteConsumerMessage& message) {
  if (message.has_hello()) stream.hello = message.hello();
  if (message.has_applied()) {
    stream.applied_epoch = message.applied().revision().epoch();
    stream.applied = message.applied().revision().number();
  }
  for (const std::string& actual_id : message.drained().actual_ids()) stream.drained.push_back(actual_id);
  if (message.has_goodbye()) stream.goodbye = true;
  if (message.has_load()) stream.load = message.load();
  if (message.message_case() == v2::RouteConsumerMessage::kHeartbeat) ++stream.heartbeats;
}

template <class Condition>
bool ScriptedRoutes::Wait(Milliseconds limit, Condition condition) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, condition);
}

std::optional<v2::RouteConsumerHello> ScriptedRoutes::WaitForStream(int n, Milliseconds limit) {
  if (!Wait(limit, [&] { return streams_.size() >= static_cast<std::size_t>(n); })) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return streams_[static_cast<std::size_t>(n) - 1]->hello;
}

int ScriptedRoutes::streams() {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(streams_.size());
}

std::int64_t ScriptedRoutes::Snapshot(const std::vector<v2::Endpoint>& endpoints,
                                      const std::vector<v2::Endpoint>& draining,
                                      const std::vector<std::string>& routes) {
  v2::RouteMessage message;
  v2::RouteSnapshot& snapshot = *message.mutable_snapshot();
  for (const v2::Endpoint& endpoint : endpoints) *snapshot.add_endpoints() = endpoint;
  for (const v2::Endpoint& endpoint : draining) *snapshot.add_draining() = endpoint;
  for (const std::string& route : routes) *snapshot.add_routes() = MakeRoute(route);
  {
    const std::lock_guard lock(mutex_);
    snapshot.mutable_revision()->set_epoch(epoch_);
    snapshot.mutable_revision()->set_number(++number_);
    snapshot.set_heartbeat_interval_ms(heartbeat_ms_);
    snapshot.set_lease_ms(30'000);
  }
  Send(message);
  return message.snapshot().revision().number();
}

std::int64_t ScriptedRoutes::Change(const std::vector<v2::Endpoint>& added, const std::vector<v2::Endpoint>& draining,
                                    const std::vector<v2::EndpointKey>& removed) {
  v2::RouteChange change;
  for (const v2::Endpoint& endpoint : added) *change.add_added() = endpoint;
  for (const v2::Endpoint& endpoint : draining) *change.add_draining() = endpoint;
  for (const v2::EndpointKey& key : removed) *change.add_removed() = key;
  return SendChange(std::move(change));
}

std::int64_t ScriptedRoutes::Mapped(const std::vector<std::string>& mapped, const std::vector<std::string>& unmapped) {
  v2::RouteChange change;
  for (const std::string& route : mapped) *change.add_mapped() = MakeRoute(route);
  for (const std::string& route : unmapped) *change.add_unmapped() = MakeRoute(route);
  return SendChange(std::move(change));
}

std::int64_t ScriptedRoutes::SendChange(v2::RouteChange change) {
  {
    const std::lock_guard lock(mutex_);
    change.mutable_revision()->set_epoch(epoch_);
    change.mutable_revision()->set_number(++number_);
  }
  const std::int64_t number = change.revision().number();
  v2::RouteMessage message;
  *message.mutable_change() = std::move(change);
  Send(message);
  return number;
}

void ScriptedRoutes::Send(const v2::RouteMessage& message) {
  const std::lock_guard lock(mutex_);
  if (streams_.empty()) return;
  streams_.back()->outgoing.push_back(message);
  changed_.notify_all();
}

void ScriptedRoutes::SetEpoch(std::int64_t epoch) {
  const std::lock_guard lock(mutex_);
  epoch_ = epoch;
}

void ScriptedRoutes::SetNumber(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  number_ = number;
}

void ScriptedRoutes::SetHeartbeatMs(std::int64_t interval) {
  const std::lock_guard lock(mutex_);
  heartbeat_ms_ = interval;
}

void ScriptedRoutes::EndStream() {
  const std::lock_guard lock(mutex_);
  if (!streams_.empty()) streams_.back()->ended = true;
  changed_.notify_all();
}

bool ScriptedRoutes::WaitApplied(std::int64_t number, Milliseconds limit) {
  return Wait(limit, [&] {
    return !streams_.empty() && streams_.back()->applied_epoch == epoch_ && streams_.back()->applied >= number;
  });
}

bool ScriptedRoutes::WaitDrained(const std::string& actual_id, Milliseconds limit) {
  return Wait(limit, [&] {
    if (streams_.empty()) return false;
    const std::vector<std::string>& drained = streams_.back()->drained;
    return std::find(drained.begin(), drained.end(), actual_id) != drained.end();
  });
}

bool ScriptedRoutes::IsApplied(std::int64_t number) { return WaitApplied(number, Milliseconds(0)); }
bool ScriptedRoutes::IsDrained(const std::string& actual_id) { return WaitDrained(actual_id, Milliseconds(0)); }

std::vector<std::string> ScriptedRoutes::DrainReports() {
  const std::lock_guard lock(mutex_);
  return streams_.empty() ? std::vector<std::string>{} : streams_.back()->drained;
}

int ScriptedRoutes::heartbeats() {
  const std::lock_guard lock(mutex_);
  return streams_.empty() ? 0 : streams_.back()->heartbeats;
}

bool ScriptedRoutes::WaitLoad(const std::function<bool(const v2::RouteLoad&)>& fits, Milliseconds limit) {
  return Wait(limit, [&] { return !streams_.empty() && streams_.back()->load && fits(*streams_.back()->load); });
}

bool ScriptedRoutes::WaitGoodbye(Milliseconds limit) {
  return Wait(limit, [&] { return !streams_.empty() && streams_.back()->goodbye; });
}

bool ScriptedRoutes::goodbye() { return WaitGoodbye(Milliseconds(0)); }

}  // namespace baton::router
