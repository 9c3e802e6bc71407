// baton-cell: runs instances on this machine as processes. `run` is the cell itself; `ps` and `logs` look at its
// directory.
#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "orchestrator/base/check.h"
#include "orchestrator/model/version.h"
#include "tools/cell/cell.h"
#include "tools/cell/command_line.h"
#include "tools/cell/listing.h"
#include "tools/cell/machine/machine.h"
#include "tools/client/channel.h"
#include "tools/command_line/mistake.h"
#include "tools/command_line/terminal_filter.h"
#include "tools/logging/json_log.h"
#include "tools/logging/library_logs.h"
#include "tools/metrics/prometheus_metrics.h"
#include "tools/shim/instance_dir.h"
#include "tools/system/keep_private.h"
#include "tools/system/make_dir.h"
#include "tools/tls/notes.h"

namespace {

using namespace baton;
using cell::Arguments;

constexpr int kFailed = 1;

LogLevel LevelOf(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "warn") return LogLevel::kWarn;
  return name == "error" ? LogLevel::kError : LogLevel::kInfo;
}

int Complain(const std::string& text) {
  std::fprintf(stderr, "baton-cell: %s\n", text.c_str());
  return kFailed;
}

UniqueFd BlockTermination() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  CHECK(sigprocmask(SIG_BLOCK, &set, nullptr) == 0);
  std::signal(SIGPIPE, SIG_IGN);
  return UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

// batond --insecure treats every client as admin.
bool WithoutTlsAsRoot(const Arguments& arguments) { return geteuid() == 0 && arguments.tls.empty(); }

// What was left out on the command line, and what is wrong with the rest; empty: nothing.
std::string Complete(Arguments& arguments) {
  cell::CellOptions& options = arguments.options;
  const auto range = cell::ParsePortRange(arguments.ports);
  if (!range) return "--ports is not FIRST-LAST within 1024-65535";
  options.ports = *range;
  if (WithoutTlsAsRoot(arguments) && !arguments.insecure_root) {
    return "this cell is root, and asks batond without TLS: whoever reaches batond, or takes its port, is root here. Give it a "
           "certificate (--tls DIR, baton certs issue cell " + options.id + "), start it as another user, or say --insecure-root";
  }
  if (options.id.empty() || options.id.size() > 255 ||
      options.id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") !=
          std::string::npos) {
    return "--id must be 1 to 255 characters of [A-Za-z0-9._:-]";
  }
  if (!options.download_dir.empty()) {
    options.download_dir = std::filesystem::absolute(options.download_dir).lexically_normal();
    if (!std::filesystem::is_directory(options.download_dir)) {
      return "--download-dir " + options.download_dir + " is no directory";
    }
  }
  if (options.shim_path.empty()) options.shim_path = cell::ProgramBeside("baton-shim");
  if (access(options.shim_path.c_str(), X_OK) != 0) return "there is no baton-shim at " + options.shim_path;
  cell::FillIn(options.capacity, options.dir);
  return "";
}

int Run(Arguments& arguments) {
  cell::CellOptions& options = arguments.options;
  const UniqueFd termination = BlockTermination();  // before any thread is there
  // The users of apps may enter the directory; others may not list it.
  if (const std::string wrong = MakeDir(options.dir, 0711); !wrong.empty()) return Complain(wrong);
  if (const std::string wrong = Complete(arguments); !wrong.empty()) return Complain(wrong);
  const UniqueFd lock = shim::TryLock(options.dir + "/lock");
  if (!lock.valid()) return Complain("another cell runs in " + options.dir + ", or it is not writable");
  PrometheusMetrics metrics(CellMetricsTable());
  metrics.Set("baton_build_info", 1, kAppVersion);
  if (!arguments.metrics.empty()) {
    if (const Status exposed = metrics.Expose(arguments.metrics); !exposed) return Complain(exposed.error().message);
  }
  JsonLog log("baton-cell", LevelOf(arguments.log_level), LogPrefixOf(arguments.log_prefix));
  const LibraryLogs libraries(log);
  std::shared_ptr<Tls> tls;
  if (WithoutTlsAsRoot(arguments)) {
    log.Warn("insecure_root", {{"cell_id", options.id}, {"why", "--insecure-root: whoever reaches batond, or takes its port, is root here"}});
  }
  if (!arguments.tls.empty()) {
    auto opened = OpenTlsAs({Role::kCell, options.id}, arguments.tls, log, metrics);
    if (!opened) return Complain(opened.error().message);
    tls = *std::move(opened);
    options.credentials = tls->ForClient();
  }
  shim::EventLoop loop;
  cell::Cell cell(loop, log, metrics, options);
  metrics.BeforeLook([&] { metrics.Set("baton_cell_memory_bytes", static_cast<double>(cell.MemoryInUse()), {}); });
  bool leaving = false;
  loop.Watch(termination.get(), [&] {
    signalfd_siginfo info;
    while (read(termination.get(), &info, sizeof info) > 0) {
    }
    if (std::exchange(leaving, true)) return;
    log.Info("leaving", {{"stops_instances", options.stop_instances_on_exit}});
    cell.Leave([&loop] { loop.Stop(); });
  });
  cell.Start();
  loop.Run();
  metrics.BeforeLook({});  // the cell goes first
  return 0;
}

int List(const Arguments& arguments) {
  const auto listed = cell::ListInstances(arguments.options.dir, arguments.all, shim::WallMillis());
  std::fputs((arguments.output == "json" ? cell::AsJson(listed) : cell::AsTable(listed)).c_str(), stdout);
  return 0;
}

int ShowLog(const Arguments& arguments) {
  const auto text = cell::LogOf(arguments.options.dir, arguments.actual_id);
  if (!text) return Complain("no instance " + arguments.actual_id + " in " + arguments.options.dir);
  const std::string shown = arguments.raw ? *text : TerminalFilter().Pass(*text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  KeepMemoryPrivate();
  Arguments arguments;
  CLI::App app(cell::kAbout, "baton-cell");
  Declare(app, arguments);
  try {
    app.parse(argc, argv);
    CheckComplete(app, arguments);
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, std::cout, std::cerr);
  }
  arguments.options.dir = std::filesystem::absolute(arguments.options.dir).lexically_normal();
  if (app.got_subcommand("run")) return Run(arguments);
  return app.got_subcommand("ps") ? List(arguments) : ShowLog(arguments);
}
