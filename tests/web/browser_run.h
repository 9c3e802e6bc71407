// A script of this folder, run by node with Debian's chromium.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace baton {

// What is not there; empty: nothing. `./dev test` brings chromium's headless shell as a Debian package, and two
// modules from npm by the lock file.
std::string MissingForBrowser();

struct BrowserRun {
  bool ended = false;  // in time
  int status = -1;
  std::string said;
};
// `log`: the file that it writes to.
BrowserRun RunInBrowser(const std::string& script, const std::vector<std::string>& arguments, const std::string& log,
                        std::chrono::seconds most);

}  // namespace baton
