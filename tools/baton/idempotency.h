// Keys that make a repeated write one write.
#pragma once

#include <string>

namespace baton::cli {

// A random UUID (version 4), new with each call.
std::string NewIdempotencyKey();

}  // namespace baton::cli
