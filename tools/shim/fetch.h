// Getting a file by http, https or file.
#pragma once

#include <cstdint>
#include <string>

#include "orchestrator/model/result.h"

namespace baton {

struct FetchLimits {
  std::uint64_t bytes_max = 0;
  std::string file_dir;  // file: URLs lead below it; empty: they are refused
};

// Writes it to the open file `fd`, never more than the limit. Follows redirects that stay with the URL's scheme; tries
// again where that can help. The error does not name the URL, which may hold a password.
Status FetchTo(const std::string& url, int fd, const FetchLimits& limits);

bool IsFileUrl(const std::string& url);

}  // namespace baton
