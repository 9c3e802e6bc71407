#include "orchestrator/bounds/bounded_parse.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include "orchestrator/wire/limits/parse_bounds.h"

namespace baton::bounds {
namespace {

using google::protobuf::Message;

constexpr Duration kMemoryRetryAfter = milliseconds(500);

thread_local Parsed last;
thread_local std::string whose;  // the next request

std::optional<Parsed::Refusal> RefusalOf(std::size_t bytes, std::size_t bytes_max, const wire::ParsedShape& shape,
                                         const std::string& who) {
  if (bytes > bytes_max) {
    return Parsed::Refusal{
        {ErrorKind::kInvalidArgument,
         "the request has " + std::to_string(bytes) + " bytes; it takes " + std::to_string(bytes_max) + " at most",
         {}},
        "bytes"};
  }
  if (std::string excess = wire::Excess(shape); !excess.empty()) {
    return Parsed::Refusal{{ErrorKind::kInvalidArgument, std::move(excess), {}}, "shape"};
  }
  auto room = RequestBytes::Take(shape.bytes, who);
  if (room.taken) {
    last.bytes = *std::move(room.taken);
    return std::nullopt;
  }
  if (room.of_caller) {
    return Parsed::Refusal{
        {ErrorKind::kResourceExhausted,
         "requests of " + who + " that are not answered yet take " + std::to_string(RequestBytes::CallersMost() >> 20) +
             " MiB (--identity-request-mib): ask again later, or for less at a time",
         kMemoryRetryAfter},
        "identity memory"};
  }
  return Parsed::Refusal{{ErrorKind::kResourceExhausted,
                          "requests that are not answered yet take " + std::to_string(kRequestsBytesMax >> 20) +
                              " MiB: ask again later, or for less at a time",
                          kMemoryRetryAfter},
                         "memory"};
}

}  // namespace

grpc::Status Parse(grpc::ByteBuffer& buffer, std::size_t bytes_max, Message& request) {
  last = Parsed();
  const std::string who = std::exchange(whose, {});
  grpc::ProtoBufferReader encoded(&buffer);
  const std::size_t bytes = buffer.Length();
  // Where that is too much already, nothing is looked at.
  const auto shape = bytes > bytes_max ? wire::ParsedShape() : wire::ShapeOf(encoded, *request.GetDescriptor());
  if (shape) last.refused = RefusalOf(bytes, bytes_max, *shape, who);
  if (!shape || last.refused) {
    buffer.Clear();
    return {grpc::StatusCode::INVALID_ARGUMENT, last.refused ? last.refused->error.message : "the request cannot be read"};
  }
  return grpc::GenericDeserialize<grpc::ProtoBufferReader, Message>(&buffer, &request);
}

void NextIsOf(const std::string& who) { whose = who; }

Parsed TakeParsed() { return std::exchange(last, Parsed()); }

}  // namespace baton::bounds
