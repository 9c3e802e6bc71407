#include "tests/web/browser_run.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/stack/program.h"

namespace baton {

std::string MissingForBrowser() {
  if (!std::filesystem::exists("/usr/bin/chromium-headless-shell")) return "chromium-headless-shell is not installed";
  if (!std::filesystem::exists(BATON_PAGE_MODULES "/node_modules/playwright-core"))
    return "./dev test has not brought playwright-core from npm";
  return "";
}

BrowserRun RunInBrowser(const std::string& script, const std::vector<std::string>& arguments, const std::string& log,
                        std::chrono::seconds most) {
  std::vector<std::string> command{"/usr/bin/env", "node", BATON_WEB_TESTS "/" + script};
  command.insert(command.end(), arguments.begin(), arguments.end());
  stack::Program browser({.name = "browser",
                          .command = std::move(command),
                          .log = log,
                          .environment = {"BATON_PAGE_MODULES=" BATON_PAGE_MODULES}});
  BrowserRun run;
  run.ended = browser.WaitForEnd(most);
  if (!run.ended) browser.Kill();
  run.status = browser.exit_status().value_or(-1);
  std::ifstream stream(log);
  run.said = {std::istreambuf_iterator<char>(stream), {}};
  std::printf("%s", run.said.c_str());
  return run;
}

}  // namespace baton
