#include "tests/schema/pg_tools.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tools/embedded_postgres/command.h"

namespace baton::testing {
namespace {

// The newest one: an older pg_dump refuses a newer server.
std::string Program(const std::string& name) {
  std::string newest;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql")) {
    const std::string path = version.path() / "bin" / name;
    if (std::filesystem::exists(path)) newest = std::max(newest, path);
  }
  EXPECT_NE(newest, "") << name << " is not installed";
  return newest;
}

}  // namespace

std::string PgProgram(std::vector<std::string> command) {
  command[0] = Program(command[0]);
  const auto result = RunCommand(command, std::nullopt);
  EXPECT_TRUE(result.ok() && result->exit_status == 0) << (result ? result->output : result.error().message);
  return result ? result->output : "";
}

std::string PgDump(const std::string& url, const std::vector<std::string>& options) {
  std::vector<std::string> command = {"pg_dump", "--no-owner", "--no-privileges", "--no-comments", "-d", url};
  command.insert(command.end(), options.begin(), options.end());
  return Normalised(PgProgram(command));
}

std::string Normalised(const std::string& dump) {
  std::istringstream lines(dump);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    // Newer ones write "\restrict" with a word of chance.
    const bool noise = line.empty() || line.starts_with("--") || line.starts_with("SET ") || line.starts_with("\\") ||
                       line.starts_with("SELECT pg_catalog.set_config(");
    if (!noise) text += line + "\n";
  }
  return text;
}

std::string Psql(const std::string& url, const std::string& query) {
  return PgProgram({"psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", query});
}

}  // namespace baton::testing
