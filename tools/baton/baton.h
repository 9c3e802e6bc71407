// The program `baton`, without its process.
#pragma once

#include <string>
#include <vector>

#include "tools/baton/io.h"

namespace baton::cli {

// Runs one command line (without the program's name) and gives the exit status (outcome.h). What a command prints goes
// to io.out; a sentence for every other status than 0 goes to io.err.
int Run(const std::vector<std::string>& words, Io& io);

}  // namespace baton::cli
