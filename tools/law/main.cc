// baton-law: prints docs/roll-law.md; with the word "versions", docs/version-law.md.
#include <cstdio>
#include <string_view>

#include "tools/law/law_print.h"

int main(int argc, char** argv) {
  if (argc > 2 || (argc == 2 && std::string_view(argv[1]) != "versions")) {
    std::fputs("usage: baton-law [versions]\n", stderr);
    return 2;
  }
  std::fputs((argc == 2 ? baton::PrintVersionLaw() : baton::PrintLaw()).c_str(), stdout);
  return 0;
}
