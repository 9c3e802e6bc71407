// Tables of the program in print, asked of the program itself: what docs/generated/roll-law.md, version-law.md,
// upgrade-law.md and metrics.md hold.
#pragma once

#include <string>

namespace baton::law {

// A page of Markdown: the table of every state and event, and the same as a Mermaid diagram.
std::string PrintLaw();
// docs/generated/version-law.md: what a leader does with a database of each version.
std::string PrintVersionLaw();
// docs/generated/upgrade-law.md: the states of an upgrade while everything goes on.
std::string PrintUpgradeLaw();
// docs/generated/metrics.md: what batond measures.
std::string PrintMetrics();

}  // namespace baton::law
