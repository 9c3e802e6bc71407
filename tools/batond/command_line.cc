#include "tools/batond/command_line.h"

#include "orchestrator/model/version.h"
#include "tools/command_line/config_file.h"
#include "tools/command_line/one_of.h"
#include "tools/command_line/passwords.h"
#include "tools/logging/log_prefix.h"

namespace baton::batond {
namespace {

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
  app.add_option("--claim-ms", a.claim_ms,
                 "A cell that does not claim an instance within this is passed over, and another asked")
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
                 "HOST, HOST:PORT or NETWORK/BITS whom stages of rolls may ask for verdicts, several separated by ','; "
                 "default: "
                 "nobody. A host name leads to no private or loopback address, unless a network allows it")
      ->delimiter(',')
      ->envname("BATON_VERDICT_ALLOW");
  app.add_option("--auctioneer", a.service.auctioneer,
                 "HOST:PORT of an auctioneer that decides where instances go, over mutual TLS; with --insecure plain, "
                 "on loopback only; "
                 "default: batond does")
      ->envname("BATON_AUCTIONEER");
}

void DeclareDoor(CLI::App& app, Arguments& a) {
  ServiceOptions& s = a.service;
  app.add_option("--listen", s.listen, "Where the API is served; with --insecure loopback only")
      ->capture_default_str()
      ->envname("BATON_LISTEN");
  app.add_option("--tls", a.tls,
                 "Directory with ca.pem, cert.pem and key.pem of a batond (baton certs issue): the API is served over "
                 "mutual TLS, on "
                 "any address; changed files are taken up. Default with --embedded: the directory's own, tls/batond, "
                 "which is made")
      ->type_name("DIR")
      ->envname("BATON_LISTEN_TLS");
  app.add_flag("--insecure", a.insecure, "The API is served without TLS, on loopback only: whoever reaches it is admin")
      ->envname("BATON_INSECURE");
  app.add_option("--advertise", s.advertise,
                 "HOST:PORT by which others reach it, told to clients of standbys; default: --listen")
      ->envname("BATON_ADVERTISE");
}

void DeclareCallers(CLI::App& app, ServiceOptions& s) {
  app.add_option("--access", s.access,
                 "File of what controllers, cells and routers may touch, mode 0600; changes are taken up. Default: all "
                 "that their role may "
                 "call")
      ->envname("BATON_ACCESS");
  app.add_option("--revoked", s.revoked,
                 "File of certificates (cert SHA256) and names (name role/cell/cell-7) that are refused, mode 0600; "
                 "changes are taken up")
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
  limit("--identity-plans", s.identity.plans,
        "Plans of updates of one caller at once, and as many forecasts of open rolls", "BATON_IDENTITY_PLANS");
  limit("--identity-streams", s.identity.streams, "Subscriptions, watches and waits of one caller at once",
        "BATON_IDENTITY_STREAMS");
  limit("--identity-calls", s.callers.calls, "Calls with one answer of one caller that are under way at once",
        "BATON_IDENTITY_CALLS");
  limit("--identity-request-mib", s.callers.request_mib,
        "MiB of requests of one caller that are read and not answered yet", "BATON_IDENTITY_REQUEST_MIB");
  limit("--identity-connections", s.callers.connections.of_caller, "Connections of one caller",
        "BATON_IDENTITY_CONNECTIONS");
  limit("--machine-connections", s.callers.connections.of_machine, "Connections of one cell or router",
        "BATON_MACHINE_CONNECTIONS");
  limit("--connections-most", s.callers.connections.all, "Connections in all", "BATON_CONNECTIONS_MOST");
  limit("--handshakes-most", s.callers.connections.handshakes, "Connections whose handshake is not over",
        "BATON_HANDSHAKES_MOST");
  limit("--connection-age-s", s.callers.connection_age_s,
        "Seconds after which a connection takes no new calls and its caller connects again, with the certificate that "
        "it has then",
        "BATON_CONNECTION_AGE_S");
  limit("--rapid-cancels-most", s.callers.rapid_cancels,
        "Calls of a connection in 10 s that are cancelled within a second of their begin", "BATON_RAPID_CANCELS_MOST");
  limit("--cancels-most", s.callers.connections.cancelled_max, "Calls of a connection in 10 s that are cancelled",
        "BATON_CANCELS_MOST");
  limit("--metadata-entries-most", s.callers.metadata_entries, "Entries of metadata of a call, with TLS",
        "BATON_METADATA_ENTRIES_MOST");
  limit("--identity-writes", s.identity.writes_a_second, "Writes a second of one caller in the long run",
        "BATON_IDENTITY_WRITES");
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
                 "The same database as a role that may make tables (baton_migrator of schema/roles.sql): connected to "
                 "while data is made, "
                 "migrated or taken back, and by nothing else; default: --database does that, too")
      ->envname("BATON_DATABASE_OWNER");
  app.add_flag("--database-insecure", a.database_insecure, kDatabaseInsecure)->envname(kDatabaseInsecureVariable);
}

}  // namespace

void Declare(CLI::App& app, Arguments& a) {
  ServiceOptions& s = a.service;
  app.set_version_flag("--version", std::string("batond ") + kAppVersion);
  TakeConfigFile(app, "File with the options as NAME = VALUE", "BATON_CONFIG");
  DeclareDatabase(app, a);
  app.add_option("--state", s.state_file,
                 "File that remembers which store this batond last saw: one that was wiped or restored is refused")
      ->envname("BATON_STATE");
  app.add_flag("--accept-store", a.accept_store,
               "Once, after a restore: whatever is remembered, this is the store now");
  app.add_option("--rollback-on-drain-to-version", s.rollback_on_drain_to,
                 "Told to stop while it leads, it takes the data back to this schema (its number, for example 100)")
      ->check(CLI::Range(std::int64_t{1}, kSchemaMigration))
      ->envname("BATON_ROLLBACK_ON_DRAIN_TO_VERSION");
  app.add_flag("--upgrade-after-rollback", a.upgrade_after_rollback,
               "Once, after the data was taken back from this version: it may be migrated again");
  app.add_option(
         "--upgrade", a.upgrade,
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
  app.add_option("--list-memory-mb", s.list_memory_mb,
                 "Memory for the rows of lists, so that the next one reads what was written since; 0: each is read whole")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str()
      ->envname("BATON_LIST_MEMORY_MB");
  app.add_option("--write-shards", s.write_shards,
                 "Database connections for writing; more than one is used where much waits")
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
  app.add_option("--log-prefix", a.log_prefix, kLogPrefixWhat)
      ->check(OneOf(LogPrefixes()))
      ->capture_default_str()
      ->envname("BATON_LOG_PREFIX");
}

}  // namespace baton::batond
