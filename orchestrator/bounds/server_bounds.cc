#include "orchestrator/bounds/server_bounds.h"

#include <grpcpp/resource_quota.h>

namespace baton::bounds {
namespace {

constexpr int kReadBytes = 8 << 10;      // to begin with; gRPC's own default
constexpr int kPingsTooSoonMost = 2;     // then the connection is ended

}  // namespace

void Apply(const ServerBounds& bounds, grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, bounds.streams_most);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, bounds.metadata_bytes_most);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, kPingsTooSoonMost);
  builder.AddChannelArgument(GRPC_ARG_TCP_READ_CHUNK_SIZE, kReadBytes);
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, bounds.read_bytes_most);
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  grpc::ResourceQuota quota("batond");
  quota.Resize(bounds.transport_bytes_most);
  builder.SetResourceQuota(quota);
}

}  // namespace baton::bounds
