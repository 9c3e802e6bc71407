// A caller of gRPC by hand, over a socket: one that never lets a message through, as no gRPC client can be made to.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/server/raw_link.h"

namespace baton {

// A connection on which calls are begun, filled and cancelled as fast as the other side takes them.
class RawHttp2Connection {
 public:
  struct Options {
    std::string tls = {};  // directory of the client's certificate; empty: plain
    bool reads = true;     // else no answer of a call is ever let through
    bool drains = true;    // else nothing that comes is taken from the socket
  };
  explicit RawHttp2Connection(const std::string& address, const Options& options);
  explicit RawHttp2Connection(const std::string& address) : RawHttp2Connection(address, Options()) {}

  // What comes before the end: a whole call with an empty message, or its headers.
  enum class Sends { kWholeCall, kHeaders };
  void BeginAndCancel(const std::string& method, Sends sends = Sends::kWholeCall);
  // A call that stays open, with so many entries of metadata, each of so many bytes.
  void BeginWith(const std::string& method, std::size_t fillers, std::size_t bytes);
  void Begin(const std::string& method) { BeginWith(method, 0, 0); }
  // A whole call with an empty message.
  void Ask(const std::string& method);
  void Ping();
  // Settings that change nothing, and have to be acknowledged.
  void Settings();
  // What was begun so far goes out. False: the other side has closed the connection.
  bool Flush();
  // How a client begins.
  static std::string Greeting();

 private:
  std::string HeadersFor(const std::string& method);

  RawLink link_;
  const bool drains_;
  std::uint32_t next_ = 1;
  std::string in_table_;  // the method
  std::string out_;
};

class RawHttp2Call {
 public:
  // HOST:PORT. The call's window is 0 and stays so; `message` is the one that it sends, encoded.
  RawHttp2Call(const std::string& address, const std::string& method, const std::string& message);
  ~RawHttp2Call();
  RawHttp2Call(const RawHttp2Call&) = delete;
  RawHttp2Call& operator=(const RawHttp2Call&) = delete;

  struct End {
    int grpc_status = -1;  // -1: it ended without one
    std::string text;      // of the last header block, as it came
  };
  // Answers settings and pings meanwhile, so that the connection itself is well. Nothing: it has not ended in time.
  std::optional<End> Wait(std::chrono::milliseconds timeout);

 private:
  struct Frame {
    std::uint8_t type = 0;
    std::uint8_t flags = 0;
    std::string payload;
  };
  void Send(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, const std::string& payload);
  bool Read(std::string& into, std::size_t bytes, std::chrono::steady_clock::time_point until);
  std::optional<Frame> Next(std::chrono::steady_clock::time_point until);

  int socket_ = -1;
};

}  // namespace baton
