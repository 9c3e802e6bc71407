// Compares an app in two layouts: both are converted to 1.x (schema/legacy/apps/join.h), and then compared.
#pragma once

#include <string>

#include "schema/legacy/apps/app.h"

namespace baton {

// All of it that both layouts hold, in one form: equal bytes, equal app. The order of instances says nothing. Internal
// routes and metric tags of instances are left out: they follow from the app.
std::string InStepBytes(const LegacyApp& app);

// SHA-256 of them, 64 hex digits. Both layouts are in step where it is the same for Join(Split(old)) and Join(new).
std::string InStepDigest(const LegacyApp& app);

}  // namespace baton
