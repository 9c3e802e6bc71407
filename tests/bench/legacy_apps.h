// A database of schema 1.1 with many apps, as Cloud Foundry has them.
#pragma once

#include <functional>
#include <string>

#include "sql/session/session.h"

namespace baton::bench {

inline constexpr int kLegacyInstances = 5;  // of each app, all of them running
inline constexpr int kLegacyCells = 100;    // "cell-0" and so on

std::string LegacyGuid(int number);

// In one transaction; CHECKs that it did what it was told.
void Within(Session& session, const std::function<void(Session&)>& body);

// In an empty database; vacuumed afterwards.
void MakeLegacyApps(Session& session, int count);

}  // namespace baton::bench
