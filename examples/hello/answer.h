// What hello answers to a request: decided here, sent by Connection.
#pragma once

#include <chrono>
#include <string>

#include "examples/hello/asio.h"
#include "examples/hello/options.h"

namespace baton::examples {

struct Answer {
  http::status status = http::status::ok;
  // JSON.
  std::string body;
  // How long to wait before it is sent.
  std::chrono::milliseconds wait{0};
};

// What there is to know about this process when it answers.
struct HelloState {
  HelloOptions options;
  bool ready = false;
  std::uint64_t answered = 0;
};

// `target` is the path with its query, as in the request line.
Answer DecideAnswer(const HelloState& state, http::verb method, std::string_view target);

}  // namespace baton::examples
