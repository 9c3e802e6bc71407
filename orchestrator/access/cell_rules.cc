#include "orchestrator/access/cell_rules.h"

namespace baton {

bool MayName(const Identity& caller, std::string_view cell_id) {
  return caller.role != Role::kCell || cell_id.empty() || cell_id == caller.name;
}

std::string FilterOf(const Identity& caller, const std::string& cell_id) {
  return caller.role == Role::kCell && cell_id.empty() ? caller.name : cell_id;
}

}  // namespace baton
