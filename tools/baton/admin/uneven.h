// Finds apps whose spread may be uneven: candidates for `admin rebalance`.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/cells_service.pb.h"

namespace baton::cli {

// Apps with two more instances in one zone than in another, or on one cell than on another; the most uneven first.
// Cells that drain or are not connected are left out, and so is what retires. Whether a move helps is batond's to say: it
// knows what fits where.
std::vector<std::string> UnevenApps(const v2::ListActualLRPsResponse& instances, const v2::ListCellsResponse& cells);

}  // namespace baton::cli
