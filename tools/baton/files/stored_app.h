// An app file beside the app that is stored.
#pragma once

#include <optional>

#include "tools/baton/files/app_file.h"
#include "tools/baton/session.h"

namespace baton::cli {

struct StoredApp {
  std::optional<v2::DesiredLRP> app;  // with its secrets; nothing: there is none, or it cannot be read
  std::string unreadable;             // why it cannot be read; empty: it can, or there is none
};

// The app of that name. Its secrets take the place of those that `file` leaves out (hidden.h). Throws Failure where a
// secret is missing in both, and where the app is of another domain.
StoredApp Complete(Session& session, AppFile& file);

// Of a command that has to compare a file with an app that cannot be read, or that batond cannot plan an update of.
Failure CannotCompare(const std::string& guid, const std::string& why);

// Whether the file, completed, is what is stored, field by field. Fields that this version does not know are left aside.
bool IsAsStored(const AppFile& file, v2::DesiredLRP stored);

}  // namespace baton::cli
