// batond: the service.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "orchestrator/base/secret_file.h"
#include "orchestrator/model/version.h"
#include "tools/batond/embedded.h"
#include "tools/batond/key_file.h"
#include "tools/batond/prepare.h"
#include "tools/batond/service.h"
#include "tools/batond/stop_signal.h"
#include "tools/batond/transport_security.h"
#include "tools/command_line/mistake.h"
#include "tools/command_line/one_of.h"
#include "tools/command_line/passwords.h"
#include "tools/logging/json_log.h"
#include "tools/logging/library_logs.h"
#include "tools/system/keep_private.h"
#include "tools/tls/notes.h"
#include "tools/tls/own_certificates.h"

namespace baton::batond {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

struct Arguments {
  ServiceOptions service;
  std::string tls;
  bool insecure = false;
  std::string log_level = "info";
  std::string upgrade = "simple";
  std::int64_t leader_lease_ms = 2000;
  std::int64_t cell_lease_ms = 10'000;
  std::int64_t route_lease_ms = 30'000;
  std::int64_t stop_grace_ms = 10'000;
  std::int64_t claim_ms = 5000;
  std::int64_t converge_ms = 5'000;
  std::int64_t wait_out_ms = 120'000;
  int audit_days = 90;
  std::vector<std::string> verdict_allow;
  bool accept_store = false;
  bool upgrade_after_rollback = false;
  bool database_insecure = false;
};

void DeclareTimes(CLI::App& app, Arguments& a) {
  const CLI::Range times(100, 3'600'000);
  app.add_option("--leader-lease-ms", a.leader_lease_ms, "After a leader died, another leads within about this time")
      ->check(CLI::Range(500, 60'000))
      ->capture_default_str()
      ->envname("BATON_LEADER_LEASE_MS");
  app.add_option("--cell-lease-ms", a.cell_lease_ms, "A cell that is silent for so long is judged: lost, or waited out")
      ->check(times)
      ->capture_default_str()
      ->envname("BATON_CELL_LEASE_MS");
  app.add_option("--route-lease-ms", a.route_lease_ms, "A router that is silent for so long is not waited for any more")
      ->check(times)
      ->capture_default_str()
      ->envname("BATON_ROUTE_LEASE_MS");
  app.add_option("--stop-grace-ms", a.stop_grace_ms, "From SIGTERM to SIGKILL for instances")
      ->check(times)
      ->capture_default_str()
      ->envname("BATON_STOP_GRACE_MS");
  app.add_option("--claim-ms", a.claim_ms, "A cell that does not claim an instance within this is passed over, and another asked")
      ->check(times)
      ->capture_default_str()
      ->envname("BATON_CLAIM_MS");
  app.add_option("--converge-ms", a.converge_ms, "Between two convergence passes")
      ->check(times)
      ->capture_default_str()
      ->envname("BATON_CONVERGE_MS");
}

void DeclareLosses(CLI::App& app, Arguments& a) {
  LossLimits& losses = a.service.losses;
  app.add_option("--lost-cells-percent", losses.cells_percent,
                 "So many percent of the cells may be taken for lost at once; further silent ones are waited out")
      ->check(CLI::Range(1, 100))
      ->capture_default_str()
      ->envname("BATON_LOST_CELLS_PERCENT");
  app.add_option("--lost-instances-most", losses.instances_max,
                 "So many instances are replaced by one convergence pass because their cells are lost")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str()
      ->envname("BATON_LOST_INSTANCES_MOST");
  app.add_option("--wait-out-ms", a.wait_out_ms,
                 "A cell that is waited out counts as lost all the same so long after its lease")
      ->check(CLI::Range(0, 86'400'000))
      ->capture_default_str()
      ->envname("BATON_WAIT_OUT_MS");
  app.add_option("--verdict-allow", a.verdict_allow,
                 "HOST, HOST:PORT or NETWORK/BITS whom stages of rolls may ask for verdicts, several separated by ','; default: "
                 "nobody. A host name leads to no private or loopback address, unless a network allows it")
      ->delimiter(',')
      ->envname("BATON_VERDICT_ALLOW");
  app.add_option("--auctioneer", a.service.auctioneer,
                 "HOST:PORT of an auctioneer that decides where instances go, over mutual TLS; with --insecure plain, on loopback only; "
                 "default: batond does")
      ->envname("BATON_AUCTIONEER");
}

void DeclareDoor(CLI::App& app, Arguments& a) {
  ServiceOptions& s = a.service;
  app.add_option("--listen", s.listen, "Where the API is served; with --insecure loopback only")
      ->capture_default_str()
      ->envname("BATON_LISTEN");
  app.add_option("--tls", a.tls,
                 "Directory with ca.pem, cert.pem and key.pem of a batond (baton certs issue): the API is served over mutual TLS, on "
                 "any address; changed files are taken up. Default with --embedded: the directory's own, tls/batond, which is made")
      ->type_name("DIR")
      ->envname("BATON_LISTEN_TLS");
  app.add_flag("--insecure", a.insecure, "The API is served without TLS, on loopback only: whoever reaches it is admin")
      ->envname("BATON_INSECURE");
  app.add_option("--advertise", s.advertise, "HOST:PORT by which others reach it, told to clients of standbys; default: --listen")
      ->envname("BATON_ADVERTISE");
}

void DeclareCallers(CLI::App& app, ServiceOptions& s) {
  app.add_option("--access", s.access,
                 "File of what controllers, cells and routers may touch, mode 0600; changes are taken up. Default: all that their role may "
                 "call")
      ->envname("BATON_ACCESS");
  app.add_option("--revoked", s.revoked,
                 "File of certificates (cert SHA256) and names (name role/cell/cell-7) that are refused, mode 0600; changes are taken up")
      ->envname("BATON_REVOKED");
  app.add_option("--streams-most", s.streams_max,
                 "Calls and streams of one connection at once; gRPC's clients hold back more by themselves")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str()
      ->envname("BATON_STREAMS_MOST");
  app.add_flag("--reflection", s.reflection, "Tell whoever asks which services and messages there are (for grpcurl)")
      ->envname("BATON_REFLECTION");
  const auto limit = [&app](const char* name, int& most, const char* what, const char* variable) {
    app.add_option(name, most, what)->check(CLI::Range(1, 1'000'000))->capture_default_str()->envname(variable);
  };
  limit("--identity-lists", s.identity.lists, "Lists of one caller that are under way at once", "BATON_IDENTITY_LISTS");
  limit("--identity-plans", s.identity.plans, "Plans of updates of one caller that are under way at once", "BATON_IDENTITY_PLANS");
  limit("--identity-streams", s.identity.streams, "Subscriptions, watches and waits of one caller at once", "BATON_IDENTITY_STREAMS");
  limit("--identity-calls", s.callers.calls, "Calls with one answer of one caller that are under way at once", "BATON_IDENTITY_CALLS");
  limit("--identity-request-mib", s.callers.request_mib, "MiB of requests of one caller that are read and not answered yet",
        "BATON_IDENTITY_REQUEST_MIB");
  limit("--identity-connections", s.callers.connections.of_caller, "Connections of one caller", "BATON_IDENTITY_CONNECTIONS");
  limit("--machine-connections", s.callers.connections.of_machine, "Connections of one cell or router", "BATON_MACHINE_CONNECTIONS");
  limit("--connections-most", s.callers.connections.all, "Connections in all", "BATON_CONNECTIONS_MOST");
  limit("--handshakes-most", s.callers.connections.handshakes, "Connections whose handshake is not over", "BATON_HANDSHAKES_MOST");
  limit("--connection-age-s", s.callers.connection_age_s,
        "Seconds after which a connection takes no new calls and its caller connects again, with the certificate that "
        "it has then",
        "BATON_CONNECTION_AGE_S");
  limit("--rapid-cancels-most", s.callers.rapid_cancels, "Calls of a connection in 10 s that are cancelled within a second of their begin",
        "BATON_RAPID_CANCELS_MOST");
  limit("--cancels-most", s.callers.connections.cancelled_max, "Calls of a connection in 10 s that are cancelled",
        "BATON_CANCELS_MOST");
  limit("--metadata-entries-most", s.callers.metadata_entries, "Entries of metadata of a call, with TLS", "BATON_METADATA_ENTRIES_MOST");
  limit("--identity-writes", s.identity.writes_a_second, "Writes a second of one caller in the long run", "BATON_IDENTITY_WRITES");
  limit("--identity-writes-at-once", s.identity.writes_at_once, "Writes of one caller at once, after a while without",
        "BATON_IDENTITY_WRITES_AT_ONCE");
}

void DeclareDatabase(CLI::App& app, Arguments& a) {
  ServiceOptions& s = a.service;
  auto* where = app.add_option_group("database", "One of:");
  where->add_option("--embedded", s.embedded, "Make and run a PostgreSQL of its own in this directory")
      ->envname("BATON_EMBEDDED");
  where
      ->add_option("--database", s.database,
                   "Use this one: postgresql://user@host/name, or key=value as libpq takes it")
      ->envname("BATON_DATABASE");
  where->require_option(1);
  app.add_option("--database-owner", s.database_owner,
                 "The same database as a role that may make tables (baton_migrator of schema/roles.sql): connected to while data is made, "
                 "migrated or taken back, and by nothing else; default: --database does that, too")
      ->envname("BATON_DATABASE_OWNER");
  app.add_flag("--database-insecure", a.database_insecure, kDatabaseInsecure)->envname(kDatabaseInsecureVariable);
}

void Declare(CLI::App& app, Arguments& a) {
  ServiceOptions& s = a.service;
  app.set_version_flag("--version", std::string("batond ") + kAppVersion);
  app.set_config("--config", "", "File with the options as NAME = VALUE")->envname("BATON_CONFIG");
  DeclareDatabase(app, a);
  app.add_option("--state", s.state_file,
                 "File that remembers which store this batond last saw: one that was wiped or restored is refused")
      ->envname("BATON_STATE");
  app.add_flag("--accept-store", a.accept_store, "Once, after a restore: whatever is remembered, this is the store now");
  app.add_option("--rollback-on-drain-to-version", s.rollback_on_drain_to,
                 "Told to stop while it leads, it takes the data back to this schema (its number, for example 100)")
      ->check(CLI::Range(std::int64_t{1}, kSchemaMigration))
      ->envname("BATON_ROLLBACK_ON_DRAIN_TO_VERSION");
  app.add_flag("--upgrade-after-rollback", a.upgrade_after_rollback,
               "Once, after the data was taken back from this version: it may be migrated again");
  app.add_option("--upgrade", a.upgrade,
                 "Data of an older schema: migrate it before serving (simple), or serve it until an operator begins the "
                 "upgrade (online)")
      ->check(OneOf({"simple", "online"}))
      ->capture_default_str()
      ->envname("BATON_UPGRADE");
  DeclareDoor(app, a);
  app.add_option("--metrics", s.metrics, "Where Prometheus fetches /metrics; loopback only; empty: nowhere")
      ->capture_default_str()
      ->envname("BATON_METRICS");
  app.add_option("--id", s.id, "Name of this batond among several; default: host name and process id")
      ->envname("BATON_ID");
  app.add_option("--keys", s.keys,
                 "File with the keys of encryption at rest, mode 0600; without one what is stored is plain")
      ->envname("BATON_KEYS_FILE");
  app.add_option("--history", s.history, "Proven definitions before the active one that are kept for undo")
      ->check(CLI::Range(0, 100))
      ->capture_default_str()
      ->envname("BATON_HISTORY");
  app.add_option("--audit-days", a.audit_days, "Who asked for what is kept for so many days (baton admin audit)")
      ->check(CLI::Range(1, 3650))
      ->capture_default_str()
      ->envname("BATON_AUDIT_DAYS");
  app.add_option("--read-threads", s.read_threads, "Database connections for reading")
      ->check(CLI::Range(1, 64))
      ->capture_default_str()
      ->envname("BATON_READ_THREADS");
  app.add_option("--write-shards", s.write_shards, "Database connections for writing")
      ->check(CLI::Range(1, 64))
      ->capture_default_str()
      ->envname("BATON_WRITE_SHARDS");
  DeclareCallers(app, s);
  DeclareTimes(app, a);
  DeclareLosses(app, a);
  app.add_option("--log-level", a.log_level, "debug, info, warn or error")
      ->check(OneOf({"debug", "info", "warn", "error"}))
      ->capture_default_str()
      ->envname("BATON_LOG_LEVEL");
}

LogLevel LevelOf(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "warn") return LogLevel::kWarn;
  return name == "error" ? LogLevel::kError : LogLevel::kInfo;
}

// With the embedded PostgreSQL, or where systemd gives a directory for state (StateDirectory=).
std::string DefaultStateFile(const ServiceOptions& options) {
  if (!options.embedded.empty()) return options.embedded + "/batond.state";
  const char* directory = std::getenv("STATE_DIRECTORY");
  return directory && *directory ? std::string(directory) + "/batond.state" : "";
}

int Complain(const Error& error, int exit_status) {
  std::fprintf(stderr, "batond: %s\n", error.message.c_str());
  return exit_status;
}

// By which door callers come in, and whether the addresses are for it.
Result<TransportSecurity> CheckedTransportSecurity(const Arguments& a) {
  const ServiceOptions& options = a.service;
  if (!options.database_owner.empty() && options.database.empty()) {
    return Error{ErrorKind::kInvalidArgument, "--database-owner goes with --database: the embedded PostgreSQL is batond's own", {}};
  }
  const auto security =
      TransportSecurityOf({.database = !options.database.empty(), .tls = !a.tls.empty(), .insecure = a.insecure});
  if (!security) return security.error();
  const auto check = *security == TransportSecurity::kInsecure ? CheckLoopback : CheckHostAndPort;
  if (Status s = check("--listen", options.listen); !s) return s.error();
  if (!options.advertise.empty()) {
    if (Status s = CheckHostAndPort("--advertise", options.advertise); !s) return s.error();
  }
  if (!options.metrics.empty()) {
    if (Status s = CheckLoopback("--metrics", options.metrics); !s) return s.error();
  }
  if (!options.auctioneer.empty()) {
    if (Status s = check("--auctioneer", options.auctioneer); !s) return s.error();
  }
  return security;
}

// What serves over TLS, for as long as batond does. Nothing of it where there is none.
struct Certificates {
  std::optional<OwnCertificates> own;
  std::shared_ptr<Tls> tls;
};

Result<Certificates> CertificatesFor(TransportSecurity security, Arguments& a, Log& log) {
  Certificates certificates;
  if (security == TransportSecurity::kInsecure) return certificates;
  ServiceOptions& options = a.service;
  if (security == TransportSecurity::kOwnTls) {
    auto made = OwnCertificates::In(options.embedded + "/tls", log);
    if (!made) return made.error();
    a.tls = made->ForBatond();
    certificates.own.emplace(*std::move(made));
  }
  auto opened = Tls::Open(NotedTls(a.tls, Role::kBatond, log));
  if (!opened) return Error{opened.error().kind, "--tls: " + opened.error().message, {}};
  certificates.tls = *std::move(opened);
  options.credentials = certificates.tls->ForServer();
  options.auctioneer_credentials = certificates.tls->ForClient(Role::kAuctioneer);
  options.trust_domain = certificates.tls->trust_domain();
  options.certificate_expires = [tls = certificates.tls.get()] { return tls->expires(); };
  return certificates;
}

int Run(Arguments& a) {
  ServiceOptions& options = a.service;
  const auto security = CheckedTransportSecurity(a);
  if (!security) return Complain(security.error(), kUsage);
  auto verdict_hosts = AllowedHosts::From(a.verdict_allow);
  if (!verdict_hosts) return Complain({verdict_hosts.error().kind, "--verdict-allow: " + verdict_hosts.error().message, {}}, kUsage);
  options.verdict_allow = *std::move(verdict_hosts);
  if (Status s = CheckKeyFile(options.keys); !s) return Complain(s.error(), kFailed);
  if (Status s = CheckDatabases(options, a.database_insecure); !s) return Complain(s.error(), kFailed);
  options.losses.wait_out = milliseconds(a.wait_out_ms);
  options.audit_kept = std::chrono::hours(24) * a.audit_days;
  options.leader_lease = milliseconds(a.leader_lease_ms);
  options.cell_lease = milliseconds(a.cell_lease_ms);
  options.route_lease = milliseconds(a.route_lease_ms);
  options.stop_grace = milliseconds(a.stop_grace_ms);
  options.claim = milliseconds(a.claim_ms);
  options.converge_every = milliseconds(a.converge_ms);
  options.upgrade_online = a.upgrade == "online";
  StopSignal stop;
  JsonLog log("batond", LevelOf(a.log_level));
  const LibraryLogs libraries(log);
  auto certificates = CertificatesFor(*security, a, log);
  if (!certificates) return Complain(certificates.error(), kFailed);
  log.Info("starting", {{"version", kAppVersion}, {"listen", options.listen}});
  std::string url = options.database;
  std::unique_ptr<WatchedPostgres> postgres;
  if (!options.embedded.empty()) {
    auto started = WatchedPostgres::Start(options.embedded, log);
    if (!started) return Complain(started.error(), kFailed);
    postgres = *std::move(started);
    url = postgres->url();
    options.database_owner = postgres->owner_url();
  }
  if (options.state_file.empty()) options.state_file = DefaultStateFile(options);
  if (options.state_file.empty()) {
    log.Warn("no_state_file", {{"why", "a database that is wiped or restored is not noticed: give --state FILE"}});
  }
  if (options.keys.empty() && options.embedded.empty()) {
    log.Warn("encryption_off", {{"why", "what is stored is plain, passwords and environments too: give --keys FILE"}});
  }
  const Status ready = PrepareDatabase({.url = url, .owner = options.database_owner, .superuser = postgres ? postgres->superuser_url() : "",
                                        .state_file = options.state_file, .accept_store = a.accept_store,
                                        .upgrade_after_rollback = a.upgrade_after_rollback}, log,
                                       [&stop](Duration wait) { return stop.Wait(wait); });
  if (!ready) return Complain(ready.error(), kFailed);
  auto service = Service::Start(options, url, log);
  if (!service) return Complain(service.error(), kFailed);
  log.Info("serving", {{"address", (*service)->address()}});
  do {
    if (*security == TransportSecurity::kInsecure)
      log.Warn("insecure", {{"why", kInsecureWhy}, {"address", (*service)->address()}});
    if (certificates->own) certificates->own->RenewWhereDue();
  } while (!stop.Wait(std::chrono::hours(1)));
  log.Info("stopping", {});
  const Status stopped = (*service)->Stop();
  service->reset();
  log.Info("stopped", {});
  return stopped ? 0 : Complain(stopped.error(), kFailed);
}

}  // namespace
}  // namespace baton::batond

int main(int argc, char** argv) {
  baton::KeepMemoryPrivate();
  baton::batond::Arguments arguments;
  CLI::App app("Rolls apps from one definition to the next without a failed request");
  baton::batond::Declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return baton::EndOf(app, error, std::cout, std::cerr);
  }
  if (const std::string shown = baton::PasswordShown(argc, argv); !shown.empty()) {
    return baton::batond::Complain({baton::ErrorKind::kInvalidArgument, shown, {}}, baton::batond::kUsage);
  }
  const auto& service = arguments.service;
  if (*app.get_config_ptr() && (baton::HasPassword(service.database) || baton::HasPassword(service.database_owner))) {
    const auto read = baton::ReadSecretFile(
        {.path = app.get_config_ptr()->as<std::string>(), .called = "--config, beside a password of the database:"});
    if (!read) return baton::batond::Complain(read.error(), baton::batond::kFailed);
  }
  return baton::batond::Run(arguments);
}
