// Commands for a new user to try while the stack is up.
#pragma once

#include <string>

#include "tools/stack/stack.h"

namespace baton::demo {

// A line each, indented. `hostname`: of the app that is there; empty: none is. `way`: the options that lead
// `baton` to batond (dev_context.h), with a space behind it.
std::string FirstCommands(const stack::Stack& stack, const std::string& hostname, const std::string& way);

}  // namespace baton::demo
