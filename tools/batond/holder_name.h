// Under which name this batond holds the lease.
#pragma once

#include <string>

namespace baton::batond {

// `id`; empty: "HOST:PID".
std::string HolderName(const std::string& id);

}  // namespace baton::batond
