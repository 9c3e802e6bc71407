// Reads a request of gRPC's only where its shape is within bounds (wire/limits/parse_bounds.h) and there is room for it
// (request_bytes.h). gRPC drops what a parser says, so what came of the last one is kept beside, for the call's
// interceptor.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <optional>

#include "orchestrator/base/result.h"
#include "orchestrator/bounds/request_bytes.h"

namespace baton::bounds {

inline constexpr std::size_t kSmallMessageBytes = 64 << 10;

// `bytes_max`: of the encoded message. Clears `buffer`.
grpc::Status Parse(grpc::ByteBuffer& buffer, std::size_t bytes_max, google::protobuf::Message& request);

// Whose request the next Parse on this thread reads.
void NextIsOf(const std::string& who);

struct Parsed {
  RequestBytes bytes;  // that the request takes
  struct Refusal {
    Error error;
    const char* why;  // label of baton_calls_refused_total
  };
  std::optional<Refusal> refused;
};
// What came of the last Parse on this thread. Once.
Parsed TakeParsed();

}  // namespace baton::bounds
