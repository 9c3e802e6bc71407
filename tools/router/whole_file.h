// Files that are there whole or not at all.
#pragma once

#include <string>

#include "orchestrator/base/result.h"

namespace baton::router {

// Writes beside it, then renames.
Status WriteWholeFile(const std::string& path, const std::string& text);

}  // namespace baton::router
