// A cell's messages as values, and orders as messages.
#pragma once

#include "baton/v2/cells_service.pb.h"
#include "orchestrator/app/cells/cell_link.h"
#include "orchestrator/app/cells/cells.h"

namespace baton {

inline constexpr int kCellProtocol = 1;
inline constexpr int kReportsMax = 1000;
inline constexpr std::size_t kOutputBytesMax = 256 * 1024;
inline constexpr std::size_t kPlaceBytesMax = 64;

// INVALID_ARGUMENT naming the field; FAILED_PRECONDITION where the protocol is another.
Result<CellGreeting> GreetingFrom(const v2::CellHello& hello);
Result<CellReport> ReportFrom(const v2::CellReport& message);
// What is longer than it may be is cut.
CellOutput OutputFrom(const v2::CellOutput& message);
v2::LeaderToCell ToMessage(const CellOrders& orders);
v2::Cell ToMessage(const CellRecord& record, const Cells::View* view);

}  // namespace baton
