// A TCP connection by hand, plain or as a client with a certificate. Nothing waits: who has nothing to read or no room to write
// is told so.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace baton {

class RawLink {
 public:
  // `address`: HOST:PORT. `tls`: a directory with cert.pem and key.pem; empty: plain. Whom it talks to is not asked.
  explicit RawLink(const std::string& address, const std::string& tls = {});
  ~RawLink();
  RawLink(const RawLink&) = delete;
  RawLink& operator=(const RawLink&) = delete;

  // Whether it is there, after its handshake.
  bool open() const { return open_; }
  // How many bytes went; 0: none now. Closes it where the other side has.
  std::size_t Send(const char* bytes, std::size_t count);
  // What has come, and is thrown away. False: the other side has ended it.
  bool Drain();
  // Until something can be read or written.
  void Wait(std::chrono::milliseconds timeout, bool to_write) const;
  // By the other side.
  bool IsClosedWithin(std::chrono::milliseconds timeout);

 private:
  struct Session;
  void Shake(const std::string& tls);

  const int socket_;
  std::unique_ptr<Session> session_;  // null: plain
  bool open_ = true;
};

// A socket that is connected.
int ConnectTo(const std::string& address);

}  // namespace baton
