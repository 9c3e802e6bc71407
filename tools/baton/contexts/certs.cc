// `baton certs`: a small certificate authority, for users without one. It works on files alone.
#include <filesystem>
#include <utility>

#include "tools/baton/session.h"
#include "tools/baton/value_of.h"
#include "tools/tls/issue.h"
#include "tools/tls/material.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

constexpr int kAuthorityDays = 3650;
constexpr int kLeafDays = 90;
constexpr int kAgesAtPercent = 20;
constexpr char kDatabaseMachine[] = "database";  // no role: of PostgreSQL, Patroni and etcd, whom batond never lets in

void Must(const Status& status) {
  if (!status) throw Failure(kFailed, status.error().message);
}

std::int64_t DaysLeft(tls::Instant until) { return std::chrono::duration_cast<std::chrono::hours>(until - tls::Now()).count() / 24; }

std::string ValidityLeft(tls::Instant until) {
  return until < tls::Now() ? "expired" : std::to_string(DaysLeft(until)) + " days left";
}

std::string TrustDomainOf(const std::string& uri) {
  const std::string scheme = "spiffe://";
  return uri.starts_with(scheme) ? uri.substr(scheme.size(), uri.find('/', scheme.size()) - scheme.size()) : "";
}

std::string WhoIs(const tls::Certificate& certificate) {
  const std::vector<std::string> uris = certificate.uris();
  const std::string domain = uris.size() == 1 ? TrustDomainOf(uris.front()) : "";
  if (certificate.is_authority()) return "an authority" + (domain.empty() ? "" : " of " + domain);
  const auto identity = IdentityOf(uris, domain);
  return identity ? Show(*identity) + " of " + domain : "nobody to Baton: " + identity.error().message;
}

void PrintCertificate(std::ostream& out, const tls::Certificate& certificate) {
  const auto line = [&out](const char* name, const std::string& value) { out << name << value << "\n"; };
  const auto each = [&line](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) line(name, OneLine(value));
  };
  line("who      ", OneLine(WhoIs(certificate)));
  each("uri      ", certificate.uris());
  each("ip       ", certificate.ip_addresses());
  each("dns      ", certificate.dns_names());
  line("holds    ", tls::Show(certificate.not_before()) + " to " + tls::Show(certificate.not_after()) + " UTC, " +
                        ValidityLeft(certificate.not_after()));
  if (!certificate.is_authority()) {
    const bool serves = certificate.serves(), calls = certificate.calls();
    line("may      ", serves && calls ? "serve and call" : serves ? "serve" : calls ? "call" : "neither serve nor call");
  }
  line("subject  ", certificate.subject());
  line("issuer   ", certificate.issuer());
  line("serial   ", certificate.serial());
  line("sha256   ", certificate.fingerprint());
}

int CheckAuthority(Session& session, const std::string& dir) {
  const tls::Authority authority = ValueOf(tls::ReadAuthority(dir));
  const tls::Instant until = authority.certificate().not_after();
  if (until < tls::Now()) throw Failure(kFailed, dir + "/" + tls::kRootsFile + " has expired, on " + tls::Show(until) + " UTC");
  session.io.out << dir << " is good: an authority of " << authority.trust_domain() << ", until " << tls::Show(until)
                 << " UTC, " << ValidityLeft(until) << "\n";
  return kDone;
}

}  // namespace

int CertsCa(Session& session) {
  const Arguments& a = session.arguments;
  if (!IsTrustDomain(a.trust_domain)) {
    throw Failure(kUsage, "--trust-domain takes 1 to 255 of a-z, 0-9, '.', '_', '-', as baton.example");
  }
  const tls::Validity validity = tls::ForDays(a.days > 0 ? a.days : kAuthorityDays, tls::Now());
  Must(tls::WriteAuthority(tls::Authority::Make(a.trust_domain, validity), a.out));
  session.io.out << "an authority of " << a.trust_domain << " in " << a.out << ", until " << tls::Show(validity.to)
                 << " UTC; who has " << a.out << "/" << tls::kAuthorityKeyFile << " can be anybody: keep it away from batond\n";
  return kDone;
}

int CertsIssue(Session& session) {
  const Arguments& a = session.arguments;
  const tls::Authority authority = ValueOf(tls::ReadAuthority(a.authority));
  const bool of_database = a.role == kDatabaseMachine;
  const auto role = of_database ? Role::kViewer : ParseRole(a.role);
  if (!role) {
    throw Failure(
        kUsage,
        "'" + a.role +
            "' is no role: batond, cell, router, controller, operator, viewer, admin, auctioneer, web or database");
  }
  tls::Order order{.identity = {*role, a.name},
                   .database = of_database ? a.name : "",
                   .ip_addresses = a.ip_addresses,
                   .dns_names = a.dns_names,
                   .validity = tls::ForDays(a.days > 0 ? a.days : kLeafDays, tls::Now())};
  // What would be refused by everybody is not made.
  ValueOf(IdentityOf({SpiffeId(authority.trust_domain(), order.identity)}, authority.trust_domain()));
  if (order.validity.to > authority.certificate().not_after()) {
    throw Failure(kFailed, "the authority holds until " + tls::Show(authority.certificate().not_after()) +
                               " UTC, and its certificates cannot hold longer: fewer --days, or a new authority");
  }
  for (const std::string& file : a.also_trust) {
    const std::string text = ValueOf(tls::ReadPublicFile(file));
    for (const tls::Certificate& further : ValueOf(tls::Certificate::ParseAll(text, file))) {
      if (!further.is_authority()) throw Failure(kFailed, file + " has a certificate that is no authority's");
      order.also_trusted += further.pem();
    }
  }
  const tls::Issued issued = ValueOf(tls::IssueInto(authority, order, a.out));
  session.io.out << a.out << " is of " << (of_database ? "the database's " + a.name : WhoIs(issued.certificate))
                 << ", until " << tls::Show(order.validity.to) << " UTC\n";
  return kDone;
}

int CertsShow(Session& session) {
  std::string file = session.arguments.path;
  if (std::filesystem::is_directory(file)) file += std::string("/") + tls::kChainFile;
  const std::string text = ValueOf(tls::ReadPublicFile(file));
  bool first = true;
  for (const tls::Certificate& certificate : ValueOf(tls::Certificate::ParseAll(text, file))) {
    if (!std::exchange(first, false)) session.io.out << "\n";
    PrintCertificate(session.io.out, certificate);
  }
  return kDone;
}

int CertsCheck(Session& session) {
  const std::string& dir = session.arguments.path;
  if (std::filesystem::exists(dir + "/" + tls::kAuthorityKeyFile)) return CheckAuthority(session, dir);
  const tls::Material material = ValueOf(tls::ReadMaterial(dir, tls::AllRoles(), tls::Now()));
  session.io.out << dir << " is good: " << Show(material.self) << " of " << material.trust_domain << ", until "
                 << tls::Show(material.not_after) << " UTC, " << ValidityLeft(material.not_after) << "\n";
  const auto life = material.not_after - material.not_before;
  if ((material.not_after - tls::Now()) * 100 < life * kAgesAtPercent) {
    session.io.err << "baton: warning: it is time for a new one: baton certs issue\n";
  }
  return kDone;
}

}  // namespace baton::cli
