// The cell's own values as the protocol's messages.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/cells_service.pb.h"
#include "tools/cell/cell_options.h"
#include "tools/cell/instances/record.h"

namespace baton::cell {

inline constexpr int kProtocolVersion = 1;

InstanceOrder OrderOf(const v2::RunOrder& order);
v2::Resources AsMessage(const Resources& resources);
v2::CellReport::Rejected::Lack AsMessage(Lack lack);

// A hello without instances.
v2::CellHello GreetingOf(const CellOptions& options, const std::vector<std::string>& enforces);
// Its ports are the instance's, too: of a cell that was started with others before.
void AddPorts(v2::CellHello& hello, const InstanceRecord& record);
// What is over but not answered yet is in hand too, as what it was: else the leader would take it for lost, and its
// last report would come too late.
v2::CellInstance InHand(const InstanceRecord& record, const std::string& address);
// The present fact; without an id.
v2::CellReport ReportOf(const InstanceRecord& record, const CellOptions& options);

}  // namespace baton::cell
