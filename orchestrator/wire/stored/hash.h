// SHA-256, as 64 lower-case hex digits.
#pragma once

#include <string>
#include <string_view>

namespace baton::wire {

std::string Sha256Hex(std::string_view bytes);

}  // namespace baton::wire
