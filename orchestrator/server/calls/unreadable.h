// A request that is not read, because protobuf cannot (a text that is no UTF-8, nesting beyond its own limit) or because it is
// too large once it is read (bounds/bounded_parse.h), is answered by gRPC with UNIMPLEMENTED and not a word; a stream with
// nothing at all. This puts the right status and a sentence in its place. It also keeps the request's share of memory, and its
// caller's place, for as long as the call is.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_interceptor.h>

#include <functional>
#include <string_view>

#include "orchestrator/base/result.h"
#include "orchestrator/bounds/rapid_cancels.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class UnreadableRequests final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // Called for each with its method, "baton.v2.Admin/Ping", and the error that the caller gets.
  using OnUnreadable =
      std::function<void(const grpc::CallbackServerContext& context, std::string_view method, const Error& why)>;
  // They live as long as the server.
  UnreadableRequests(ServerDependencies& dependencies, int rapid_cancels_max, OnUnreadable on_unreadable)
      : dependencies_(dependencies), on_unreadable_(std::move(on_unreadable)), cancels_(rapid_cancels_max) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  ServerDependencies& dependencies_;
  const OnUnreadable on_unreadable_;
  bounds::RapidCancels cancels_;
};

}  // namespace baton
