#include "orchestrator/server/serving/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <algorithm>

#include "orchestrator/app/calls/refused_writes.h"
#include "orchestrator/bounds/server_bounds.h"
#include "orchestrator/model/calls/socket_address.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/access_hooks.h"
#include "orchestrator/server/callers/connection_guard.h"
#include "orchestrator/server/callers/write_limit.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/audited_methods.h"
#include "orchestrator/server/calls/counted_calls.h"
#include "orchestrator/server/calls/long_calls.h"
#include "orchestrator/server/calls/unknown_calls.h"
#include "orchestrator/server/calls/unreadable.h"
#include "orchestrator/server/serving/server_version.h"
#include "orchestrator/server/serving/services.h"
#include "orchestrator/transform/services/backend.h"
#include "orchestrator/transform/services/services.h"
#include "orchestrator/wire/messages/access_options.h"

namespace baton {
namespace {

// A peer that is gone without a word (a pulled plug, a stopped process) is noticed by pings.
constexpr int kPingAfterMs = 10'000;
constexpr int kPingTimeoutMs = 5'000;
constexpr int kGreetingMs = 5'000;  // until the client has sent its settings
constexpr int kIdleMs = 600'000;    // without a call; a client of gRPC connects again by itself

AuditEntry AskedBy(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                   std::string method) {
  return {.actor = ActorOf(dependencies, context), .method = std::move(method), .request_id = RequestIdOf(context)};
}

void SetKeepalive(grpc::ServerBuilder& builder, int connection_age_s) {
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingAfterMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  // Who connects and says nothing, or goes quiet for long, holds no descriptor.
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kGreetingMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, kIdleMs);
  // A certificate is looked at when a connection begins: who comes back shows the one that he has then. Streams go on,
  // on the old one.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, connection_age_s * 1000);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // a second batond on the port is an error, not a lottery
}

std::shared_ptr<grpc::Channel> ChannelWithin(grpc::Server& server, const std::shared_ptr<AccessGate>& gate) {
  grpc::ChannelArguments within;
  within.SetMaxReceiveMessageSize(-1);  // the external client sets its own limit
  if (!gate) return server.InProcessChannel(within);
  std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> entrance;
  entrance.push_back(EntranceOf(gate));
  return server.experimental().InProcessChannelWithInterceptors(within, std::move(entrance));
}

// A connection has no more at once than its caller.
bounds::ServerBounds BoundsOf(const Server::Options& options) {
  bounds::ServerBounds bounds = options.bounds;
  if (options.credentials)
    bounds.streams_max = std::min(bounds.streams_max, options.callers.calls + options.identity.streams);
  return bounds;
}

// Who calls is asked from here on.
Status OpenGate(ServerDependencies& dependencies, const Server::Options& options) {
  auto gate =
      AccessGate::Open(CountedServices(), options.trust_domain,
                       {dependencies.log, dependencies.metrics,
                        [&refused = dependencies.refused](AuditEntry entry) { refused.Add(std::move(entry)); }});
  if (!gate) return gate.error();
  dependencies.gate = *std::move(gate);
  dependencies.leader.routes().names().SetTrusted(options.access.routers);
  dependencies.gate->Use(options.access);
  dependencies.gate->Use(options.denied);
  dependencies.gate->Limit(
      {.metadata_entries = options.callers.metadata_entries,
       .of_callers = std::make_shared<IdentityCalls>(options.callers.calls, dependencies.metrics)});
  bounds::RequestBytes::LimitCallers(static_cast<std::size_t>(options.callers.request_mib) << 20);
  dependencies.gate->ListensOnLoopback(IsOnLoopback(options.listen));
  options.credentials->SetAuthMetadataProcessor(ProcessorOf(dependencies.gate));
  return Done{};
}

std::unique_ptr<ConnectionGuard> GuardOf(int port, const Server::Options& options, ServerDependencies& dependencies) {
  bounds::ConnectionLimits most = options.callers.connections;
  most.held_max = 2 * std::int64_t{BoundsOf(options).streams_max};
  return std::make_unique<ConnectionGuard>(
      port, most,
      [gate = dependencies.gate](const std::string& pem) { return gate ? gate->OwnerOf(pem) : std::nullopt; },
      dependencies.log, dependencies.metrics);
}

}  // namespace

struct Server::Parts {
  Parts(ServerDependencies& s, const Options& options)
      : dependencies(s), write_limit(options.write_max, s.log, s.metrics), long_calls(s.log, s.metrics),
        limits(options.identity, s.metrics), unknown_calls(s.app_version) {
    services.push_back(MakeDesiredLrpsService(s));
    services.push_back(MakeRollsService(s));
    services.push_back(MakeDefinitionsService(s));
    services.push_back(MakeActualLrpsService(s));
    services.push_back(MakeCellsService(s, options.trust_domain));
    services.push_back(MakeRoutesService(s, options.trust_domain));
    services.push_back(MakeDomainsService(s));
    services.push_back(MakeEventsService(s));
    services.push_back(MakeAdminService(s));
    services.push_back(MakeUpgradesService(s));
    services.push_back(transform::MakeDesiredLrpsService(backend));
    services.push_back(transform::MakeActualLrpsService(backend));
    services.push_back(transform::MakeCellsService(backend));
    services.push_back(transform::MakeDomainsService(backend));
    services.push_back(transform::MakeEvacuationService(backend));
    services.push_back(transform::MakeEventsService(backend));
    services.push_back(transform::MakePingService(backend));
  }

