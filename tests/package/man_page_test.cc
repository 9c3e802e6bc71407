// Man pages and completions have every option that a program declares, and `man` finds nothing wrong with them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/supply/output_of.h"
#include "tools/manual/programs.h"

namespace baton::manual {
namespace {

// Of the program and all its commands for people.
void Collect(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* below :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty() || one->get_name().empty(); })) {
    Collect(*below, names);
  }
}

std::vector<std::string> OptionsOf(const Program& program) {
  std::vector<std::string> names;
  program.with([&](CLI::App& app) { Collect(app, names); });
  return names;
}

std::string WithoutBackslashes(std::string text) {
  std::erase(text, '\\');
  return text;
}

TEST(ManPage, HasEveryOptionOfEachProgram) {
  for (const Program& program : Programs()) {
    const std::string page = WithoutBackslashes(PrintMan(program.facts.name).value());
    const auto options = OptionsOf(program);
    EXPECT_GT(options.size(), 5U) << program.facts.name;
    for (const std::string& option : options) {
      EXPECT_NE(page.find("fB" + option + "fR"), std::string::npos) << program.facts.name << " lacks " << option;
    }
  }
}

TEST(ManPage, HasEnvironmentDefaultsAndExitStatuses) {
  const std::string page = WithoutBackslashes(PrintMan("batond").value());
  EXPECT_NE(page.find("Environment: fBBATON_CELL_LEASE_MSfR"), std::string::npos);
  EXPECT_NE(page.find("Default: 10000."), std::string::npos);
  EXPECT_NE(page.find(".SH \"EXIT STATUS\"\n.TP\n0\n"), std::string::npos);
}

TEST(ManPage, ManFindsNothingWrong) {
  const std::filesystem::path dir = std::filesystem::temp_directory_path() / ("baton-man-" + std::to_string(getpid()));
  std::filesystem::create_directories(dir);
  for (const Program& program : Programs()) {
    const std::filesystem::path file = dir / (program.facts.name + "." + std::to_string(program.facts.section));
    std::ofstream(file) << PrintMan(program.facts.name).value();
    const std::string shown = "man --warnings -l " + file.string();
    EXPECT_EQ(OutputOf(shown + " 2>&1 >/dev/null"), "") << program.facts.name;
    EXPECT_NE(OutputOf("MANWIDTH=100 " + shown + " 2>/dev/null").find("SYNOPSIS"), std::string::npos)
        << program.facts.name;
  }
  std::filesystem::remove_all(dir);
}

TEST(Completion, OfEachProgramHasEveryOptionAndIsAScript) {
  for (const Program& program : Programs()) {
    const std::string script = PrintCompletion(program.facts.name, "bash").value();
    for (const std::string& option : OptionsOf(program)) {
      EXPECT_NE(script.find(option + " "), std::string::npos) << program.facts.name << " lacks " << option;
    }
    EXPECT_TRUE(script.ends_with(" " + program.facts.name + "\n")) << script.substr(script.size() - 80);
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("baton-completion-" + std::to_string(getpid()));
    std::ofstream(file) << script;
    EXPECT_EQ(OutputOf("bash -n " + file.string() + " 2>&1"), "") << program.facts.name;
    std::filesystem::remove(file);
  }
}

TEST(Manual, OfNoProgramThereIsNothing) {
  EXPECT_FALSE(PrintMan("nobody"));
  EXPECT_FALSE(PrintConf("baton")) << "it takes no --config";
  EXPECT_FALSE(PrintCompletion("baton", "fish"));
}

}  // namespace
}  // namespace baton::manual
