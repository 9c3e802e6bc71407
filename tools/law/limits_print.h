// The page of what the API takes, made from the .proto files.
#pragma once

#include <string>

namespace baton::law {

std::string PrintLimits();

}  // namespace baton::law
