// One connection to a TCP route; see TcpInstance.
#pragma once

#include <string>

#include "orchestrator/base/unique_fd.h"

namespace baton::router {

class TcpClient {
 public:
  explicit TcpClient(int port);

  // Up to a line's end; empty if the connection was refused, or is closed.
  std::string ReadLine();
  // Whether what is sent comes back.
  bool Echoes(const std::string& text);
  void Close() { fd_ = UniqueFd(); }

 private:
  UniqueFd fd_;
};

// The name of who answers there; empty: refused, or closed.
std::string WhoAnswers(int port);

}  // namespace baton::router
