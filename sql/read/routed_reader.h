// Apps as the routing table needs them: guid, incarnation, how many instances are wanted, HTTP routes, ports of each definition,
// whether it rolls, and of each instance where it is and whether it serves. All else of an app is as by default.
#pragma once

#include <vector>

#include "orchestrator/model/app_state.h"
#include "sql/read/app_reader.h"

namespace baton {

// Their rows, as PostgreSQL sent them.
struct RoutedRows {
  std::vector<ProcessGuid> guids;
  Rows apps;
  Rows definitions;
  Rows actuals;
  Rows rolls;
};
// `guids` in order: all that there are between the first and the last. Within a transaction.
RoutedRows ReadRouted(Session& session, std::vector<ProcessGuid> guids);
// Any apps, and those that are gone: with nothing in them. Within a transaction.
RoutedRows ReadRoutedOf(Session& session, std::vector<ProcessGuid> guids);

LoadedApps Decoded(const RoutedRows& rows, const Cipher& cipher);

}  // namespace baton
