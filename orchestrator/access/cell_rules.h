// What a cell may say and see: a cell speaks for itself, by the name in its certificate, of what was placed on it, and of addresses
// that are its own. Pure; what is of an instance is asked within the transaction that decides, of the row as it is locked there.
// Source: Kubernetes' Node authorizer and NodeRestriction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/route.h"

namespace baton {

// Whether the caller may name this cell: as its own name, as the holder of an instance, as the one that drains. An empty one names
// nobody, and is refused or filled in elsewhere. Who is no cell is asked by role alone.
bool MayName(const Identity& caller, std::string_view cell_id);

// Of which cell a list or a subscription is. A cell's is of itself, where it does not say.
std::string FilterOf(const Identity& caller, const std::string& cell_id);

// A cell, and how it stands to an instance.
struct CellStanding {
  CellId cell;
  bool ordered = false;  // the leader has asked it to run this very instance, and it has not answered
  bool pulls = false;    // it may take what waits without having been asked (Diego's cells)
};

// A claim under this name of a start: it has been asked, or may take what waits; again what it has already.
bool MayClaim(const ActualLrp& row, const InstanceGuid& start, const CellStanding& by);
// Why it does not run there: it has it, or has been asked, or might have taken it.
bool MayReject(const ActualLrp& row, const CellStanding& by);
// Its app's definition, with the secrets.
bool MayReadDefinitionOf(const ActualLrp& row, const CellStanding& by);

// Where a cell may say that its instances answer.
struct CellPlace {
  bool anywhere = false;             // no rule restricts its place
  std::vector<IpAddress> addresses;  // of its certificate
  std::vector<IpNetwork> networks;   // that it was given
  bool loopback = false;             // batond listens on loopback itself: all is on one machine
  std::optional<PortSpan> ports;     // of its registration
};
inline constexpr std::uint32_t kInstancePortMin = 1024;
// FAILED_PRECONDITION with what it may say.
Status CheckPlace(const CellPlace& place, const NetInfo& said);

}  // namespace baton
