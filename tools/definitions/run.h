// The program behind its command line.
#pragma once

#include <functional>
#include <ostream>

#include "tools/definitions/options.h"

namespace baton::definitions {

enum DefinitionsExit { kExitFine = 0, kExitFaults = 1, kExitUsage = 2, kExitUnreachable = 3 };

struct DefinitionsStreams {
  std::ostream& out;
  std::ostream& err;
  // Asked between pages: true ends the reading.
  std::function<bool()> interrupted = [] { return false; };
};

// All that is read is of one instant, in one read-only transaction.
DefinitionsExit RunDefinitions(const DefinitionsOptions& options, const DefinitionsStreams& streams);

}  // namespace baton::definitions
