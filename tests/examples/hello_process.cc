#include "tests/examples/hello_process.h"

#include <nlohmann/json.hpp>

namespace baton::examples {

ChildProcess StartHello(std::map<std::string, std::string> environment) {
  environment.try_emplace("PORT", "0");
  return ChildProcess({.program = BATON_HELLO, .environment = std::move(environment)});
}

std::uint16_t PortOf(ChildProcess& hello) {
  const std::string line = hello.FirstLine();
  return line.empty() ? 0 : nlohmann::json::parse(line).at("port").get<std::uint16_t>();
}

}  // namespace baton::examples
