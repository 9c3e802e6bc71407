// What a program says of a file of --config that it cannot take.
#include "tools/command_line/config_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tools/command_line/mistake.h"

namespace baton {
namespace {

// What batond says of this --config, without its name in front.
std::string ToldOf(const std::string& file, std::vector<std::string> given = {}) {
  CLI::App app("A program", "/usr/bin/batond");
  std::string value, database;
  int history = 0;
  TakeConfigFile(app, "File", "BATON_TEST_CONFIG");
  app.add_option("--listen", value);
  app.add_option("--history", history)->check(CLI::Range(0, 100));
  app.add_option_group("database")->add_option("--database", database)->required();
  CLI::App* run = app.add_subcommand("run", "");
  run->configurable();
  run->add_option("--address", value);
  app.add_subcommand("ps", "");
  std::ostringstream out, err;
  given.insert(given.end(), {"--config", file});
  try {
    app.parse(std::vector<std::string>(given.rbegin(), given.rend()));
  } catch (const CLI::ParseError& error) {
    EXPECT_EQ(EndOf(app, error, out, err), kMistaken);
  }
  std::string said = err.str();
  const std::string begin = "batond: ", end = "; see batond --help\n";
  if (said.starts_with(begin)) said = said.substr(begin.size());
  if (said.ends_with(end)) said.resize(said.size() - end.size());
  const std::size_t at = said.find(file);
  return at == std::string::npos ? said : said.replace(at, file.size(), "FILE");
}

std::string ToldOfFile(const std::string& text, const std::vector<std::string>& given = {}) {
  const std::string file = ::testing::TempDir() + "/mistaken.conf";
  std::ofstream(file) << text;
  return ToldOf(file, given);
}

// "INI was not able to parse lisen", of which of several files nobody knew.
TEST(MistakeInFile, AMistypedNameIsNamedWithTheFileAndWhatWasMeant) {
  EXPECT_EQ(ToldOfFile("database = \"x\"\nlisen = \"x\"\n"),
            "FILE: 'lisen' is no option of batond: did you mean listen?");
  EXPECT_EQ(ToldOfFile("database = \"x\"\n[run]\nadress = \"x\"\n"),
            "FILE: 'run.adress' is no option of batond run: did you mean address?");
  EXPECT_EQ(ToldOfFile("database = \"x\"\nlisten = \"x\"\n[run]\naddress = \"y\"\n"), "");
}

// "INI was not able to parse rnu.++".
TEST(MistakeInFile, ASectionThatIsNoneIsNamed) {
  EXPECT_EQ(ToldOfFile("database = \"x\"\n[rnu]\n"), "FILE: '[rnu]' is no section of batond: did you mean run?");
  EXPECT_EQ(ToldOfFile("database = \"x\"\n[other]\n"), "FILE: '[other]' is no section of batond");
}

// Of two lines the first one counted, and the second was as if it were not there.
TEST(MistakeInFile, ANameThatStandsTwiceIsRefused) {
  EXPECT_EQ(ToldOfFile("listen = \"x\"\ndatabase = \"x\"\nlisten = \"y\"\n"),
            "FILE: 'listen' stands there twice: take one away");
  EXPECT_EQ(ToldOfFile("database = \"x\"\n[run]\naddress = \"x\"\n[run]\naddress = \"y\"\n"),
            "FILE: 'run.address' stands there twice: take one away");
}

// The path began with a quote, and a password ended before its '#'.
TEST(MistakeInFile, AQuoteThatIsNotClosedIsNamed) {
  const std::string end = " has no closing \" (a # begins a comment, within quotes too)";
  EXPECT_EQ(ToldOfFile("database = \"x\nlisten = \"y\"\n"), "FILE: the value of 'database'" + end);
  EXPECT_EQ(ToldOfFile("database = \"password=a#b\"\n"), "FILE: the value of 'database'" + end);
  EXPECT_EQ(ToldOfFile("database \"x y\"\n"), "FILE: 'database \"x y\"' is not NAME = VALUE");
}

TEST(MistakeInFile, AValueIsToldWithTheFileThatGivesIt) {
  EXPECT_EQ(ToldOfFile("database = \"x\"\nhistory = many\n"), "FILE: --history: Value many not in range 0 to 100");
  EXPECT_EQ(ToldOfFile("database = \"x\"\nhistory = 3\n", {"--history", "many"}),
            "--history: Value many not in range 0 to 100");
}

TEST(MistakeInFile, WhatIsMissingMayStandThere) {
  EXPECT_EQ(ToldOfFile("listen = \"x\"\n"), "--database is required, in FILE or on the command line");
}

// CLI11 never read it.
TEST(ConfigFile, OneThatTheEnvironmentNamesIsRead) {
  const std::string file = ::testing::TempDir() + "/named.conf";
  std::ofstream(file) << "listen = \"x\"\n";
  const auto read = [](std::vector<std::string> given) {
    CLI::App app("A program", "/usr/bin/batond");
    std::string listen;
    TakeConfigFile(app, "File", "BATON_TEST_CONFIG");
    app.add_option("--listen", listen);
    app.parse(std::move(given));
    return listen;
  };
  setenv("BATON_TEST_CONFIG", file.c_str(), 1);
  EXPECT_EQ(read({}), "x");
  EXPECT_EQ(read({"y", "--listen"}), "y");
  setenv("BATON_TEST_CONFIG", "/nowhere/batond.conf", 1);
  EXPECT_EQ(read({file, "--config"}), "x");
  EXPECT_THROW(read({}), CLI::FileError);
  unsetenv("BATON_TEST_CONFIG");
}

TEST(MistakeInFile, AFileThatCannotBeReadIsNamedWithWhy) {
  EXPECT_EQ(ToldOf("/nowhere/batond.conf"), "--config: FILE cannot be read: No such file or directory");
  EXPECT_EQ(ToldOf("/"), "--config: FILE cannot be read: Is a directory");
}

}  // namespace
}  // namespace baton
