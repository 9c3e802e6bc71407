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
#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/model/version.h"
#include "tools/cell/cell.h"
#include "tools/cell/listing.h"
#include "tools/cell/machine/machine.h"
#include "tools/client/channel.h"
#include "tools/command_line/mistake.h"
#include "tools/command_line/one_of.h"
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

constexpr int kFailed = 1;

struct Arguments {
  cell::CellOptions options;
  std::string ports = "61000-62000";
  std::string log_level = "info";
  std::string output = "table";
  std::string metrics;
  std::string tls;
  bool insecure_root = false;
  bool all = false;
  std::string actual_id;
  bool raw = false;
};

// batond refuses every start that names another kind of address.
std::string OneIpAddress(const std::string& text) {
  return IpAddress::From(text) ? "" : "'" + text + "' is no IP address";
}

std::string NetworkOfAddresses(const std::string& text) {
  return IpNetwork::From(text) ? "" : "'" + text + "' is no ADDRESS/BITS, for example 127.0.0.0/8";
}

void AddTls(CLI::App& run, Arguments& arguments) {
  run.add_option("--tls", arguments.tls,
                 "Directory with ca.pem, cert.pem and key.pem of this cell (baton certs issue cell ID): mutual TLS to batond; "
                 "changed files are taken up")
      ->type_name("DIR")
      ->envname("BATON_CELL_TLS");
  run.add_flag("--insecure-root", arguments.insecure_root,
               "Where the cell is root: run without --tls, too. Each process of the machine can then have anything run by root. For trying out only")
      ->envname("BATON_CELL_INSECURE_ROOT");
}

void AddDownloads(CLI::App& run, cell::CellOptions& options) {
  run.add_option("--download-dir", options.download_dir,
                 "Directory below which file: URLs of downloads may lead; empty: file: is refused")
      ->envname("BATON_CELL_DOWNLOAD_DIR");
  run.add_option("--download-mb", options.download_mb,
                 "MiB that a download may have, packed and unpacked, for an app without disk_mb")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->envname("BATON_CELL_DOWNLOAD_MB");
  run.add_option("--download-allow", options.download_allow,
                 "Networks (127.0.0.0/8) that downloads may come from although they are loopback, link-local, multicast or unspecified")
      ->check(NetworkOfAddresses)
      ->delimiter(',')
      ->envname("BATON_CELL_DOWNLOAD_ALLOW");
  run.add_option("--download-proxy", options.download_proxy,
                 "URL of the proxy that all http and https downloads go through; what it connects to is its own rule. "
                 "Default: none, whatever http_proxy in the environment says")
      ->envname("BATON_CELL_DOWNLOAD_PROXY");
}

