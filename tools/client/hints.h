// Hints in the trailers of a refused call: where the leader is, and when to retry.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <string>

namespace baton {

struct Hints {
  std::string leader;                          // who takes such calls instead, HOST:PORT; empty: it did not say
  std::chrono::milliseconds retry_after{0};    // when it is worth asking again; 0: it did not say
};

// Of a call that has ended. Nonsense counts as nothing.
Hints HintsIn(const grpc::ClientContext& context);

// The version of the batond that answered a call that has ended, where it is of an older release (major or minor) than this
// program; else empty, also where it did not say.
std::string OlderServerIn(const grpc::ClientContext& context);

// Whether the batond that answered has no TLS.
bool InsecureIn(const grpc::ClientContext& context);

// Where an upgrade of the data is that is open, "SYNCING 1.1.0 2.3.0", of a call whose first answer has come; else empty.
std::string DataIn(const grpc::ClientContext& context);

}  // namespace baton
