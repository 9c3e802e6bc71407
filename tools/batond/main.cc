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
#include "tools/batond/command_line.h"
#include "tools/batond/embedded.h"
#include "tools/batond/key_file.h"
#include "tools/batond/prepare.h"
#include "tools/batond/service.h"
#include "tools/batond/stop_signal.h"
#include "tools/batond/transport_security.h"
#include "tools/command_line/mistake.h"
#include "tools/command_line/passwords.h"
#include "tools/logging/json_log.h"
#include "tools/logging/library_logs.h"
#include "tools/metrics/prometheus_metrics.h"
#include "tools/system/keep_private.h"
#include "tools/tls/notes.h"
#include "tools/tls/own_certificates.h"

namespace baton::batond {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

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

// Where systemd hands one over (LoadCredential=keys:...). The unit has an empty line in place of none, as systemd takes
// no less.
std::string DefaultKeyFile() {
  const char* directory = std::getenv("CREDENTIALS_DIRECTORY");
  if (!directory || !*directory) return "";
  const std::string file = std::string(directory) + "/keys";
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  return !none && size > 1 ? file : "";
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
    if (Status s = CheckMetricsAddress(options.metrics); !s) return s.error();
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
  if (options.keys.empty()) options.keys = DefaultKeyFile();
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
  JsonLog log("batond", LevelOf(a.log_level), LogPrefixOf(a.log_prefix));
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
  CLI::App app(baton::batond::kAbout, "batond");
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
