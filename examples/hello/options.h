// How this hello behaves: read from the environment, as a Diego cell hands it over. `hello --help` prints the list.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace baton::examples {

struct HelloOptions {
  std::string bind = "127.0.0.1";
  std::uint16_t port = 8080;
  int index = 0;
  std::string instance;
  std::string version = "dev";
  std::chrono::milliseconds start_delay{0};
  std::chrono::milliseconds answer_delay{0};
  std::optional<std::chrono::milliseconds> crash_after;
  int crash_code = 1;
  bool never_ready = false;
};

// What a variable is set to; nullptr: not set. std::getenv, except in tests.
using Environment = std::function<const char*(const char* name)>;

// An empty variable counts as not set. Throws std::invalid_argument naming the variable if its value is not allowed.
HelloOptions ReadHelloOptions(const Environment& environment);

std::string_view HelloHelp();

}  // namespace baton::examples
