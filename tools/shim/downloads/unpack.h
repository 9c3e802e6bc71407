// Unpacking an archive that came from elsewhere: nothing of it lands outside the folder.
#pragma once

#include <cstdint>

#include "orchestrator/base/result.h"

namespace baton::shim {

struct UnpackLimits {
  std::uint64_t bytes_max = 0;  // of all its files together, unpacked
  std::uint64_t entries_max = 200'000;
  int depth_max = 64;  // folders in a name
};

// tar (also packed by gzip, bzip2, xz or zstd), or zip; into the present directory, which the caller has chosen. Modes
// are kept but for set-user bits, owners are not. Absolute names, "..", names through symbolic links and devices are
// refused, and what is more than the limits; what came before it stays.
Status UnpackHere(int archive_fd, const UnpackLimits& limits);

}  // namespace baton::shim
