#include "orchestrator/bounds/server_bounds.h"

#include <grpcpp/resource_quota.h>

namespace baton::bounds {
namespace {

constexpr int kReadBytes = 8 << 10;  // to begin with; gRPC's own default
// gRPC 1.51 keeps an error of some 20 KB for each ping that comes too soon until the connection is closed: a hundred thousand took
// 230 MB. Those that it only answers took 3 MB, and beyond 10,000 answers that nobody reads it stops reading.
constexpr int kPingsTooSoonMax = 0;  // any number
// gRPC keeps words about what became of a server and of each connection, and makes text of all of them whenever somebody asks for its
// counts, as ConnectionGuard does up to a hundred times a second.
constexpr int kTraceBytes = 0;

}  // namespace

void Apply(const ServerBounds& bounds, grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, bounds.streams_max);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, bounds.metadata_bytes_max);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, kPingsTooSoonMax);
  builder.AddChannelArgument(GRPC_ARG_MAX_CHANNEL_TRACE_EVENT_MEMORY_PER_NODE, kTraceBytes);
  builder.AddChannelArgument(GRPC_ARG_TCP_READ_CHUNK_SIZE, kReadBytes);
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, bounds.read_bytes_max);
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  grpc::ResourceQuota quota("batond");
  quota.Resize(bounds.transport_bytes_max);
  builder.SetResourceQuota(quota);
}

}  // namespace baton::bounds
