// One connection of a client: requests one after the other, for as long as the client keeps it open.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "examples/hello/answer.h"
#include "examples/hello/asio.h"

namespace baton::examples {

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // `on_end` is called from the destructor. `state` must live longer.
  Connection(tcp::socket socket, HelloState& state, std::function<void(Connection*)> on_end);
  ~Connection();

  void Start() { Read(); }

  // Ends after the request in flight. Without one: at once, but a client that has not asked anything yet is given
  // a second, because its first request may be on its way.
  void Drain();

 private:
  void Read();
  void WaitToAnswer(Answer answer);
  void Write(Answer answer);
  void Close();
  // No byte of a request has come since the last answer.
  bool Idle();

  tcp::socket socket_;
  HelloState& state_;
  std::function<void(Connection*)> on_end_;
  asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  bool reading_ = false;
  bool asked_before_ = false;
  bool draining_ = false;
};

}  // namespace baton::examples
