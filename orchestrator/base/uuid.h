// Random UUIDs (version 4), from the operating system's random.
#pragma once

#include <string>

namespace baton {

// A new one with each call; 36 characters, in lower case.
std::string RandomUuid();

}  // namespace baton
