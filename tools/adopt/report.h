// The report of an adoption, for people and for programs. Lines come from `into` in pages: there may be many.
#pragma once

#include <ostream>

#include "tools/adopt/adoption.h"

namespace baton::adopt {

// What was taken over, and each row and field that was not; notes as numbers.
Status WriteText(std::ostream& out, const Summary& summary, Session& into);
// All of it, notes too.
Status WriteJson(std::ostream& out, const Summary& summary, Session& into);

}  // namespace baton::adopt
