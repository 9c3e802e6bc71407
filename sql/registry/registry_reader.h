// Who is registered, as rows: cells, routers, domains. Within a transaction.
#pragma once

#include <vector>

#include "orchestrator/model/domain.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/fleet/egress.h"
#include "orchestrator/model/fleet/route_consumer.h"
#include "sql/session/session.h"

namespace baton {

// A row of ListCells.
CellRecord ReadCell(const Rows::Row& row);

// Each ordered by its name.
std::vector<CellRecord> ReadCells(Session& session);
std::vector<RouteConsumerRecord> ReadRouteConsumers(Session& session);
std::vector<DomainRecord> ReadDomains(Session& session);
// The defaults where the data is of a schema that has no such table.
EgressPolicy ReadEgressPolicy(Session& session);

}  // namespace baton
