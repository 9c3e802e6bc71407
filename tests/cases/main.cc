// baton-cases: every case of a file meets our planner.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/cases/case.h"

namespace {

constexpr char kUsage[] =
    "baton-cases FILE.json\n"
    "Puts each case to Baton's planner and prints, for each id, one of\n"
    "  agree\n"
    "  differs-on-purpose RULE   (a clause of docs/rolls.md)\n"
    "  disagree DIFFERENCE\n"
    "  unmapped REASON\n"
    "and last `agree A differs B disagree C unmapped D`. Exit status: 0, or 1 where C is not 0, or 2 where the file\n"
    "cannot be read.\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace baton::cases;
  if (argc != 2 || argv[1][0] == '-') {
    std::fputs(kUsage, argc == 2 && std::string(argv[1]) == "--help" ? stdout : stderr);
    return argc == 2 && std::string(argv[1]) == "--help" ? 0 : 2;
  }
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    std::fprintf(stderr, "baton-cases: %s cannot be read\n", argv[1]);
    return 2;
  }
  const auto cases = ReadCases(text.str());
  if (!cases) {
    std::fprintf(stderr, "baton-cases: %s: %s\n", argv[1], cases.error().message.c_str());
    return 2;
  }
  int counts[4] = {};
  constexpr const char* kNames[] = {"agree", "differs-on-purpose", "disagree", "unmapped"};
  for (const Case& one : *cases) {
    const Judged judged = Judge(one);
    ++counts[static_cast<int>(judged.verdict)];
    std::printf("%-22s %s%s%s\n", one.id.c_str(), kNames[static_cast<int>(judged.verdict)],
                judged.text.empty() ? "" : " ", judged.text.c_str());
  }
  std::printf("agree %d differs %d disagree %d unmapped %d\n", counts[0], counts[1], counts[2], counts[3]);
  return counts[2] == 0 ? 0 : 1;
}