void AddRun(CLI::App& app, Arguments& arguments) {
  cell::CellOptions& options = arguments.options;
  CLI::App* run = app.add_subcommand("run", "Run the cell");
  run->configurable();
  options.batond = {kDefaultAddress};
  run->add_option("--id", options.id, "Name of this cell; the same after each restart")
      ->required()
      ->envname("BATON_CELL_ID");
  run->add_option("--dir", options.dir, "Its directory: instances, their files and logs")
      ->required()
      ->envname("BATON_CELL_DIR");
  run->add_option("--batond", options.batond, "Addresses of batond, tried in turn")
      ->delimiter(',')
      ->capture_default_str()
      ->envname("BATON_CELL_BATOND");
  AddTls(*run, arguments);
  run->add_option("--zone", options.zone, "Zone, for spreading")->envname("BATON_CELL_ZONE");
  run->add_option("--address", options.address, "IP address under which its instances are reached")
      ->check(OneIpAddress)
      ->capture_default_str()
      ->envname("BATON_CELL_ADDRESS");
  run->add_option("--ports", arguments.ports, "Host ports for instances; not shared with another cell of the machine")
      ->capture_default_str()
      ->envname("BATON_CELL_PORTS");
  run->add_option("--memory-mb", options.capacity.memory_mb, "Memory to give away, MiB; 0: that of the machine")
      ->envname("BATON_CELL_MEMORY_MB");
  run->add_option("--disk-mb", options.capacity.disk_mb, "Disk to give away, MiB; 0: what is free now")
      ->envname("BATON_CELL_DISK_MB");
  run->add_option("--pids", options.capacity.pids, "Processes to give away; 0: not limited")
      ->envname("BATON_CELL_PIDS");
  run->add_option("--containers", options.capacity.containers, "Instances; 0: 250")->envname("BATON_CELL_CONTAINERS");
  run->add_option("--stack", options.stacks, "Root file systems; one that ends in ':' stands for all of that scheme")
      ->delimiter(',')
      ->capture_default_str()
      ->envname("BATON_CELL_STACK");
  run->add_option("--tag", options.placement_tags, "Placement tags")->delimiter(',')->envname("BATON_CELL_TAG");
  run->add_option("--grace-ms", options.grace_ms, "From SIGTERM to SIGKILL where the leader does not say")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->envname("BATON_CELL_GRACE_MS");
  run->add_option("--cgroup", options.cgroup,
                  "cgroup v2 directory below which each instance gets one, with limits where it has controllers; "
                  "empty: a scope of systemd, where there is none "
                  "our own; none: no cgroups")
      ->envname("BATON_CELL_CGROUP");
  run->add_option("--shim", options.shim_path, "baton-shim; empty: beside this program")->envname("BATON_CELL_SHIM");
  run->add_flag("--allow-root-apps", options.allow_root_apps,
                "Where the cell is root: run apps as root, too, also those without a user. For trying out only")
      ->envname("BATON_CELL_ALLOW_ROOT_APPS");
  AddDownloads(*run, options);
  run->add_flag("--stop-instances-on-exit", options.stop_instances_on_exit,
                "On SIGTERM stop all instances before the end")
      ->envname("BATON_CELL_STOP_INSTANCES_ON_EXIT");
  run->add_flag("--accept-store", options.accept_store,
                "Once: obey the next leader, whatever store it leads and however low its epoch is");
  run->add_option("--metrics", arguments.metrics,
                  "HOST:PORT where Prometheus fetches /metrics, 127.0.0.1:9892 for example; default: nowhere")
      ->envname("BATON_CELL_METRICS");
  run->add_option("--log-level", arguments.log_level, "debug, info, warn or error")
      ->check(OneOf({"debug", "info", "warn", "error"}))
      ->capture_default_str()
      ->envname("BATON_CELL_LOG_LEVEL");
}

void AddReaders(CLI::App& app, Arguments& arguments) {
  CLI::App* ps = app.add_subcommand("ps", "The instances, from the directory; works while the cell is down");
  ps->add_option("--dir", arguments.options.dir, "The cell's directory")->required()->envname("BATON_CELL_DIR");
  ps->add_option("-o,--output", arguments.output, "table or json")
      ->check(OneOf({"table", "json"}))
      ->capture_default_str();
  ps->add_flag("-a,--all", arguments.all, "The last dead ones too");
  CLI::App* logs = app.add_subcommand("logs", "The last output of an instance");
  logs->add_option("--dir", arguments.options.dir, "The cell's directory")->required()->envname("BATON_CELL_DIR");
  logs->add_option("ACTUAL_ID", arguments.actual_id, "Actual id, or instance guid")->required();
  logs->add_flag("--raw", arguments.raw, "Every byte as it was written, also what does something to a terminal");
}

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
  JsonLog log("baton-cell", LevelOf(arguments.log_level));
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
  CLI::App app("Runs instances of apps on this machine, as batond orders");
  app.set_config("--config", "", "File with the options as NAME = VALUE, under [run]")->envname("BATON_CELL_CONFIG");
  app.set_version_flag("--version", std::string("baton-cell ") + kAppVersion);
  app.require_subcommand(1);
  AddRun(app, arguments);
  AddReaders(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, std::cout, std::cerr);
  }
  arguments.options.dir = std::filesystem::absolute(arguments.options.dir).lexically_normal();
  if (app.got_subcommand("run")) return Run(arguments);
  return app.got_subcommand("ps") ? List(arguments) : ShowLog(arguments);
}
