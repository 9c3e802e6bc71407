#include "tests/tidy/floors_page.h"

#include "tests/tidy/rules.h"

namespace baton::tidy {

std::string FloorsPage() {
  std::string page =
      "# Floors\n\nPrinted from the table in tests/tidy/rules.cc by `BATON_UPDATE_FLOORS=1 build/bin/tidy_test`; do "
      "not edit. What the files "
      "of a folder may\ninclude of this repository, beside their own folder: paths that begin like this. `baton/` is "
      "what is made of "
      "`proto`. The longest\nfolder that fits a file counts; tests see everything.\n\n| folder | may include "
      "|\n|---|---|\n";
  for (const Floor& floor : Floors()) {
    std::string below;
    for (const std::string& one : floor.may_include) below += (below.empty() ? "`" : ", `") + one + "`";
    page += "| `" + floor.folder + "` | " + (below.empty() ? "nothing" : below) + " |\n";
  }
  return page;
}

}  // namespace baton::tidy
