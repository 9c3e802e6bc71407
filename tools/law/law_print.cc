#include "tools/law/law_print.h"

#include "orchestrator/model/names.h"
#include "orchestrator/roll/law.h"
#include "schema/law.h"
#include "schema/online/law.h"

namespace baton::law {
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

std::string Duties(VersionFact fact) {
  std::string duties;
  for (auto duty = Advance(VersionDuty::kCheck, fact); duty; duty = Advance(*duty, VersionFact::kDone)) {
    duties += (duties.empty() ? "" : ", ") + std::string(Name(*duty));
  }
  return duties;
}

std::string VersionDiagram() {
  std::string diagram = "```mermaid\nstateDiagram-v2\n  [*] --> CHECK\n";
  for (int d = 0; d < kVersionDuties; ++d) {
    for (int f = 0; f < kVersionFacts; ++f) {
      const auto duty = static_cast<VersionDuty>(d);
      const auto fact = static_cast<VersionFact>(f);
      if (const auto next = Advance(duty, fact)) {
        diagram += "  " + std::string(Name(duty)) + " --> " + std::string(Name(*next)) + ": " + std::string(Name(fact)) + "\n";
      }
    }
  }
  return diagram + "  SERVE --> [*]\n  SHUT_DOWN --> [*]\n```\n";
}

}  // namespace

std::string PrintVersionLaw() {
  std::string table = "| found: current, target | what the leader does |\n|---|---|\n";
  for (int f = 0; f < kVersionFacts; ++f) {
    const auto fact = static_cast<VersionFact>(f);
    if (fact != VersionFact::kDone) table += "| " + std::string(Name(fact)) + " | " + Duties(fact) + " |\n";
  }
  return "# The law of versions\n\n"
         "Printed by `build/bin/baton-law versions` from the transition table in `schema/law.cc`; a test compares.\n"
         "Each is older than, the same as or newer than the version that the program is built for. `BEGIN` and "
         "`CONTINUE`\n"
         "write the target and migrate, `END` writes both; on an empty database it makes the newest layout. "
         "`SHUT_DOWN`\n"
         "lets go of the lease, writes nothing else, and waits to be upgraded: docs/guide/upgrades.md.\n\n" +
         table + "\n" + VersionDiagram();
}

std::string PrintUpgradeLaw() {
  std::string table = "| state |";
  std::string line = "|---|";
  std::string diagram = "```mermaid\nstateDiagram-v2\n  [*] --> NONE\n";
  for (int e = 0; e < kUpgradeEvents; ++e) {
    table += " " + std::string(Name(static_cast<UpgradeEvent>(e))) + " |";
    line += "---|";
  }
  table += "\n" + line + "\n";
  for (int s = 0; s < kUpgradeStates; ++s) {
    const auto state = static_cast<UpgradeState>(s);
    table += "| " + std::string(Name(state)) + " |";
    for (int e = 0; e < kUpgradeEvents; ++e) {
      const auto event = static_cast<UpgradeEvent>(e);
      const auto next = Advance(state, event);
      table += " " + (next ? std::string(Name(*next)) : "-") + " |";
      if (next) diagram += "  " + std::string(Name(state)) + " --> " + std::string(Name(*next)) + ": " + std::string(Name(event)) + "\n";
    }
    table += "\n";
  }
  return "# The law of online upgrades\n\n"
         "Printed by `build/bin/baton-law upgrade` from the transition table in `schema/online/law.cc`; a test "
         "compares.\n"
         "`-`: nothing happens; asked for by an operator, it is the same again, or FAILED_PRECONDITION "
         "([Upgrades](../guide/upgrades.md)).\n\n" +
         table + "\n" + diagram + "```\n";
}

std::string PrintLaw() {
  return "# The law of roll states\n\n"
         "Printed by `build/bin/baton-law` from the transition table in `orchestrator/roll/law.cc`; a test compares.\n"
         "`-`: refused, FAILED_PRECONDITION where somebody asked for it. A roll that is paused at a stage takes "
         "`pause`\n"
         "as a second reason, and goes on when neither holds. `QUEUED` and its events stand in the law; without a "
         "limit\n"
         "of the fleet ([roadmap](../internals/roadmap.md)) rolls begin in `ROLLING`.\n\n" +
         Table() + "\n" + Diagram();
}

}  // namespace baton::law
