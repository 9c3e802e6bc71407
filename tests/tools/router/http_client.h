// A strict HTTP client: whatever is not a whole answer is an error, and nothing is tried twice.
#pragma once

#include <map>
#include <string>

#include "orchestrator/base/unique_fd.h"

namespace baton::router {

struct HttpAnswer {
  int status = 0;  // 0: none, see error
  std::string error;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string Header(const std::string& name) const;
};

class HttpClient {
 public:
  explicit HttpClient(int port) : port_(port) {}

  // Over the connection of the last request if the server kept it, else over a new one.
  HttpAnswer Get(const std::string& host, const std::string& path = "/", const std::string& more_headers = "");
  bool connected() const { return fd_.valid(); }
  void Close() { fd_ = UniqueFd(); }
  // In two steps, to hold a request in flight without a thread.
  std::string Send(const std::string& host, const std::string& path, const std::string& more_headers = "");
  HttpAnswer Receive();
  int fd() const { return fd_.get(); }

 private:
  int port_;
  UniqueFd fd_;
};

// One request over a connection of its own.
HttpAnswer GetOnce(int port, const std::string& host, const std::string& path = "/");

}  // namespace baton::router
