// Fetches as the app's user: an app cannot have us fetch what it could not fetch itself.
#pragma once

#include <string>

#include "tools/shim/downloads/fetch.h"

namespace baton::shim {

// FetchTo, of http and https in a process of the user's that has nothing open but `fd`; file: URLs lead to what the
// operator gave, and are read as we are. An empty user, or the present one: as we are. The error is UNAVAILABLE.
Status FetchAs(const std::string& user, const std::string& url, int fd, const FetchLimits& limits);

}  // namespace baton::shim
