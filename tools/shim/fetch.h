// Getting a file by http, https or file.
#pragma once

#include <string>

#include "orchestrator/model/result.h"

namespace baton {

// Writes it to the open file `fd`. Follows redirects within http and https; tries again where that can help. The error
// does not name the URL, which may hold a password.
Status FetchTo(const std::string& url, int fd);

}  // namespace baton
