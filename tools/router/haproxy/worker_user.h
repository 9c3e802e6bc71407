// The user of HAProxy's workers if the router is root: an unprivileged one, because workers parse untrusted input.
#pragma once

#include <string>

#include "orchestrator/base/result.h"

namespace baton::router {

inline constexpr char kHaproxyUser[] = "haproxy";  // Debian's package makes it

// Empty: this process is not root, and neither are they. FAILED_PRECONDITION where there is no such user, or he cannot reach
// `dir`, where a worker that is replaced hands its requests on to the next one.
Result<std::string> WorkerUser(const std::string& name, const std::string& dir);

// Whether each folder on the way to `dir`, and it, can be entered by that user.
bool MayEnter(const std::string& dir, unsigned uid, unsigned gid);

}  // namespace baton::router
