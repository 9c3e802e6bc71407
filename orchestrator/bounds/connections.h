// The connections of a server as counted by gRPC (channelz), also while one keeps it too busy to call handlers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::bounds {

struct Connection {
  std::int64_t id = 0;  // a later one has a higher one
  std::string peer;     // as gRPC names it, "ipv4:127.0.0.1:40312"
};

struct ConnectionState {
  std::int64_t calls_held = 0;       // begun, and their memory is not free yet; those that the caller has cancelled, too
  std::int64_t calls_cancelled = 0;  // ended without an answer, since it is there
  std::string certificate;           // of the caller, PEM; empty: it has shown none
};

class Connections {
 public:
  // Of the server of this process that listens on `port`. gRPC names it as it was asked for: one that was told to take any port (0) is
  // not found, and has no connections here.
  explicit Connections(int port) : port_(port) {}

  struct Calls {
    std::int64_t held = 0;    // begun and not answered
    std::int64_t failed = 0;  // since the server is there
    std::int64_t started = 0;
  };
  // Of all of them: cheap.
  Calls CallsOfAll();
  // Whose handshake is over, oldest first.
  std::vector<Connection> All();
  // Nothing: it has ended.
  static std::optional<ConnectionState> StateOf(const Connection& connection);
  int port() const { return port_; }

 private:
  bool FindServer();

  const int port_;
  std::int64_t server_ = 0;
};

}  // namespace baton::bounds
