// What a client may take of the server.
#pragma once

#include <chrono>
#include <cstddef>

namespace baton::http {

struct Limits {
  std::size_t head = 8 * 1024;                 // bytes; more: 431
  std::size_t body = 1024 * 1024;              // bytes; more: 413
  std::size_t connections = 512;               // more are closed at once
  std::size_t behind = 256 * 1024;             // bytes of a stream that wait for its reader (Exchange::Behind)
  std::chrono::milliseconds for_head{10'000};  // from its first byte, or from the connection, to its end
  std::chrono::milliseconds for_body{30'000};
  std::chrono::milliseconds idle{75'000};       // between two requests of a connection
  std::chrono::milliseconds for_write{30'000};  // of one piece: a reader that takes nothing for so long is cut off
};

}  // namespace baton::http
