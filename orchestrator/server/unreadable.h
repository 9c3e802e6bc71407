// A request that is not read, because protobuf cannot (a text that is no UTF-8, nesting beyond its own limit) or because it is
// too large once it is read (bounds/bounded_parse.h), is answered by gRPC with UNIMPLEMENTED and not a word; a stream with
// nothing at all. This puts the right status and a sentence in its place. It also keeps the request's share of memory for as
// long as the call is.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include "orchestrator/bounds/rapid_cancels.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class UnreadableRequests final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // `metrics` live as long as the server.
  UnreadableRequests(Metrics& metrics, Log& log) : metrics_(metrics), log_(log) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  Metrics& metrics_;
  Log& log_;
  bounds::RapidCancels cancels_;
};

}  // namespace baton
