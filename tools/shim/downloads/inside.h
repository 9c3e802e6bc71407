// Paths that a definition names: relative ones, that stay below the instance's root.
#pragma once

#include <string_view>

namespace baton::shim {

// Not absolute, and no ".." in it; empty and "." mean the root itself.
bool StaysInside(std::string_view path);

}  // namespace baton::shim
