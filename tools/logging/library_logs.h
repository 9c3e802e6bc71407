// What protobuf and gRPC say by themselves, as lines of the program's own log: raw lines of theirs would be no JSON.
#pragma once

#include "orchestrator/ports/log.h"

namespace baton {

// From here until its end, events `library_message` with library, at and message. One at a time in a process, made
// before gRPC has threads. Their own errors are warnings here: what comes of one for a call is told by the call.
class LibraryLogs {
 public:
  explicit LibraryLogs(Log& log);
  ~LibraryLogs();
  LibraryLogs(const LibraryLogs&) = delete;
  LibraryLogs& operator=(const LibraryLogs&) = delete;
};

// For command lines, which say themselves how a call ended: nothing is printed, unless GRPC_VERBOSITY or GRPC_TRACE
// asks for it.
void QuietLibraries();

}  // namespace baton
