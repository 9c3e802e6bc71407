// Getting a file by http, https or file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/calls/allowed_hosts.h"

namespace baton::shim {

struct FetchLimits {
  std::uint64_t bytes_max = 0;
  std::string file_dir;  // file: URLs lead below it; empty: they are refused
  std::vector<IpNetwork> networks = {};  // connected to although the rule below refuses them
  std::string proxy = {};                // URL of one for http and https; empty: none, whatever the environment says
};

// Whether a download may come from there. Where `networks` do not say so it comes neither from this machine's loopback
// nor from what is no machine's (link-local, where clouds tell a machine's credentials, multicast, unspecified).
bool MayFetchFrom(const IpAddress& address, const std::vector<IpNetwork>& networks);

// Writes it to the open file `fd`, never more than the limit. Follows redirects that stay with the URL's scheme; each
// address is asked about just before it is connected to. A proxy is connected to wherever it is, and looks names up
// by itself. Tries again where that can help. The error does not name the URL, which may hold a password.
Status FetchTo(const std::string& url, int fd, const FetchLimits& limits);

bool IsFileUrl(const std::string& url);

}  // namespace baton::shim
