// An app file beside the app that is stored.
#pragma once

#include <optional>

#include "tools/baton/app_file.h"
#include "tools/baton/session.h"

namespace baton::cli {

// The app of that name, with its secrets: they take the place of those that `file` leaves out (hidden.h). Nothing: there
// is none. Throws Failure where a secret is missing in both, and where the app is of another domain.
std::optional<v2::DesiredLRP> Complete(Session& session, AppFile& file);

// Whether the file, completed, is what is stored, field by field. Fields that this version does not know are left aside.
bool IsAsStored(const AppFile& file, v2::DesiredLRP stored);

}  // namespace baton::cli