  ServerDependencies& dependencies;
  WriteLimit write_limit;
  LongCalls long_calls;
  IdentityLimits limits;
  UnknownCalls unknown_calls;
  transform::Backend backend;  // through which baton.v1 asks baton.v2
  std::vector<std::unique_ptr<grpc::Service>> services;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<ConnectionGuard> guard;
};

Status CheckHostAndPort(const std::string& flag, const std::string& address) {
  if (IsHostAndPort(address)) return Done{};
  return FailedPrecondition(flag + " is \"" + address + "\"; it must be HOST:PORT, for example 127.0.0.1:8891");
}

Status CheckLoopback(const std::string& flag, const std::string& address) {
  if (Status shaped = CheckHostAndPort(flag, address); !shaped) return shaped;
  if (IsOnLoopback(address)) return Done{};
  return FailedPrecondition(flag + " is \"" + address +
                            "\", which others can reach, without TLS: anybody could change apps there. Listen on " +
                            "loopback, for example 127.0.0.1:8891, or give batond certificates (--tls DIR)");
}

Result<std::unique_ptr<Server>> Server::Start(ServerDependencies& dependencies, const Options& options) {
  const Status may = options.credentials ? CheckHostAndPort("--listen", options.listen) : CheckLoopback("--listen", options.listen);
  if (!may) return may.error();
  if (const auto methods = wire::AccessOfAll(CountedServices()); !methods) return methods.error();
  if (options.credentials) {
    if (const Status opened = OpenGate(dependencies, options); !opened) return opened.error();
  }
  grpc::EnableDefaultHealthCheckService(true);
  if (options.reflection) grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto parts = std::make_unique<Parts>(dependencies, options);
  if (options.credentials) dependencies.identity_limits = &parts->limits;
  grpc::ServerBuilder builder;
  SetKeepalive(builder, options.callers.connection_age_s);
  bounds::Apply(BoundsOf(options), builder);
  builder.SetMaxReceiveMessageSize(static_cast<int>(options.message_bytes_max));
  int port = 0;
  builder.AddListeningPort(options.listen, options.credentials ? options.credentials : grpc::InsecureServerCredentials(), &port);
  for (const auto& service : parts->services) builder.RegisterService(service.get());
  builder.RegisterCallbackGenericService(&parts->unknown_calls);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(std::make_unique<UnreadableRequests>(
      dependencies, options.callers.rapid_cancels,
      [&dependencies](const auto& context, std::string_view method, const Error& why) {
        if (IsAudited(method)) NoteRefusal(dependencies, AskedBy(dependencies, context, std::string(method)), why);
      }));
  interceptors.push_back(
      std::make_unique<ServerVersion>(dependencies.app_version, !options.credentials, dependencies.data));
  interceptors.push_back(std::make_unique<CountedCalls>(dependencies.usage));
  interceptors.push_back(std::make_unique<LimitedWrites>(parts->write_limit));
  interceptors.push_back(std::make_unique<NotedLongCalls>(parts->long_calls, parts->limits, dependencies));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  if (dependencies.gate) {
    parts->backend.NameCallersBy(
        [gate = dependencies.gate](const grpc::CallbackServerContext& context) { return gate->WordOf(context); });
  }
  parts->backend.OnRefused(
      [&dependencies](const auto& context, const transform::Backend::Refused& asked, const Error& why) {
        if (!IsAudited(asked.method)) return;
        AuditEntry entry = AskedBy(dependencies, context, asked.method);
        entry.guid = asked.guid;
        if (!asked.domain.empty()) entry.subject = SubjectOf("domain " + asked.domain);
        NoteRefusal(dependencies, entry, why);
      });
  parts->server = builder.BuildAndStart();  // from here on calls come in
  if (!parts->server || port == 0) {
    return FailedPrecondition("cannot listen on " + options.listen +
                              ": is another batond running there? Choose another --listen");
  }
  parts->backend.Connect(ChannelWithin(*parts->server, dependencies.gate));
  parts->guard = GuardOf(port, options, dependencies);
  const std::string address = options.listen.substr(0, options.listen.rfind(':') + 1) + std::to_string(port);
  std::unique_ptr<Server> server(new Server(std::move(parts), address));
  server->SetServing(false);
  return server;
}

Server::Server(std::unique_ptr<Parts> parts, std::string address)
    : parts_(std::move(parts)), address_(std::move(address)) {}

Server::~Server() { Shutdown(Duration(0)); }

void Server::SetServing(bool serving) { parts_->server->GetHealthCheckService()->SetServingStatus(serving); }

void Server::Use(AccessRules access) {
  parts_->dependencies.leader.routes().names().SetTrusted(access.routers);
  if (parts_->dependencies.gate) parts_->dependencies.gate->Use(std::move(access));
}

void Server::Use(DenyList denied) {
  if (parts_->dependencies.gate) parts_->dependencies.gate->Use(std::move(denied));
}

void Server::LookAtStreams() {
  if (parts_->dependencies.gate) parts_->long_calls.Look(*parts_->dependencies.gate);
}

void Server::CutConnections() { parts_->long_calls.CutConnections(); }

void Server::Shutdown(Duration timeout) {
  parts_->server->Shutdown(std::chrono::system_clock::now() + timeout);
  parts_->server->Wait();
  parts_->backend.Disconnect();
}

}  // namespace baton
