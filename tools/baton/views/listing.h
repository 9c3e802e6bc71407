// What `baton get` shows of each kind of thing, as tables. `now`: nanoseconds since 1970.
#pragma once

#include <vector>

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "tools/words/table.h"

namespace baton::cli {

struct TableStyle {
  std::int64_t now = 0;
  bool wide = false;
};

// Apps, with how many of their slots take requests and how far their open rolls are.
Table AppsTable(const v2::ListDesiredLRPsResponse& apps, const v2::ListActualLRPsResponse& instances,
                const v2::ListRollsResponse& open_rolls, const TableStyle& style);
Table InstancesTable(const v2::ListActualLRPsResponse& instances, const TableStyle& style);
Table CellsTable(const v2::ListCellsResponse& cells, const TableStyle& style);
Table RoutersTable(const v2::ListRouteConsumersResponse& routers, const TableStyle& style);
Table RollsTable(const v2::ListRollsResponse& rolls, const TableStyle& style);
Table DefinitionsTable(const v2::ListDefinitionsResponse& definitions, const TableStyle& style);

// "a.example:8080, b.example:8080" of an app's cf-router routes; other routers by name; JSON of another shape as it is.
std::string RouteWords(const v1::ProtoRoutes& routes);
// "127.0.0.1:61003->8080", several separated by ", ".
std::string PortWords(const v1::ActualLRPNetInfo& net_info);
// Of the app: what has a cell and is not RETIRING, by zone and cell: "z1: cell-1 2, cell-2 1; z2: cell-3 3". The zone that an
// instance reported with its start; "-" before that, and where cells have none.
std::string SpreadWords(const v2::ListActualLRPsResponse& instances, const std::string& process_guid);
// A bar and "3 of 12 are gone"; empty: it does not drain.
std::string DrainBar(const v2::Cell& cell);
// What each is kept for, in words, one reason a line.
Table ReasonsTable(const v2::ListDefinitionsResponse& definitions);
// "ACTIVE, HEALTHY"; empty: nothing keeps it.
std::string KeptWords(const v2::Definition& definition);

}  // namespace baton::cli
