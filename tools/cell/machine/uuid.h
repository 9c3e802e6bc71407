// New names for starts of instances.
#pragma once

#include <string>

namespace baton {

// A random UUID (version 4).
std::string NewUuid();

}  // namespace baton
