#include "tools/baton/contexts/certs_options.h"

namespace baton::cli {

void DeclareCerts(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* certs =
      app.add_subcommand("certs", "Make and check the certificates of --tls; asks no batond, docs/guide/security.md");
  certs->require_subcommand(1);
  const auto days = [&a](CLI::App* of, const char* help) { of->add_option("--days", a.days, help)->check(CLI::Range(1, 36'500)); };
  CLI::App* ca = AddCommand(
      *certs, "ca", "Make a certificate authority of your own: ca.pem and ca-key.pem, to be kept away from batond",
      command, CertsCa);
  ca->add_option("--trust-domain", a.trust_domain, "Whom it makes: all that may speak with each other, as baton.example")->required();
  ca->add_option("--out", a.out, "Its directory, which must not be there yet")->required()->type_name("DIR");
  days(ca, "How long it holds; default: 3650");
  CLI::App* issue = AddCommand(*certs, "issue",
                               "Make a directory for --tls: ca.pem, cert.pem and key.pem; one of the same name is "
                               "replaced at once, and taken up by who uses it",
                               command, CertsIssue);
  issue
      ->add_option(
          "ROLE", a.role,
          "batond, cell, router, controller, operator, viewer, admin, auctioneer or web; database: of PostgreSQL, "
          "Patroni and etcd (docs/guide/ha.md), nobody to batond")
      ->required();
  issue->add_option("NAME", a.name, "Of a cell and a router its --id; 1 to 128 of a-z, A-Z, 0-9, '.', '_', '-'")->required();
  issue->add_option("--ca", a.authority, "Directory of the authority")->required()->type_name("DIR");
  issue->add_option("--out", a.out, "Where to")->required()->type_name("DIR");
  const auto many = [](CLI::Option* option, const char* type) {
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->type_name(type);
  };
  many(issue->add_option("--ip", a.ip_addresses, "IP address under which it is; may be given several times"), "IP");
  many(issue->add_option("--dns", a.dns_names, "Host name under which it is; may be given several times"), "NAME");
  many(issue->add_option("--also-trust", a.also_trust, "Certificates of further authorities, while one follows another; may be "
                         "given several times"), "FILE");
  days(issue, "How long it holds; default: 90");
  CLI::App* show =
      AddCommand(*certs, "show", "What is in a file of certificates, or in a directory's cert.pem", command, CertsShow);
  show->add_option("FILE", a.path, "The file")->required();
  CLI::App* check = AddCommand(*certs, "check",
                               "Whether a directory is good for --tls: files, modes, key, dates, name, chain; exit "
                               "status 1 where it is not",
                               command, CertsCheck);
  check->add_option("DIR", a.path, "The directory")->required();
}

}  // namespace baton::cli
