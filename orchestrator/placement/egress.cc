#include "orchestrator/placement/egress.h"

#include <algorithm>

namespace baton {

bool Names(const std::vector<std::string>& words, const char* word) {
  return std::ranges::find(words, word) != words.end();
}

Definition Tolerant(Definition definition) {
  std::ranges::replace(definition.needs, kEgressRules, kEgressUnenforced);
  return definition;
}

void AddTolerance(std::vector<std::string>& abilities) {
  if (Names(abilities, kEgressRules) && !Names(abilities, kEgressUnenforced)) abilities.push_back(kEgressUnenforced);
}

std::vector<Unenforced> FindUnenforced(const AppState& app, const std::vector<CellRecord>& cells) {
  std::vector<Unenforced> found;
  for (const auto& [id, lrp] : app.actuals) {
    const auto definition = app.definitions.find({lrp.incarnation, lrp.definition});
    if (!MayRun(lrp) || definition == app.definitions.end()) continue;
    if (!Names(definition->second.needs, kEgressRules)) continue;
    const auto cell = std::ranges::find(cells, lrp.cell_id, &CellRecord::id);
    if (cell == cells.end() || Names(cell->abilities, kEgressRules)) continue;
    found.push_back({lrp.index, lrp.cell_id, lrp.definition});
  }
  std::ranges::stable_sort(found, {}, &Unenforced::index);
  return found;
}

}  // namespace baton
