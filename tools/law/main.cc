// baton-law: prints docs/roll-law.md.
#include <cstdio>

#include "tools/law/law_print.h"

int main() {
  std::fputs(baton::PrintLaw().c_str(), stdout);
  return 0;
}
