// The page of what the API takes, made from the .proto files.
#pragma once

#include <string>

namespace baton {

std::string PrintLimits();

}  // namespace baton
