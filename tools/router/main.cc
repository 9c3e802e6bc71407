// baton-router: keeps HAProxy in step with Baton's route table. docs/guide/router.md is its page.
#include <sys/signalfd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/version.h"
#include "tools/command_line/mistake.h"
#include "tools/logging/json_log.h"
#include "tools/logging/library_logs.h"
#include "tools/metrics/prometheus_metrics.h"
#include "tools/router/command_line.h"
#include "tools/router/haproxy/haproxy_config.h"
#include "tools/router/haproxy/worker_user.h"
#include "tools/router/router.h"
#include "tools/router/routes/naming.h"
#include "tools/router/routes/tcp_ports.h"
#include "tools/router/status.h"
#include "tools/system/keep_private.h"
#include "tools/tls/notes.h"

namespace {

using baton::router::Arguments;

// Exit statuses, for scripts.
constexpr int kOk = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kNotServed = 3;

// HAProxy binds a socket by a longer name beside it first.
constexpr std::size_t kSocketPathMax = 90;

// A sentence for the user, or nothing.
std::string Fault(const Arguments& a) {
  if (!baton::router::IsServerName(a.id)) return "--id must be of [A-Za-z0-9._:-]";
  if (a.listen.find_first_of(" \t\n#'\"\\$") != std::string::npos)
    return "--listen must be one word, as HAProxy's bind";
  if (a.spawn && (!a.socket.empty() || !a.map.empty() || !a.master.empty())) {
    return "--spawn has its own sockets and map: leave out --socket, --map and --master";
  }
  if (a.spawn && a.dir.empty()) return "--spawn needs --dir";
  if (a.spawn &&
      (!baton::router::IsPlainPath(a.dir) || baton::router::HaproxyFiles(a.dir).master.size() > kSocketPathMax)) {
    return "--dir must be of [A-Za-z0-9._/@+-] and short: " + a.dir;
  }
  if (!a.spawn && (a.socket.empty() || a.map.empty())) {
    return "give --spawn with --dir, or --socket and --map of a running HAProxy";
  }
  if (!a.spawn && !baton::router::IsPlainPath(a.map)) return "--map must be absolute and of [A-Za-z0-9._/@+-]";
  if (!a.spawn && !a.tcp_ports.empty()) return "--tcp-ports is of --spawn; a HAProxy of yours has those of its config";
  if (!a.router_group.empty() && !baton::router::IsServerName(a.router_group)) {
    return "--router-group must be of [A-Za-z0-9._:-]";
  }
  return "";
}

// The configuration that is asked for; a sentence for the user goes to `fault`.
baton::router::ConfigShape ShapeOf(const Arguments& a, std::string& fault) {
  baton::router::ConfigShape shape{
      .listen = a.listen, .backends = a.backends, .retries = a.retries, .trust_forwarded = a.trust_forwarded};
  if (a.tcp_ports.empty()) {
    if (!a.tcp_listen.empty()) fault = "--tcp-listen needs --tcp-ports";
    return shape;
  }
  const std::optional<baton::router::TcpPorts> ports = baton::router::ParseTcpPorts(a.tcp_ports);
  const std::optional<std::string> host = a.tcp_listen.empty() ? baton::router::HostOfBind(a.listen) : a.tcp_listen;
  if (!ports) {
    fault =
        "--tcp-ports must be FROM-TO of 1 to 65535, at most " + std::to_string(baton::router::kTcpPortsMax) + " ports";
  } else if (!host || host->find_first_of(" \t\n#'\"\\$,@/") != std::string::npos) {
    fault = "--tcp-listen must be an address, as in HAProxy's bind before the port";
  } else if (ports->Has(baton::router::PortOfBind(a.listen))) {
    fault = "--tcp-ports has the port of --listen in it";
  } else {
    shape.tcp = *ports;
    shape.tcp.listen = *host;
  }
  return shape;
}

// Blocked in every thread, and read here only.
int StopSignals() {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGTERM);
  sigaddset(&wanted, SIGINT);
  pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the log may be gone
  return signalfd(-1, &wanted, SFD_CLOEXEC);
}

