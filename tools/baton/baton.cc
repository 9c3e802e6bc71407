#include "tools/baton/baton.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tools/baton/command_line.h"
#include "tools/baton/completion.h"
#include "tools/baton/contexts/own_tls.h"
#include "tools/baton/outcome.h"
#include "tools/command_line/mistake.h"

namespace baton::cli {
namespace {

int Complain(Io& io, const std::string& sentence, int exit_status) {
  io.err << "baton: " << sentence << "\n" << std::flush;
  return exit_status;
}

// USER@HOST, of what a gRPC header may hold.
std::string ActorOf(const Arguments& arguments) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const char* user = std::getenv("USER");
  std::string actor =
      arguments.actor.empty() ? std::string(user && *user ? user : "unknown") + "@" + host.data() : arguments.actor;
  std::ranges::replace_if(
      actor, [](char c) { return c < 0x20 || c > 0x7E; }, '?');
  return actor;
}

int RunCommand(const Arguments& arguments, const Command& command, Io& io) {
  Connection connection({.addresses = arguments.batond,
                         .timeout = std::chrono::milliseconds(arguments.timeout_ms),
                         .actor = ActorOf(arguments),
                         .credentials = CredentialsOf(arguments),
                         .warn = [&io](const std::string& warning) { Complain(io, "warning: " + warning, kDone); }});
  if (arguments.wait_ms > 0) {
    connection.EndBy(std::chrono::steady_clock::now() + std::chrono::milliseconds(arguments.wait_ms));
  }
  Api api(connection);
  Io own = io;
  if (arguments.no_colour && own.screen) {
    own.screen = [screen = io.screen] {
      Screen plain = screen();
      plain.colour = false;
      return plain;
    };
  }
  Session session{arguments, api, own};
  try {
    const int exit_status = command(session);
    const bool lists = !arguments.wait && !arguments.yes;  // what waits, or changes something, has its own word for how that went
    return lists && exit_status == kDone && api.short_of_rows() ? kShortOfRows : exit_status;
  } catch (const Failure& failure) {
    return Complain(io, failure.what(), failure.exit_status());
  }
}

// These ask no batond, and mend what the others stumble over.
bool NeedsNoWay(const CLI::App& app) { return app.got_subcommand("certs") || app.got_subcommand("context"); }

}  // namespace

int Run(const std::vector<std::string>& words, Io& io) {
  Arguments arguments;
  Command command;
  CLI::App app(kAbout, "baton");
  Declare(app, arguments, command);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, io.out, io.err);
  }
  if (const std::string fault = Fault(arguments); !fault.empty()) return Complain(io, fault, kUsage);
  if (app.got_subcommand("completion")) {
    io.out << (arguments.shell == "bash" ? BashCompletion(app) : ZshCompletion(app));
    return kDone;
  }
  if (!NeedsNoWay(app)) {
    try {
      TakeContext(arguments, app.count("--batond") > 0);
    } catch (const Failure& failure) {
      return Complain(io, failure.what(), failure.exit_status());
    }
  }
  return RunCommand(arguments, command, io);
}

}  // namespace baton::cli
