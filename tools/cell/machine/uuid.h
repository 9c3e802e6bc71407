// New instance_guids.
#pragma once

#include <string>

namespace baton {

// A random UUID (version 4).
std::string NewUuid();

}  // namespace baton
