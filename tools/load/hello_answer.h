// The body that a good answer has: {"version":"v1","index":0,"instance":"..."}, more fields allowed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace baton::load {

struct HelloAnswer {
  std::string version;
  int index = 0;
  std::string instance;
};

// Nothing if it is no JSON object with these fields of these types, or the index is below 0 or above 1,000,000.
std::optional<HelloAnswer> ParseHelloAnswer(std::string_view body);

}  // namespace baton::load
