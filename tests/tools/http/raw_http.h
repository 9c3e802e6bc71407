// A client that sends what a test says, byte for byte.
#pragma once

#include <map>
#include <string>

namespace baton {

struct RawAnswer {
  int status = 0;  // 0: none came, the connection was closed or nothing was said for ten seconds
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class RawHttp {
 public:
  // To 127.0.0.1.
  explicit RawHttp(int port);
  ~RawHttp();
  RawHttp(RawHttp&& other) noexcept;
  RawHttp(const RawHttp&) = delete;
  RawHttp& operator=(const RawHttp&) = delete;

  bool Send(const std::string& bytes);
  // Nothing more will be sent; answers may still come.
  void SendNoMore();
  // The next answer, with its body: as long as its head says, or chunked.
  RawAnswer Read();
  // Reads until `text` has come; everything so far. Without it: until the end.
  std::string ReadUntil(const std::string& text);
  // The other side has closed the connection.
  bool Ended();
  // The socket, which is the caller's from here on.
  int Release();
  // Ends with a reset.
  void Drop();

  // Reads what comes next; false: the other side is done, or said nothing for ten seconds.
  bool More();
  // What was read and not taken by Read.
  const std::string& got() const { return got_; }

 private:
  int socket_ = -1;
  std::string got_;
};

// A request with the headers that the page sends.
std::string GetText(const std::string& path, const std::string& more = "");
std::string PostText(const std::string& path, const std::string& body, const std::string& more = "");

}  // namespace baton
