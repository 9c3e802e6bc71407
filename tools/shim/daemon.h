// Detaches from the parent: neither its death nor a signal to its process group reaches this process.
#pragma once

#include <functional>
#include <string>

namespace baton::shim {

// Runs `serve` in a process of its own session, adopted by init, with nothing inherited but an error log. Returns in
// the first process, with the exit code that `serve` gave to its `tell` (0: it is up), or 1 if it died before.
using Tell = std::function<void(int exit_code)>;
int Detach(const std::string& error_log, const std::function<void(const Tell&)>& serve);

}  // namespace baton::shim
