#include "tools/law/law_print.h"

#include "orchestrator/model/names.h"
#include "orchestrator/roll/law.h"

namespace baton {
namespace {

std::string Table() {
  std::string table = "| |";
  for (int e = 0; e < kRollEvents; ++e) table += " " + std::string(Name(static_cast<RollEvent>(e))) + " |";
  table += "\n|---|";
  for (int e = 0; e < kRollEvents; ++e) table += "---|";
  table += "\n";
  for (int s = 0; s < kRollStates; ++s) {
    const auto state = static_cast<RollState>(s);
    table += "| **" + std::string(Name(state)) + "** |";
    for (int e = 0; e < kRollEvents; ++e) {
      const auto next = Advance(state, static_cast<RollEvent>(e));
      table += " " + (next ? std::string(Name(*next)) : std::string("-")) + " |";
    }
    table += "\n";
  }
  return table;
}

std::string Diagram() {
  std::string diagram = "```mermaid\nstateDiagram-v2\n  [*] --> ROLLING\n";
  for (int s = 0; s < kRollStates; ++s) {
    for (int e = 0; e < kRollEvents; ++e) {
      const auto state = static_cast<RollState>(s);
      const auto event = static_cast<RollEvent>(e);
      if (const auto next = Advance(state, event)) {
        diagram += "  " + std::string(Name(state)) + " --> " + std::string(Name(*next)) + ": " +
                   std::string(Name(event)) + "\n";
      }
    }
  }
  for (int s = 0; s < kRollStates; ++s) {
    const auto state = static_cast<RollState>(s);
    if (!IsOpen(state)) diagram += "  " + std::string(Name(state)) + " --> [*]\n";
  }
  return diagram + "```\n";
}

}  // namespace

std::string PrintLaw() {
  return "# The law of roll states\n\n"
         "Printed by `build/bin/baton-law` from the transition table in `orchestrator/roll/law.cc`; a test compares.\n"
         "`-`: refused, FAILED_PRECONDITION where somebody asked for it. A roll that is paused at a stage takes "
         "`pause`\n"
         "as a second reason, and goes on when neither holds. `QUEUED` and its events stand in the law, but the "
         "fleet's\n"
         "limit is not built yet: rolls begin in `ROLLING`.\n\n" +
         Table() + "\n" + Diagram();
}

}  // namespace baton
