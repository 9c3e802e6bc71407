// Unpacking an archive that came from elsewhere: nothing of it lands outside the folder.
#pragma once

#include <string>

#include "orchestrator/model/result.h"

namespace baton {

// tar (also gzipped, bzipped, xz), or zip; into the present directory, which the caller has chosen. Modes are kept but
// for set-user bits, owners are not. Absolute names, "..", names through symbolic links and devices are refused.
Status UnpackHere(int archive_fd);

}  // namespace baton
