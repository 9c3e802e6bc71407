// What a result holds, or the failure of the command.
#pragma once

#include <utility>

#include "orchestrator/base/result.h"
#include "tools/baton/failure.h"
#include "tools/baton/outcome.h"

namespace baton::cli {

// What the command line says wrongly is its own kind of failure; all others end with `exit_status`.
template <class T>
T ValueOf(Result<T> result, int exit_status = kFailed) {
  if (result) return *std::move(result);
  throw Failure(result.error().kind == ErrorKind::kInvalidArgument ? kUsage : exit_status, result.error().message);
}

}  // namespace baton::cli
