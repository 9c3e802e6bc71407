// What a cell may say of cells: a cell speaks for itself, by the name in its certificate, and sees itself alone.
#pragma once

#include <string>
#include <string_view>

#include "orchestrator/access/identity.h"

namespace baton {

// Whether the caller may name this cell: as its own name, as the holder of an instance, as the one that drains. An empty one names
// nobody, and is refused or filled in elsewhere. Who is no cell is asked by role alone.
bool MayName(const Identity& caller, std::string_view cell_id);

// Of which cell a list or a subscription is. A cell's is of itself, where it does not say.
std::string FilterOf(const Identity& caller, const std::string& cell_id);

}  // namespace baton
