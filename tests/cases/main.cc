// baton-cases: every case of a file meets our planner.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/cases/report.h"

namespace {

constexpr char kUsage[] =
    "baton-cases [--page] FILE.json\n"
    "Puts each case to Baton's planner and prints, for each id, one of\n"
    "  agree\n"
    "  differs-on-purpose RULE   (a clause of docs/internals/rolls.md)\n"
    "  disagree DIFFERENCE\n"
    "  unmapped REASON\n"
    "and last `agree A differs B disagree C unmapped D`. With --page, docs/generated/cases.md instead.\n"
    "Exit status: 0, or 1 where C is not 0, or 2 where the file cannot be read.\n";

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
  const bool page = first == "--page";
  if (argc != (page ? 3 : 2)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const char* const name = argv[argc - 1];
  std::ifstream file(name);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    std::fprintf(stderr, "baton-cases: %s cannot be read\n", name);
    return 2;
  }
  const auto cases = baton::cases::ReadCases(text.str());
  if (!cases) {
    std::fprintf(stderr, "baton-cases: %s: %s\n", name, cases.error().message.c_str());
    return 2;
  }
  const baton::cases::Report report(*cases);
  std::fputs((page ? report.Page() : report.Lines()).c_str(), stdout);
  return report.disagreements() == 0 ? 0 : 1;
}
