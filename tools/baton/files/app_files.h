// The app files that a command line names.
#pragma once

#include <vector>

#include "tools/baton/files/app_file.h"
#include "tools/baton/session.h"

namespace baton::cli {

// All files are read before anything is sent: a mistake in the last one must not leave the first ones applied. Throws
// Failure where one cannot be read, is wrong, or names an app a second time.
std::vector<AppFile> ReadAppFiles(Session& session);

}  // namespace baton::cli
