// The real hello as a child process, on a free port.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/examples/child_process.h"

namespace baton::examples {

// `environment` may set PORT; else it is 0, any free one.
ChildProcess StartHello(std::map<std::string, std::string> environment = {});

// As its first line says; 0 if it ended without one.
std::uint16_t PortOf(ChildProcess& hello);

}  // namespace baton::examples
