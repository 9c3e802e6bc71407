// The routes and ports that apps have in the simulation. Pure but for the dice.
#pragma once

#include <map>
#include <vector>

#include "orchestrator/model/definition.h"
#include "orchestrator/model/route.h"
#include "tests/sim/rng.h"

namespace baton::sim {

// One to three; always the same for one definition, because they are its content.
std::vector<std::uint32_t> PortsOf(const DefinitionId& id);

// One to four routes of the app, mapped to some of these ports.
Routes SomeRoutes(Rng& rng, const ProcessGuid& guid, const std::vector<std::uint32_t>& ports);

// What some port of an older definition is called in one with these ports.
std::map<std::uint32_t, std::uint32_t> SomeAliases(Rng& rng, const std::vector<std::uint32_t>& ports);

}  // namespace baton::sim
