// baton-cases: every case of a file meets our planner.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/cases/report.h"
#include "tools/command_line/mistake.h"

namespace {

constexpr char kWhatItPrints[] =
    "For each id, one of\n"
    "  agree\n"
    "  differs-on-purpose RULE   (a clause of docs/internals/rolls.md)\n"
    "  disagree DIFFERENCE\n"
    "  unmapped REASON\n"
    "and last `agree A differs B disagree C unmapped D`.\n"
    "Exit status: 0, or 1 where C is not 0, or 2 where the file cannot be read.";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Puts each case of other orchestrators to Baton's planner", "baton-cases");
  app.footer(kWhatItPrints);
  bool page = false;
  std::string name;
  app.add_flag("--page", page, "Print docs/generated/cases.md instead");
  app.add_option("FILE", name, "The cases, as JSON")->required()->check(CLI::ExistingFile);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return baton::EndOf(app, error, std::cout, std::cerr);
  }
  std::ifstream file(name);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    std::fprintf(stderr, "baton-cases: %s cannot be read\n", name.c_str());
    return 2;
  }
  const auto cases = baton::cases::ReadCases(text.str());
  if (!cases) {
    std::fprintf(stderr, "baton-cases: %s: %s\n", name.c_str(), cases.error().message.c_str());
    return 2;
  }
  const baton::cases::Report report(*cases);
  std::fputs((page ? report.Page() : report.Lines()).c_str(), stdout);
  return report.disagreements() == 0 ? 0 : 1;
}
