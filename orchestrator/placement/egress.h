// Apps with egress rules, and cells that cannot enforce them. Pure.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "orchestrator/model/fleet/cell.h"

namespace baton {

// Words of Definition.needs and of CellHello.abilities: to enforce egress rules; to run what has some without enforcing
// them, where told to.
inline constexpr char kEgressRules[] = "egress_rules";
inline constexpr char kEgressUnenforced[] = "egress_rules.unenforced";

bool Names(const std::vector<std::string>& words, const char* word);

// Asks less of a cell: it need not enforce the egress rules. As it was where the definition has none.
Definition Tolerant(Definition definition);
// A cell that enforces them can be asked for less, too.
void AddTolerance(std::vector<std::string>& abilities);

struct Unenforced {
  int index = 0;
  CellId cell;
  DefinitionId definition;
};
// The app's instances that have egress rules and are on cells that do not enforce them, by slot. What is not known of a cell
// is not claimed.
std::vector<Unenforced> FindUnenforced(const AppState& app, const std::vector<CellRecord>& cells);

}  // namespace baton
