// What this cell can enact and what it cannot: the words of CellHello.abilities.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baton/v2/definition.pb.h"

namespace baton {

// "user" only where we can become another.
std::vector<std::string> Abilities(bool is_root);

// Why this cell cannot run it; nothing: it can. The leader does not place such a one here; this is the second means.
// `egress_unenforced`: the operator lets it run although its egress rules are not enforced.
std::optional<std::string> CannotEnact(const v2::LRPDefinition& definition, const std::vector<std::string>& stacks,
                                       bool is_root, bool egress_unenforced = false);

}  // namespace baton
