// baton-law: prints docs/generated/roll-law.md; with a word, another page that is made from tables of the program.
#include <cstdio>
#include <string_view>

#include "tools/law/access_print.h"
#include "tools/law/api_print.h"
#include "tools/law/law_print.h"
#include "tools/law/limits_print.h"

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
  std::fputs("usage: baton-law [versions|upgrade|metrics|limits|api|access]\n", stderr);
  return 2;
}
