// Instances of apps: read whole, locked or not, or as far as they were written since they were read last.
#pragma once

#include <span>
#include <vector>

#include "sql/read/app_reader.h"

namespace baton {

// For all instances of `load.apps`: one where some apps are not known, and one where some are.
std::vector<Session::Step> StepsOfActuals(const AppLoad& load);
// `rows`: what they gave. Fails the transaction, to be tried again, where somebody has removed an instance that
// `load.known` knows.
void TakeActuals(const Cipher& cipher, const AppLoad& load, std::span<const Rows> rows, LoadedApps& loaded);
// Those that are read by themselves (`load.instances`).
void TakeInstances(const Cipher& cipher, const Rows& rows, LoadedApps& loaded);

// With `mended`, what cannot be read gets its default, and it is set where there was such.
Result<ActualLrp> ReadActual(const Rows::Row& row, const Cipher& cipher, bool* mended = nullptr);

}  // namespace baton
