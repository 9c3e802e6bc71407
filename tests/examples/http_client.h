// A blocking HTTP client for tests: one connection, requests one after the other.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "examples/hello/asio.h"

namespace baton::examples {

struct HttpReply {
  int status = 0;
  std::string body;
  bool keep_alive = false;
  nlohmann::json Json() const { return nlohmann::json::parse(body); }
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port) { socket_.connect({asio::ip::make_address("127.0.0.1"), port}); }

  void Send(std::string_view target, std::string_view method = "GET") {
    const std::string request =
        std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: a.example\r\n\r\n";
    asio::write(socket_, asio::buffer(request));
  }

  HttpReply Receive() {
    http::response<http::string_body> response;
    http::read(socket_, buffer_, response);
    return {.status = static_cast<int>(response.result_int()),
            .body = response.body(),
            .keep_alive = response.keep_alive()};
  }

  HttpReply Get(std::string_view target, std::string_view method = "GET") {
    Send(target, method);
    return Receive();
  }

  // Waits until the other side closes; true: without another byte.
  bool ReadsEnd() {
    char byte;
    error_code error;
    const std::size_t count = socket_.read_some(asio::buffer(&byte, 1), error);
    return count == 0 && error == asio::error::eof;
  }

 private:
  asio::io_context io_;
  tcp::socket socket_{io_};
  boost::beast::flat_buffer buffer_;
};

}  // namespace baton::examples
