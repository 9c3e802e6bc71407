// Each line that batond, a cell or a router of a scene writes is one of its log, a JSON object with `event`: whoever collects
// logs loses the others. What a program says to whoever started it, before it goes, begins with the program's name.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tools/stack/program.h"

namespace baton {
namespace {

bool IsLogLine(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  return json.is_object() && json.contains("event");
}

class LogLines final : public ::testing::Environment {
 public:
  void SetUp() override {
    stack::Program::OnEnd([this](const stack::Program::Start& start, std::uintmax_t begins) { Read(start, begins); });
  }
  void TearDown() override {
    stack::Program::OnEnd({});
    if (programs_ > 0) std::cout << "log lines: " << lines_ << " of " << programs_ << " programs\n";
  }

 private:
  void Read(const stack::Program::Start& start, std::uintmax_t begins) {
    const std::string program = std::filesystem::path(start.command.front()).filename();
    static const std::set<std::string> kWriteLogs = {"batond", "baton-cell", "baton-router"};
    if (!kWriteLogs.contains(program)) return;
    ++programs_;
    std::ifstream log(start.log);
    log.seekg(static_cast<std::streamoff>(begins));
    for (std::string line; std::getline(log, line);) {
      if (log.eof()) break;  // killed while it wrote this one
      ++lines_;
      if (!IsLogLine(line) && !line.starts_with(program + ": ")) {
        ADD_FAILURE() << start.name << " wrote a line that is no JSON: " << line;
      }
    }
  }

  std::uintmax_t lines_ = 0;
  int programs_ = 0;
};

[[maybe_unused]] const ::testing::Environment* const kLogLines = ::testing::AddGlobalTestEnvironment(new LogLines);

}  // namespace
}  // namespace baton