int Run(Arguments a) {
  if (a.spawn && !a.dir.empty()) a.dir = std::filesystem::absolute(a.dir).lexically_normal().string();
  if (a.dir.size() > 1 && a.dir.ends_with('/')) a.dir.pop_back();
  std::string fault = Fault(a);
  baton::router::ConfigShape shape = ShapeOf(a, fault);
  if (!fault.empty()) {
    std::cerr << "baton-router: " << fault << '\n';
    return kUsage;
  }
  std::string keeps_root;
  baton::router::RouterOptions options{.id = a.id,
                                       .batond = a.batond,
                                       .router_group = a.router_group,
                                       .paths = {a.socket, a.map, a.master},
                                       .keep_haproxy = a.keep_haproxy,
                                       .goodbye = a.goodbye,
                                       .stop_limit = std::chrono::milliseconds(a.stop_limit_ms),
                                       .leftover_limit = std::chrono::milliseconds(a.leftover_limit_ms)};
  if (a.spawn) {
    std::error_code failed;
    std::filesystem::create_directories(a.dir, failed);
    if (failed) {
      std::cerr << "baton-router: cannot make " << a.dir << ": " << failed.message() << '\n';
      return kFailed;
    }
    const auto user = baton::router::WorkerUser(a.haproxy_user, a.dir);
    user ? shape.user = *user : keeps_root = user.error().message;
    const baton::router::HaproxyFiles files(a.dir);
    options.paths = {files.socket, files.map, files.master};
    options.spawn = baton::router::SpawnOptions{.haproxy = a.haproxy, .dir = a.dir, .shape = shape};
  }
  const int stop = StopSignals();  // before gRPC makes threads
  baton::PrometheusMetrics metrics(baton::RouterMetricsTable());
  metrics.Set("baton_build_info", 1, baton::kAppVersion);
  if (!a.metrics.empty()) {
    if (const baton::Status exposed = metrics.Expose(a.metrics); !exposed) {
      std::cerr << "baton-router: " << exposed.error().message << '\n';
      return kFailed;
    }
  }
  baton::JsonLog log("baton-router", a.debug ? baton::LogLevel::kDebug : baton::LogLevel::kInfo,
                     baton::LogPrefixOf(a.log_prefix));
  const baton::LibraryLogs libraries(log);
  std::shared_ptr<baton::Tls> tls;
  if (!a.tls.empty()) {
    auto opened = baton::OpenTlsAs({baton::Role::kRouter, a.id}, a.tls, log, metrics);
    if (!opened) {
      std::cerr << "baton-router: " << opened.error().message << '\n';
      return kFailed;
    }
    tls = *std::move(opened);
    options.credentials = tls->ForClient();
  }
  log.Info("router_started",
           {{"id", a.id}, {"batond", a.batond.front()}, {"spawn", a.spawn}, {"socket", options.paths.socket}});
  if (!keeps_root.empty()) log.Warn("haproxy_keeps_root", {{"why", keeps_root}});
  baton::router::Router router(std::move(options), log, metrics);
  router.Run(stop);
  log.Info("router_stopped");
  return kOk;
}

int Status(const Arguments& a) {
  const baton::Result<bool> served = baton::router::PrintStatus({a.socket, a.map, a.output == "json"}, std::cout);
  if (!served) {
    std::cerr << "baton-router: " << served.error().message << '\n';
    return kFailed;
  }
  return *served ? kOk : kNotServed;
}

int Config(const Arguments& a) {
  const std::string dir = a.dir.empty() ? "/run/baton-router" : a.dir;
  if (!baton::router::IsPlainPath(dir)) {
    std::cerr << "baton-router: --dir must be absolute and of [A-Za-z0-9._/@+-]\n";
    return kUsage;
  }
  std::string fault;
  const baton::router::ConfigShape shape = ShapeOf(a, fault);
  if (!fault.empty()) {
    std::cerr << "baton-router: " << fault << '\n';
    return kUsage;
  }
  std::cout << baton::router::MakeConfig(shape, baton::router::HaproxyFiles(dir), {}, {});
  return kOk;
}

}  // namespace

int main(int argc, char** argv) {
  baton::KeepMemoryPrivate();
  CLI::App app(baton::router::kAbout, "baton-router");
  Arguments arguments;
  baton::router::Declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return baton::EndOf(app, error, std::cout, std::cerr);
  }
  if (app.got_subcommand("run")) return Run(arguments);
  if (app.got_subcommand("status")) return Status(arguments);
  return Config(arguments);
}
