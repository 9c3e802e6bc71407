// batond.conf, cell.conf, router.conf and web.conf: each line of them is taken by the program, and says what the
// program would do without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tools/manual/conf_file.h"
#include "tools/manual/programs.h"

namespace baton::manual {
namespace {

struct Line {
  std::string section;  // "[run]", or empty
  std::string name;
  std::string value;
};

// `#NAME = VALUE`; what is words begins with "# ".
std::vector<Line> LinesOf(const std::string& conf) {
  std::vector<Line> lines;
  std::string section;
  std::istringstream in(conf);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[")) section = line;
    const auto equals = line.find(" = ");
    if (!line.starts_with("#") || line.starts_with("# ") || equals == std::string::npos) continue;
    lines.push_back({section, line.substr(1, equals - 1), line.substr(equals + 3)});
  }
  return lines;
}

// As the program would read it: what is wrong; empty: nothing.
std::string Read(
    const Program& program, const std::string& conf, const std::vector<std::string>& words,
    const std::function<void(CLI::App&)>& look = [](CLI::App&) {}) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("baton-conf-" + std::to_string(getpid()));
  std::ofstream(file) << conf;
  std::string wrong;
  program.with([&](CLI::App& app) {
    std::vector<std::string> all{"--config", file.string()};
    all.insert(all.end(), words.begin(), words.end());
    try {
      app.parse(std::vector<std::string>(all.rbegin(), all.rend()));
      look(app);
    } catch (const CLI::ParseError& error) {
      wrong = error.what();
    }
  });
  std::filesystem::remove(file);
  return wrong;
}

// What the units add.
std::vector<std::string> Words(const std::string& program, const std::string& name) {
  if (program == "batond")
    return name == "embedded" || name == "database" ? std::vector<std::string>()
                                                    : std::vector<std::string>{"--database", "x"};
  if (program == "baton-router" || program == "baton-web") return {"run"};
  std::vector<std::string> words{"run"};
  if (name != "id") words.insert(words.end(), {"--id", "c"});
  if (name != "dir") words.insert(words.end(), {"--dir", "/d"});
  return words;
}

// A value of its kind where there is no default.
std::string Sample(const Line& line) {
  static const std::map<std::string, std::string> kOfKind{
      {"TEXT", "10.0.0.0/8"}, {"DIR", "/d"}, {"NETWORK", "10.0.0.0/8"}};
  const std::string kind = line.value.substr(0, line.value.find_first_of(" :"));
  const auto found = kOfKind.find(kind);
  return found != kOfKind.end()                                ? found->second
         : kind.starts_with("INT") || kind.starts_with("UINT") ? "1"
                                                               : line.value;
}

class ConfFile : public ::testing::TestWithParam<const char*> {};

TEST_P(ConfFile, AsItIsItSaysNothing) {
  const std::string conf = PrintConf(GetParam()).value();
  EXPECT_EQ(Read(*Find(GetParam()), conf, Words(GetParam(), "")), "") << conf;
}

TEST_P(ConfFile, EachLineIsTakenByTheProgram) {
  const std::string program = GetParam();
  const auto lines = LinesOf(PrintConf(program).value());
  EXPECT_GT(lines.size(), 15U);
  for (const Line& line : lines) {
    const std::string conf = line.section + "\n" + line.name + " = " + Sample(line) + "\n";
    bool taken = false;
    const std::string wrong = Read(*Find(program), conf, Words(program, line.name), [&](CLI::App& app) {
      const CLI::App& of = line.section.empty() ? app : *app.get_subcommand("run");
      taken = of.get_option("--" + line.name)->count() > 0;
    });
    EXPECT_EQ(wrong, "") << conf;
    EXPECT_TRUE(taken) << conf;
  }
}

// A name that is mistyped was passed over, and nothing said so.
TEST_P(ConfFile, ANameThatIsNoOptionsIsRefused) {
  const std::string program = GetParam();
  const std::string section = program == "batond" ? "" : "[run]\n";
  EXPECT_THAT(Read(*Find(program), section + "log-levle = \"debug\"\n", Words(program, "")),
              ::testing::HasSubstr("log-levle"));
}

TEST_P(ConfFile, HasEveryOptionThatIsNotForOneStart) {
  const std::string program = GetParam();
  std::set<std::string> there;
  for (const Line& line : LinesOf(PrintConf(program).value())) there.insert(line.name);
  std::set<std::string> wanted;
  Find(program)->with([&](CLI::App& app) {
    const CLI::App& of = program == "batond" ? app : *app.get_subcommand("run");
    for (const CLI::Option* option : Settings(of)) wanted.insert(option->get_lnames().front());
  });
  EXPECT_EQ(there, wanted);
  EXPECT_FALSE(there.contains("accept-store")) << "in a file it would be for each start";
}

// As the cell's unit has it.
TEST(ConfFileText, WhatTheEnvironmentGivesIsNotMissedBehindAFileWithASection) {
  setenv("BATON_CELL_ID", "from-environment", 1);
  setenv("BATON_CELL_DIR", "/environment", 1);
  const auto look = [](CLI::App& app) {
    EXPECT_EQ(app.get_subcommand("run")->get_option("--id")->as<std::string>(), "from-environment");
    EXPECT_EQ(app.get_subcommand("run")->get_option("--dir")->as<std::string>(), "/file") << "the file wins over it";
  };
  EXPECT_EQ(Read(*Find("baton-cell"), "[run]\ndir = \"/file\"\n", {"run"}, look), "");
  unsetenv("BATON_CELL_ID");
  unsetenv("BATON_CELL_DIR");
}

INSTANTIATE_TEST_SUITE_P(OfEach, ConfFile, ::testing::Values("batond", "baton-cell", "baton-router", "baton-web"),
                         [](const auto& program) { return CLI::detail::find_and_replace(program.param, "-", "_"); });

}  // namespace
}  // namespace baton::manual
