// Exit statuses, and what leads to them.
#pragma once

#include <grpcpp/support/status.h>

#include "baton/v2/roll.pb.h"

namespace baton::cli {

inline constexpr int kDone = 0;
// The server refused the request, or the roll failed, is held, or did not get where it was to go.
inline constexpr int kFailed = 1;
// The command line or a file is wrong; nothing was sent.
inline constexpr int kUsage = 2;
// No batond took the call in time.
inline constexpr int kUnreachable = 3;
// As kDone, of a command that only shows something: what was listed lacks rows that cannot be read; standard error names them.
inline constexpr int kShortOfRows = 4;

// UNAVAILABLE and DEADLINE_EXCEEDED: kUnreachable. Every other refusal: kFailed.
int ExitOf(const grpc::Status& status);

// Nothing more comes without a person: it is finished, or HELD.
bool IsOver(v2::RollState state);
// No more changes at all.
bool IsFinished(v2::RollState state);

// kFailed for HELD, ROLLING_BACK, ROLLED_BACK, COMPLETED_WITH_GAPS, SUPERSEDED and YIELDED: its target does not run
// everywhere, and will not by itself.
int ExitOf(v2::RollState state);

}  // namespace baton::cli
