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
#include "tools/client/channel.h"
#include "tools/command_line/mistake.h"
#include "tools/command_line/one_of.h"
#include "tools/logging/json_log.h"
#include "tools/logging/library_logs.h"
#include "tools/metrics/prometheus_metrics.h"
#include "tools/router/haproxy/haproxy_config.h"
#include "tools/router/haproxy/worker_user.h"
#include "tools/router/router.h"
#include "tools/router/routes/naming.h"
#include "tools/router/routes/tcp_ports.h"
#include "tools/router/status.h"
#include "tools/system/keep_private.h"
#include "tools/tls/notes.h"

namespace {

// Exit statuses, for scripts.
constexpr int kOk = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kNotServed = 3;

// HAProxy binds a socket by a longer name beside it first.
constexpr std::size_t kSocketPathMax = 90;

struct Arguments {
  std::string id = "router-1";
  std::vector<std::string> batond{baton::kDefaultAddress};
  bool spawn = false;
  bool keep_haproxy = false;
  bool goodbye = false;
  bool debug = false;
  std::string haproxy = "/usr/sbin/haproxy";
  std::string dir;
  std::string listen = "127.0.0.1:8080";
  std::size_t backends = 64;
  std::string socket;
  std::string map;
  std::string master;
  std::int64_t stop_limit_ms = 10'000;
  std::int64_t leftover_limit_ms = 60'000;
  std::string output = "table";
  int retries = 5;
  std::string tcp_ports;
  std::string tcp_listen;
  std::string router_group;
  std::string metrics;
  std::string haproxy_user = baton::router::kHaproxyUser;
  std::vector<std::string> trust_forwarded;
  std::string tls;
};

void DeclareRetries(CLI::App& command, Arguments& a) {
  command
      .add_option("--retries", a.retries,
                  "How often a request that may be repeated goes to another endpoint when one is gone without an answer")
      ->check(CLI::Range(0, 10))
      ->capture_default_str();
}

void DeclareForwarded(CLI::App& command, Arguments& a) {
  command
      .add_option("--trust-forwarded", a.trust_forwarded,
                  "ADDRESS or NETWORK/BITS of load balancers before the router, several separated by ',': their "
                  "X-Forwarded-For is passed on, and everybody else's dropped")
      ->delimiter(',')
      ->check(CLI::Validator(
          [](const std::string& text) {
            return baton::router::IsNetwork(text) ? "" : text + " is no address or network";
          },
          "NETWORK"));
}

void DeclareTcp(CLI::App& command, Arguments& a) {
  command.add_option("--tcp-ports", a.tcp_ports,
                     "FROM-TO: ports for TCP routes; HAProxy listens on all of them, so they must be free");
  command.add_option("--tcp-listen", a.tcp_listen, "Address of these ports (default: the one of --listen)");
}

void Declare(CLI::App& app, Arguments& a) {
  CLI::App* run = app.add_subcommand("run", "Keep a HAProxy in step with the route table, until SIGTERM");
  run->add_option("--id", a.id, "Name of this route consumer; the same over restarts")->capture_default_str();
  run->add_option("--batond", a.batond, "Addresses of batond, separated by ','")->delimiter(',')->capture_default_str();
  run->add_option("--tls", a.tls,
                  "Directory with ca.pem, cert.pem and key.pem of this router (baton certs issue router ID): mutual TLS to batond; "
                  "changed files are taken up")
      ->type_name("DIR");
  run->add_flag("--spawn", a.spawn, "Start a HAProxy in --dir and look after it");
  run->add_option("--dir", a.dir, "With --spawn: folder of its configuration, sockets and log");
  run->add_option("--listen", a.listen, "With --spawn: where it takes requests")->capture_default_str();
  run->add_option("--backends", a.backends, "With --spawn: HTTP routes there is room for at first; it grows by a reload")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  DeclareRetries(*run, a);
  DeclareForwarded(*run, a);
  run->add_option("--haproxy-user", a.haproxy_user,
                  "With --spawn, as root: as whom HAProxy's workers run")
      ->capture_default_str();
  DeclareTcp(*run, a);
  run->add_option("--router-group", a.router_group, "Serve TCP routes of this group only (default: of all)");
  run->add_option("--haproxy", a.haproxy, "With --spawn: the program")->capture_default_str();
  run->add_flag("--keep-haproxy", a.keep_haproxy,
                "With --spawn: leave HAProxy running on SIGTERM; the next run finds it");
  run->add_option("--stop-timeout-ms", a.stop_limit_ms, "With --spawn: how long requests in flight may take on SIGTERM")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  run->add_option("--socket", a.socket, "Without --spawn: runtime socket (level admin) of the HAProxy to join");
  run->add_option("--map", a.map, "Without --spawn: path of its host map, as its configuration names it");
  run->add_option("--master", a.master, "Without --spawn: its master socket, if it has one");
  run->add_flag("--goodbye", a.goodbye, "On SIGTERM leave for good even though HAProxy goes on");
  run->add_option("--leftover-timeout-ms", a.leftover_limit_ms,
                  "After that long, sessions of an endpoint that is no longer in the table are cut")
      ->check(CLI::Range(0, 86'400'000))
      ->capture_default_str();
  run->add_option("--metrics", a.metrics,
                  "HOST:PORT where Prometheus fetches /metrics, 127.0.0.1:9893 for example; default: nowhere");
  run->add_flag("--debug", a.debug, "Log each message");

  CLI::App* status = app.add_subcommand("status",
                                        "Show route -> backend -> servers; exit status 3 if a route is not "
                                        "served because the pool is full or its TCP port is not there");
  status->add_option("--socket", a.socket, "Runtime socket of HAProxy")->required();
  status->add_option("--map", a.map, "Path of its host map (default: its map named hosts.map)");
  status->add_option("-o,--output", a.output, "table or json")
      ->check(baton::OneOf({"table", "json"}))
      ->capture_default_str();

  CLI::App* config = app.add_subcommand("config", "Print a haproxy.cfg for a HAProxy of your own");
  config->add_option("--listen", a.listen, "Where it takes requests")->capture_default_str();
  config->add_option("--backends", a.backends, "HTTP routes there is room for")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  DeclareRetries(*config, a);
  DeclareForwarded(*config, a);
  DeclareTcp(*config, a);
  config->add_option("--dir", a.dir, "Folder of its sockets and maps (default: /run/baton-router)");
  app.require_subcommand(1);
}

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
  baton::JsonLog log("baton-router", a.debug ? baton::LogLevel::kDebug : baton::LogLevel::kInfo);
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
  CLI::App app("Keeps HAProxy in step with Baton's route table.");
  Arguments arguments;
  app.set_version_flag("--version", std::string("baton-router ") + baton::kAppVersion);
  Declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return baton::EndOf(app, error, std::cout, std::cerr);
  }
  if (app.got_subcommand("run")) return Run(arguments);
  if (app.got_subcommand("status")) return Status(arguments);
  return Config(arguments);
}
