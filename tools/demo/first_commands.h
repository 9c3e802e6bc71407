// What somebody who sees Baton for the first time can try while the stack is up.
#pragma once

#include <string>

#include "tools/stack/stack.h"

namespace baton {

// A line each, indented. `hostname`: of the app that is there; empty: none is.
std::string FirstCommands(const Stack& stack, const std::string& hostname);

}  // namespace baton
