// baton-law: prints docs/generated/roll-law.md; with a word, another page that is made from tables of the program; what
// the packages install beside a program, out of its command line.
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/law/access_print.h"
#include "tools/law/api_print.h"
#include "tools/law/law_print.h"
#include "tools/law/limits_print.h"
#include "tools/manual/programs.h"

namespace {

constexpr int kUsage = 2;

// `man PROGRAM`, `conf PROGRAM`, `completion PROGRAM bash|zsh`.
std::optional<std::string> OfProgram(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "man") return baton::manual::PrintMan(words[1]);
  if (words.size() == 2 && words[0] == "conf") return baton::manual::PrintConf(words[1]);
  if (words.size() == 3 && words[0] == "completion") return baton::manual::PrintCompletion(words[1], words[2]);
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  struct Page {
    std::string_view word;
    std::string (*print)();
  };
  constexpr Page kPages[] = {{"", baton::law::PrintLaw},
                             {"versions", baton::law::PrintVersionLaw},
                             {"upgrade", baton::law::PrintUpgradeLaw},
                             {"metrics", baton::law::PrintMetrics},
                             {"limits", baton::law::PrintLimits},
                             {"api", baton::law::PrintOldApi},
                             {"access", baton::law::PrintAccess}};
  const std::string_view word = argc > 1 ? argv[1] : "";
  for (const Page& page : kPages) {
    if (argc > 2 || page.word != word) continue;
    std::fputs(page.print().c_str(), stdout);
    return 0;
  }
  if (const auto text = OfProgram({argv + 1, argv + argc})) {
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  std::fputs(
      "usage: baton-law [versions|upgrade|metrics|limits|api|access|man PROGRAM|conf PROGRAM|completion PROGRAM "
      "bash|zsh]\n",
      stderr);
  return kUsage;
}
