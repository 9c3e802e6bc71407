// Ends a TCP connection of this process. gRPC lets no handler do that: a call knows its peer's address, and no more.
#pragma once

#include <string>
#include <vector>

namespace baton::bounds {

// `peer`: as gRPC names it, "ipv4:127.0.0.1:40312". How many connections to there were ended: 0 where it is gone already, or
// no such address. gRPC finds it closed, as if the peer had done it, and nothing of what has come and was not read yet: megabytes of
// calls may wait in the system's buffer.
int CutConnection(const std::string& peer);

// Who is connected with a port of this process, as gRPC names them.
std::vector<std::string> PeersAt(int port);

}  // namespace baton::bounds
