// One HTTP request, for looking whether something answers.
#pragma once

#include <chrono>
#include <string>

namespace baton::stack {

struct HttpAnswer {
  int status = 0;  // 0: there was none
  std::string body;
};

// GET `path` from "host:port" `address`, asking for `host`.
HttpAnswer HttpGet(const std::string& address, const std::string& host, const std::string& path = "/",
                   std::chrono::milliseconds timeout = std::chrono::seconds(5));
// Whether the address accepts connections.
bool Listens(const std::string& address, std::chrono::milliseconds timeout = std::chrono::seconds(1));

}  // namespace baton::stack
