// Keys that make a repeated write one write.
#pragma once

#include <string>

#include "orchestrator/base/uuid.h"

namespace baton::cli {

// A random UUID (version 4), new with each call.
inline std::string NewIdempotencyKey() { return RandomUuid(); }

}  // namespace baton::cli
