// What callers may have of which gRPC knows nothing. Of one caller: by its certificate, so with TLS alone.
#pragma once

#include "orchestrator/base/time.h"
#include "orchestrator/bounds/connection_book.h"
#include "orchestrator/bounds/request_bytes.h"

namespace baton {

// When a caller who has as much as one may have is worth hearing again.
inline constexpr Duration kCallerRetryAfter = milliseconds(500);

struct CallerLimits {
  bounds::ConnectionLimits connections = {};
  int rapid_cancels = 200;                            // of a connection in 10 s, each within a second of its call's begin
  int calls = 200;                                    // with one answer, of one caller at once
  int connection_age_s = 3600;                        // then it takes no new calls, and its caller connects again
  int metadata_entries = 64;                          // of a call, with TLS
  int request_mib = bounds::kCallersBytesMax >> 20;   // of one caller's requests that are read and not answered
};

}  // namespace baton
