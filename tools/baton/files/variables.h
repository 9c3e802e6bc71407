// ${NAME} in an app file, and what --set gives for it.
#pragma once

#include <map>
#include <string>

#include "orchestrator/base/result.h"

namespace baton::cli {

using Variables = std::map<std::string, std::string, std::less<>>;

// "NAME=VALUE", NAME of [A-Za-z0-9_] and not empty. kInvalidArgument: not of this form, or given before with another
// value.
Status AddVariable(const std::string& setting, Variables& variables);

// `text` with each ${NAME} replaced by its value, and each $${ by ${; a '$' before anything else stays as it is.
// The process's environment is not looked at: what a file means depends on the command line alone.
// kInvalidArgument: a name that is not set, or a ${ without its }.
Result<std::string> Substitute(const std::string& text, const Variables& variables);

}  // namespace baton::cli
