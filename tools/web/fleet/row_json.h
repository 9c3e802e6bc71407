// Rows and sums of the fleet as the page reads them (docs/reference/web.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/web/fleet/fleet_table.h"

namespace baton::web {

nlohmann::ordered_json RowJson(const AppRow& row);
nlohmann::ordered_json CountsJson(const FleetCounts& counts);
// Bytes that are no UTF-8 become marks.
std::string Text(const nlohmann::ordered_json& json);

}  // namespace baton::web
