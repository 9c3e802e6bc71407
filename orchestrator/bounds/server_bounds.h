// Limits for every client of the port: streams, metadata, memory within gRPC. Compressed
// requests are refused: gRPC 1.51 unpacks 400 MB before it looks at the limit of 4.
#pragma once

#include <grpcpp/server_builder.h>

#include <cstddef>

namespace baton::bounds {

struct ServerBounds {
  int streams_max = 1000;                       // of a connection; gRPC's own clients wait for their turn
  int metadata_bytes_max = 8 << 10;             // of a call
  std::size_t transport_bytes_max = 256 << 20;  // that connections and calls take within gRPC; then some are ended
  // That are taken from a connection at a time: what came so far is answered, or ends it, before the rest is looked at.
  int read_bytes_max = 8 << 10;
};

// Before the server is built.
void Apply(const ServerBounds& bounds, grpc::ServerBuilder& builder);

}  // namespace baton::bounds
