// The file of contexts: where it is, and reading and writing it whole.
#pragma once

#include <string>

#include "tools/contexts/contexts.h"

namespace baton {

// BATON_CONTEXT_FILE, or baton/contexts.yaml in XDG_CONFIG_HOME, or in ~/.config. Empty: there is no home.
std::string ContextFile();

// One that is not there has none. INVALID_ARGUMENT with file and line; FAILED_PRECONDITION where it cannot be read.
Result<Contexts> LoadContexts(const std::string& file);
// At once, with mode 0600; its directory is made. What a link points at is replaced, and the link stays.
Status SaveContexts(const std::string& file, const Contexts& contexts);

}  // namespace baton
