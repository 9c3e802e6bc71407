// A caller of gRPC by hand, over a socket: one that never lets a message through, as no gRPC client can be made to.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace baton {

// A connection on which nothing is ever said.
class QuietConnection {
 public:
  explicit QuietConnection(const std::string& address);  // HOST:PORT
  ~QuietConnection();
  QuietConnection(const QuietConnection&) = delete;
  QuietConnection& operator=(const QuietConnection&) = delete;
  // By the other side.
  bool IsClosedWithin(std::chrono::milliseconds patience);

 private:
  const int socket_;
};

// A connection on which calls are begun, filled and cancelled as fast as the other side takes them.
class RawHttp2Connection {
 public:
  explicit RawHttp2Connection(const std::string& address);
  ~RawHttp2Connection();
  RawHttp2Connection(const RawHttp2Connection&) = delete;
  RawHttp2Connection& operator=(const RawHttp2Connection&) = delete;

  // A whole call without a byte in its message, and its end.
  void BeginAndCancel(const std::string& method);
  // A call that stays open. `filler`: bytes of metadata.
  void Begin(const std::string& method, std::size_t filler = 0);
  void Ping();
  // What was begun so far goes out. False: the other side has closed the connection.
  bool Flush();

 private:
  bool Drain();  // false: the other side has ended it
  const int socket_;
  std::uint32_t next_ = 1;
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
  std::optional<End> Wait(std::chrono::milliseconds patience);

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
