// baton-definitions: what definitions the database holds, what each is kept for, and whether all of it can be read.
// It reads the database itself and works while batond is down.
#include <google/protobuf/stubs/logging.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <string>

#include "tools/command_line/mistake.h"
#include "tools/command_line/passwords.h"
#include "tools/definitions/command_line.h"
#include "tools/definitions/run.h"
#include "tools/logging/library_logs.h"
#include "tools/system/keep_private.h"

namespace {

using namespace baton;

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

int main(int argc, char** argv) {
  KeepMemoryPrivate();
  baton::QuietLibraries();
  definitions::Arguments arguments;
  CLI::App program(definitions::kAbout, "baton-definitions");
  Declare(program, arguments);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EndOf(program, error, std::cout, std::cerr);
  }
  if (const std::string shown = PasswordShown(argc, argv); !shown.empty()) {
    std::cerr << "baton-definitions: " << shown << "\n";
    return kMistaken;
  }
  definitions::DefinitionsOptions& options = arguments.options;
  options.show = program.got_subcommand("show");
  options.app = ProcessGuid(options.show ? arguments.guid : arguments.app);
  options.identifier = DefinitionId(arguments.identifier);
  google::protobuf::SetLogHandler(nullptr);  // parse errors are reported in this program's own words
  std::signal(SIGPIPE, SIG_IGN);  // seen as a stream that fails, so that an embedded PostgreSQL is still stopped
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  return definitions::RunDefinitions(options, {std::cout, std::cerr, [] { return interrupted != 0; }});
}
