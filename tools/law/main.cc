// baton-law: prints docs/roll-law.md; with the word "versions", docs/version-law.md; with "api", docs/api-v1.md.
#include <cstdio>
#include <string_view>

#include "tools/law/api_print.h"
#include "tools/law/law_print.h"

int main(int argc, char** argv) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && word != "versions" && word != "api")) {
    std::fputs("usage: baton-law [versions|api]\n", stderr);
    return 2;
  }
  const std::string page = word == "versions" ? baton::PrintVersionLaw()
                           : word == "api"    ? baton::PrintOldApi()
                                              : baton::PrintLaw();
  std::fputs(page.c_str(), stdout);
  return 0;
}
