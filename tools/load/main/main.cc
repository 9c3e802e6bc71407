// The program `baton-load`: traffic until SIGTERM, SIGINT or the end of its time, then a report.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

#include "tools/command_line/mistake.h"
#include "tools/load/load.h"

namespace baton::load {
namespace {

struct Arguments {
  LoadOptions options;
  double duration_s = 0;
  std::int64_t timeout_ms = 10'000;
  std::string report = "-";
};

void Describe(CLI::App& app, Arguments& arguments) {
  LoadOptions& options = arguments.options;
  app.option_defaults()->always_capture_default();
  app.add_option("--target", options.target, "where to connect to, host:port");
  app.add_option("--host", options.host, "the Host header: the route");
  app.add_option("--rate", options.rate, "requests a second, however fast they are answered")
      ->check(CLI::Range(0.001, 100'000.0));
  app.add_option("--slow-every", options.slow_every, "each so many-th request is a slow one; 0: none")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--slow-ms", options.slow_ms, "how slow, in milliseconds")->check(CLI::Range(0, 60'000));
  app.add_option("--timeout-ms", arguments.timeout_ms, "without an answer for so long a request has failed")
      ->check(CLI::Range(1, 3'600'000));
  app.add_option("--kept", options.kept_connections, "kept-alive connections in use")->check(CLI::Range(1, 10'000));
  app.add_option("--kept-most", options.kept_connections_most, "how many may be opened when all are busy")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--duration", arguments.duration_s, "seconds; 0: until SIGTERM or SIGINT")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--report", arguments.report, "file for the report, JSON; '-': stdout");
  app.footer(
      "Half of the requests go each on a new connection, half on kept-alive ones. Nothing is retried: anything\n"
      "but a 200 with a body as hello's, in time, is a failure. A kept-alive connection that is closed while\n"
      "nothing is asked on it is no failure but a reconnect.\n"
      "Exit code: 0 no failure, 1 failures, 2 wrong arguments or the report could not be written.");
}

void WaitForEnd(const sigset_t& signals, double duration_s) {
  if (duration_s <= 0) {
    int signal = 0;
    sigwait(&signals, &signal);
    return;
  }
  const auto whole = static_cast<time_t>(duration_s);
  const timespec time{.tv_sec = whole, .tv_nsec = static_cast<long>((duration_s - static_cast<double>(whole)) * 1e9)};
  sigtimedwait(&signals, nullptr, &time);
}

bool Write(const std::string& report, const std::string& path) {
  if (path == "-") {
    std::cout << report << std::flush;
    return std::cout.good();
  }
  std::ofstream file(path);
  file << report << std::flush;
  return file.good();
}

int Run(const Arguments& arguments) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // the load's thread takes this over
  const std::unique_ptr<Load> load = Load::Start(arguments.options);
  WaitForEnd(signals, arguments.duration_s);
  load->Stop();
  const LoadSnapshot snapshot = load->Snapshot();
  std::fprintf(stderr, "baton-load: %lld requests, %lld failed, longest gap %lld ms\n",
               static_cast<long long>(snapshot.requests), static_cast<long long>(snapshot.failed),
               static_cast<long long>(snapshot.longest_gap_ms));
  if (!Write(load->Report(), arguments.report)) {
    std::fprintf(stderr, "baton-load: cannot write %s\n", arguments.report.c_str());
    return 2;
  }
  return snapshot.failed == 0 ? 0 : 1;
}

int Main(int argc, char** argv) {
  CLI::App app("HTTP load that tells whether an app was always there.", "baton-load");
  Arguments arguments;
  Describe(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, std::cout, std::cerr);
  }
  arguments.options.timeout = std::chrono::milliseconds(arguments.timeout_ms);
  try {
    return Run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "baton-load: %s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace baton::load

int main(int argc, char** argv) { return baton::load::Main(argc, argv); }
