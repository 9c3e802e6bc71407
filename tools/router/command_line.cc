#include "tools/router/command_line.h"

#include "orchestrator/model/version.h"
#include "tools/command_line/config_file.h"
#include "tools/command_line/one_of.h"
#include "tools/logging/log_prefix.h"
#include "tools/router/haproxy/haproxy_config.h"

namespace baton::router {
namespace {

void DeclareRetries(CLI::App& command, Arguments& a) {
  command
      .add_option(
          "--retries", a.retries,
          "How often a request that may be repeated goes to another endpoint when one is gone without an answer")
      ->check(CLI::Range(0, 10))
      ->capture_default_str()
      ->envname("BATON_ROUTER_RETRIES");
}

void DeclareForwarded(CLI::App& command, Arguments& a) {
  command
      .add_option("--trust-forwarded", a.trust_forwarded,
                  "ADDRESS or NETWORK/BITS of load balancers before the router, several separated by ',': their "
                  "X-Forwarded-For is passed on, and everybody else's dropped")
      ->delimiter(',')
      ->check(CLI::Validator(
          [](const std::string& text) { return IsNetwork(text) ? "" : text + " is no address or network"; }, "NETWORK"))
      ->envname("BATON_ROUTER_TRUST_FORWARDED");
}

void DeclareTcp(CLI::App& command, Arguments& a) {
  command
      .add_option("--tcp-ports", a.tcp_ports,
                  "FROM-TO: ports for TCP routes; HAProxy listens on all of them, so they must be free")
      ->envname("BATON_ROUTER_TCP_PORTS");
  command.add_option("--tcp-listen", a.tcp_listen, "Address of these ports (default: the one of --listen)")
      ->envname("BATON_ROUTER_TCP_LISTEN");
}

void DeclareRun(CLI::App& app, Arguments& a) {
  CLI::App* run = app.add_subcommand("run", "Keep a HAProxy in step with the route table, until SIGTERM");
  run->configurable();
  run->add_option("--id", a.id, "Name of this route consumer; the same over restarts")
      ->capture_default_str()
      ->envname("BATON_ROUTER_ID");
  run->add_option("--batond", a.batond, "Addresses of batond, separated by ','")
      ->delimiter(',')
      ->capture_default_str()
      ->envname("BATON_ROUTER_BATOND");
  run->add_option("--tls", a.tls,
                  "Directory with ca.pem, cert.pem and key.pem of this router (baton certs issue router ID): mutual "
                  "TLS to batond; "
                  "changed files are taken up")
      ->type_name("DIR")
      ->envname("BATON_ROUTER_TLS");
  run->add_flag("--spawn", a.spawn, "Start a HAProxy in --dir and look after it")->envname("BATON_ROUTER_SPAWN");
  run->add_option("--dir", a.dir, "With --spawn: folder of its configuration, sockets and log")
      ->envname("BATON_ROUTER_DIR");
  run->add_option("--listen", a.listen, "With --spawn: where it takes requests")
      ->capture_default_str()
      ->envname("BATON_ROUTER_LISTEN");
  run->add_option("--backends", a.backends,
                  "With --spawn: HTTP routes there is room for at first; it grows by a reload")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str()
      ->envname("BATON_ROUTER_BACKENDS");
  DeclareRetries(*run, a);
  DeclareForwarded(*run, a);
  run->add_option("--haproxy-user", a.haproxy_user, "With --spawn, as root: as whom HAProxy's workers run")
      ->capture_default_str()
      ->envname("BATON_ROUTER_HAPROXY_USER");
  DeclareTcp(*run, a);
  run->add_option("--router-group", a.router_group, "Serve TCP routes of this group only (default: of all)")
      ->envname("BATON_ROUTER_GROUP");
  run->add_option("--haproxy", a.haproxy, "With --spawn: the program")
      ->capture_default_str()
      ->envname("BATON_ROUTER_HAPROXY");
  run->add_flag("--keep-haproxy", a.keep_haproxy,
                "With --spawn: leave HAProxy running on SIGTERM; the next run finds it")
      ->envname("BATON_ROUTER_KEEP_HAPROXY");
  run->add_option("--stop-timeout-ms", a.stop_limit_ms, "With --spawn: how long requests in flight may take on SIGTERM")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str()
      ->envname("BATON_ROUTER_STOP_TIMEOUT_MS");
  run->add_option("--socket", a.socket, "Without --spawn: runtime socket (level admin) of the HAProxy to join")
      ->envname("BATON_ROUTER_SOCKET");
  run->add_option("--map", a.map, "Without --spawn: path of its host map, as its configuration names it")
      ->envname("BATON_ROUTER_MAP");
  run->add_option("--master", a.master, "Without --spawn: its master socket, if it has one")
      ->envname("BATON_ROUTER_MASTER");
  run->add_flag("--goodbye", a.goodbye, "On SIGTERM leave for good even though HAProxy goes on")
      ->envname("BATON_ROUTER_GOODBYE");
  run->add_option("--leftover-timeout-ms", a.leftover_limit_ms,
                  "After that long, sessions of an endpoint that is no longer in the table are cut")
      ->check(CLI::Range(0, 86'400'000))
      ->capture_default_str()
      ->envname("BATON_ROUTER_LEFTOVER_TIMEOUT_MS");
  run->add_option("--metrics", a.metrics,
                  "HOST:PORT where Prometheus fetches /metrics, 127.0.0.1:9893 for example; default: nowhere")
      ->envname("BATON_ROUTER_METRICS");
  run->add_flag("--debug", a.debug, "Log each message")->envname("BATON_ROUTER_DEBUG");
  run->add_option("--log-prefix", a.log_prefix, kLogPrefixWhat)
      ->check(OneOf(LogPrefixes()))
      ->capture_default_str()
      ->envname("BATON_ROUTER_LOG_PREFIX");
}

void DeclareReaders(CLI::App& app, Arguments& a) {
  CLI::App* status = app.add_subcommand("status",
                                        "Show route -> backend -> servers; exit status 3 if a route is not "
                                        "served because the pool is full or its TCP port is not there");
  status->add_option("--socket", a.socket, "Runtime socket of HAProxy")->required();
  status->add_option("--map", a.map, "Path of its host map (default: its map named hosts.map)");
  status->add_option("-o,--output", a.output, "table or json")->check(OneOf({"table", "json"}))->capture_default_str();

  CLI::App* config = app.add_subcommand("config", "Print a haproxy.cfg for a HAProxy of your own");
  config->add_option("--listen", a.listen, "Where it takes requests")->capture_default_str();
  config->add_option("--backends", a.backends, "HTTP routes there is room for")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  DeclareRetries(*config, a);
  DeclareForwarded(*config, a);
  DeclareTcp(*config, a);
  config->add_option("--dir", a.dir, "Folder of its sockets and maps (default: /run/baton-router)");
}

}  // namespace

void Declare(CLI::App& app, Arguments& a) {
  app.set_version_flag("--version", std::string("baton-router ") + kAppVersion);
  TakeConfigFile(app, "File with the options as NAME = VALUE, under [run]", "BATON_ROUTER_CONFIG");
  DeclareRun(app, a);
  DeclareReaders(app, a);
  app.require_subcommand(1);
}

}  // namespace baton::router
