// baton-demo: the whole of Baton on this machine, and an app that is updated under traffic. docs/guide/demo.md is its
// page.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "tools/client/channel.h"
#include "tools/command_line/mistake.h"
#include "tools/command_line/one_of.h"
#include "tools/demo/console.h"
#include "tools/demo/demo_result.h"
#include "tools/demo/dev_context.h"
#include "tools/demo/first_commands.h"
#include "tools/demo/scenes.h"
#include "tools/demo/stop_signals.h"
#include "tools/stack/stack_error.h"
#include "tools/stack/state_dir.h"

namespace baton::demo {
namespace {

// Exit statuses, for scripts.
constexpr int kOk = 0;
constexpr int kBroken = 1;  // a request failed, the floor broke, or an update did not end as it should
constexpr int kNotPlayed = 3;
constexpr int kInterrupted = 130;

constexpr int kMetricsPort = 9891;
constexpr int kHttpPort = 8080;
constexpr int kWebPort = 8892;

struct Arguments {
  bool run = false;
  bool keep = false;
  bool insecure = false;
  std::string log_level = "info";
  SceneOptions scenes;
};

void Declare(CLI::App& app, Arguments& a) {
  app.add_flag("--run", a.run, "Only start the stack, without the app, and leave it up until Ctrl-C");
  app.add_flag("--keep", a.keep, "Keep the state directory");
  app.add_flag("--insecure", a.insecure, "Without TLS between batond, cells, router and baton");
  app.add_option("--instances", a.scenes.app.instances, "Of the app")->check(CLI::Range(1, 50))->capture_default_str();
  app.add_option("--rate", a.scenes.rate, "Requests a second")->check(CLI::Range(1, 10'000))->capture_default_str();
  app.add_option("--min-healthy-ms", a.scenes.app.min_healthy_ms, "How long a new instance must serve before it counts")
      ->check(CLI::Range(0, 600'000))
      ->capture_default_str();
  app.add_option("--log-level", a.log_level, "Of the programs: debug, info, warn or error")
      ->check(OneOf({"debug", "info", "warn", "error"}))
      ->capture_default_str();
}

std::string ResultPath() { return std::filesystem::path(stack::OwnDirectory()).parent_path() / "demo" / "result.json"; }

void WriteResult(const DemoResult& result, Console& console) {
  const std::filesystem::path path = ResultPath();
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path);
  file << AsJson(result) << std::flush;
  if (!file) console.Say("(cannot write " + path.string() + ")");
}

void StartStack(stack::Stack& stack, Console& console) {
  console.Tell("starting batond with a PostgreSQL of its own, in " + stack.dir());
  stack.StartBatond();
  console.Tell("batond leads; starting two cells, which run apps, and a router, which drives HAProxy");
  stack.StartCells();
  stack.StartRouter();
  stack.StartWeb();
  console.Tell("all is up: API " + stack.api_address() + ", apps by http://" + stack.http_address());
  console.Say("page       http://" + stack.web_address() + "/");
}

DemoResult Play(const Arguments& a, stack::Stack& stack, Console& console) {
  Scenes scenes(stack, console, a.scenes);
  scenes.StartApp();
  scenes.StartTraffic();
  scenes.UpdateToTheNext();
  scenes.PushTheBadOne();
  scenes.LoseAMachine();
  scenes.ChangePortAndRoute();
  scenes.PushTheOneThatCrashesLate();
  scenes.LookAtWhatIsLeft();
  for (const std::string& line : scenes.FirstFailures()) console.Say("  " + line);
  return scenes.result();
}

void OfferToLookAround(const Arguments& a, stack::Stack& stack, Console& console, const StopSignals& signals) {
  console.Say("It is all still up. To look around, in another terminal:\n" +
              FirstCommands(stack, a.scenes.app.hostname, WordsFor(stack)) + "\nEnter stops it.");
  signals.Wait(/*also_for_enter=*/true);
  console.Say("stopping all of it ...\n");
}

void LeaveUp(stack::Stack& stack, Console& console, const StopSignals& signals) {
  const DevContext context(stack);
  if (!context.trouble().empty()) console.Say("no context dev was written: " + context.trouble());
  console.Say("\npage       http://" + stack.web_address() + "/\nAPI        " + stack.api_address() +
              "\napps       http://" + stack.http_address() + "/ by host name\nmetrics    http://" +
              stack.metrics_address() + "/metrics\ndirectory  " + stack.dir() +
              "\n\nTo begin with, in another terminal:\n" + FirstCommands(stack, "", context.words()) +
              "\nCtrl-C stops it.");
  signals.Wait(/*also_for_enter=*/false);
}

// Nothing: only the stack was wanted.
std::optional<DemoResult> Run(const Arguments& a, Console& console, const StopSignals& signals,
                              const stack::StateDir& dir) {
  stack::Stack stack({.dir = dir.path(),
                      .own_addresses = true,
                      .tls = !a.insecure,
                      .api_port = kDefaultPort,
                      .metrics_port = kMetricsPort,
                      .http_port = kHttpPort,
                      .web_port = kWebPort,
                      .page = true,
                      .log_level = a.log_level,
                      .stop = signals.token()});
  StartStack(stack, console);
  if (a.run) {
    LeaveUp(stack, console, signals);
    return std::nullopt;
  }
  DemoResult result = Play(a, stack, console);
  WriteResult(result, console);
  if (console.terminal() && isatty(STDIN_FILENO)) {
    console.Say("\n" + AsLines(result));
    OfferToLookAround(a, stack, console, signals);
  }
  return result;
}

int Judge(const DemoResult& result, Console& console) {
  const std::vector<std::string> broken = BrokenPromises(result);
  for (const std::string& line : broken) console.Say("NOT AS PROMISED: " + line);
  std::string lines = AsLines(result);
  lines.pop_back();  // a line's end is the console's
  console.Say(lines);
  return broken.empty() ? kOk : kBroken;
}

int Main(int argc, char** argv) {
  CLI::App app("Shows an app that is updated under traffic without a failed request.", "baton-demo");
  Arguments arguments;
  Declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, std::cout, std::cerr);
  }
  const StopSignals signals;
  arguments.scenes.stop = signals.token();
  Console console;
  stack::StateDir dir;
  int exit_status = kNotPlayed;
  try {
    const std::optional<DemoResult> result = Run(arguments, console, signals, dir);
    exit_status = result ? Judge(*result, console) : kOk;
  } catch (const stack::Interrupted&) {
    console.ClearStatus();
    console.Say("interrupted; all of it is stopped");
    exit_status = kInterrupted;
  } catch (const std::exception& error) {
    console.ClearStatus();
    std::fprintf(stderr, "baton-demo: %s\n", error.what());
  }
  if (arguments.keep || (exit_status != kOk && exit_status != kInterrupted)) {
    dir.Keep();
    std::fprintf(stderr, "baton-demo: logs and data are kept in %s\n", dir.path().c_str());
  }
  return exit_status;
}

}  // namespace
}  // namespace baton::demo

int main(int argc, char** argv) { return baton::demo::Main(argc, argv); }
