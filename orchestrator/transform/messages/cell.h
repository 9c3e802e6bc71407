// Cells, domains and ping.
#pragma once

#include <optional>

#include "baton/v1/cells.pb.h"
#include "baton/v1/bbs_service.pb.h"
#include "baton/v1/requests.pb.h"
#include "baton/v2/admin_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/domains_service.pb.h"

namespace baton::transform {

// Nothing for a cell that is not there: Diego names those alone whose lock is kept.
std::optional<v1::CellPresence> ToV1(const v2::Cell& cell);
v1::CellsResponse ToV1(const v2::ListCellsResponse& cells);

v2::ListCellsRequest ToV2(const v1::CellsRequest& request);
v2::ListDomainsRequest ToV2(const v1::DomainsRequest& request);
v2::PingRequest ToV2(const v1::PingRequest& request);
v2::UpsertDomainRequest ToV2(const v1::UpsertDomainRequest& request);
v1::DomainsResponse ToV1(const v2::ListDomainsResponse& domains);

}  // namespace baton::transform
