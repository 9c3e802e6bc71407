// Resolves an untrusted path below an open directory. It follows no symbolic link, so the result is below the start. As
// openat2 with RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS, on every kernel; unlike openat2 it creates missing directories.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/base/unique_fd.h"

namespace baton::shim {

enum class Missing { kRefused, kMade };

// The directory `path` below `from` (AT_FDCWD: the present one). Refused: "..", a path from '/', a link or a file in it.
Result<UniqueFd> OpenDirectoryBelow(int from, const std::string& path, Missing missing);
// A regular file, to be read.
Result<UniqueFd> OpenFileBelow(int from, const std::string& path);

}  // namespace baton::shim
