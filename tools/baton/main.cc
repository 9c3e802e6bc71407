// baton: the operators' command line. docs/reference/cli.md is its page.
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tools/baton/baton.h"
#include "tools/logging/library_logs.h"

namespace {

// The terminal as it is now: it may be resized while a roll is watched.
baton::cli::Screen TerminalNow() {
  baton::cli::Screen screen;
  const char* no_colour = std::getenv("NO_COLOR");
  screen.colour = no_colour == nullptr || *no_colour == '\0';
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    screen.columns = size.ws_col;
    screen.rows = size.ws_row;
  }
  return screen;
}

std::int64_t Now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

int main(int argc, char** argv) {
  baton::QuietLibraries();
  const char* terminal = std::getenv("TERM");
  const bool draws = isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
  baton::cli::Io io{std::cin, std::cout, std::cerr, nullptr, Now};
  if (draws) io.screen = TerminalNow;
  return baton::cli::Run(std::vector<std::string>(argv + 1, argv + argc), io);
}
