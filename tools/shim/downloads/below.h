// Going down from an open directory by a path that somebody else wrote: no symbolic link is followed on the way, so
// where it ends is below where it began. As openat2 with RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS, on every kernel; and
// it makes what is missing, which openat2 does not.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/base/unique_fd.h"

namespace baton {

enum class Missing { kRefused, kMade };

// The directory `path` below `from` (AT_FDCWD: the present one). Refused: "..", a path from '/', a link or a file in it.
Result<UniqueFd> OpenDirectoryBelow(int from, const std::string& path, Missing missing);
// A regular file, to be read.
Result<UniqueFd> OpenFileBelow(int from, const std::string& path);

}  // namespace baton
