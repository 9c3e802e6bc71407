// What protobuf and gRPC say by themselves, as lines of the program's own log: raw lines of theirs would be no JSON.
#pragma once

#include "orchestrator/ports/log.h"

namespace baton {

// From here until its end, events `library_message` with library, at and message. One at a time in a process, made
// before gRPC has threads. The libraries' errors become warnings here: a call that fails reports its own error.
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
