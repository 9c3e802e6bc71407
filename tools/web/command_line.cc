#include "tools/web/command_line.h"

#include "orchestrator/model/version.h"
#include "tools/command_line/config_file.h"
#include "tools/command_line/one_of.h"
#include "tools/logging/log_prefix.h"

namespace baton::web {
namespace {

void DeclareServing(CLI::App& run, WebOptions& o) {
  run.add_option("--batond", o.batond, "Addresses of batond, separated by ','")
      ->delimiter(',')
      ->capture_default_str()
      ->envname("BATON_WEB_BATOND");
  run.add_option(
         "--tls", o.tls,
         "Directory with ca.pem, cert.pem and key.pem of this page (baton certs issue web NAME): mutual TLS to batond")
      ->type_name("DIR")
      ->envname("BATON_WEB_TLS");
  run.add_option("--id", o.id, "Its name: with --tls, the one in its certificate")
      ->capture_default_str()
      ->envname("BATON_WEB_ID");
  run.add_option("--listen", o.listen, "ADDRESS:PORT for browsers; without --tls-cert a loopback address")
      ->capture_default_str()
      ->envname("BATON_WEB_LISTEN");
  run.add_option("--host", o.hosts, "Names by which browsers reach it, separated by ',', beside loopback addresses")
      ->delimiter(',')
      ->envname("BATON_WEB_HOST");
}

void DeclareWho(CLI::App& run, WebOptions& o) {
  run.add_option("--loopback-role", o.loopback_role, "Without TLS: what everybody on this machine is")
      ->check(OneOf({"viewer", "operator", "admin"}))
      ->capture_default_str()
      ->envname("BATON_WEB_LOOPBACK_ROLE");
  run.add_option("--tls-cert", o.tls_cert, "Certificate chain for browsers, PEM; taken up again when it changes")
      ->envname("BATON_WEB_TLS_CERT");
  run.add_option("--tls-key", o.tls_key, "Its key, PEM")->envname("BATON_WEB_TLS_KEY");
  run.add_option("--client-ca", o.client_ca,
                 "Authority of people's certificates, PEM: who shows one is what it says (viewer, operator, admin)")
      ->envname("BATON_WEB_CLIENT_CA");
  run.add_option("--trust-domain", o.trust_domain, "Of those certificates")
      ->capture_default_str()
      ->envname("BATON_WEB_TRUST_DOMAIN");
  run.add_option("--tokens", o.tokens,
                 "File of tokens that people log in with, a line each: NAME ROLE SHA256; mode 0600")
      ->envname("BATON_WEB_TOKENS");
  run.add_option("--proxy-socket", o.proxy_socket,
                 "Unix socket for a proxy that says who somebody is: X-Forwarded-User, X-Forwarded-Groups")
      ->envname("BATON_WEB_PROXY_SOCKET");
  run.add_option("--operator-group", o.operator_group,
                 "Who comes through that socket and is in this group is operator, others viewer")
      ->envname("BATON_WEB_OPERATOR_GROUP");
}

}  // namespace

void Declare(CLI::App& app, WebOptions& o) {
  app.set_version_flag("--version", std::string("baton-web ") + kAppVersion);
  TakeConfigFile(app, "File with the options as NAME = VALUE, under [run]", "BATON_WEB_CONFIG");
  CLI::App* run = app.add_subcommand("run", "Serve the page, until SIGTERM");
  run->configurable();
  DeclareServing(*run, o);
  DeclareWho(*run, o);
  run->add_option("--metrics", o.metrics,
                  "HOST:PORT where Prometheus fetches /metrics, 127.0.0.1:9894 for example; default: nowhere")
      ->envname("BATON_WEB_METRICS");
  run->add_flag("--debug", o.debug, "Log each request")->envname("BATON_WEB_DEBUG");
  run->add_option("--log-prefix", o.log_prefix, kLogPrefixWhat)
      ->check(OneOf(LogPrefixes()))
      ->capture_default_str()
      ->envname("BATON_WEB_LOG_PREFIX");

  CLI::App* token = app.add_subcommand(
      "token", "Make a token for somebody: it is printed once, and the line for the file of --tokens");
  token->add_option("name", o.person, "Whose it is, [A-Za-z0-9._-]")->required();
  token->add_option("--role", o.role, "What he may do")
      ->check(OneOf({"viewer", "operator", "admin"}))
      ->capture_default_str();
  app.require_subcommand(1);
}

}  // namespace baton::web
