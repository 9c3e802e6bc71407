// The roll law in print, asked of the law itself: what docs/roll-law.md holds.
#pragma once

#include <string>

namespace baton {

// A page of Markdown: the table of every state and event, and the same as a Mermaid diagram.
std::string PrintLaw();

}  // namespace baton
