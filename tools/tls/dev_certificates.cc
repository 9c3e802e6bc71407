#include "tools/tls/dev_certificates.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "tools/tls/directory.h"
#include "tools/tls/issue.h"

namespace baton::tls {
namespace {

constexpr char kTrustDomain[] = "baton.local";
constexpr char kAuthorityDir[] = "/ca";
constexpr int kNumberedCellsMax = 250;

// One's own name where it says the role already: batond, cell-1; else viewer-ann.
std::string DirName(const Identity& identity) {
  const std::string role(Name(identity.role));
  const bool says = identity.name == role || identity.name.starts_with(role + "-");
  return says ? identity.name : role + "-" + identity.name;
}

bool IsDue(const Certificate& certificate, Instant now) { return tls::IsDue(certificate.not_before(), certificate.not_after(), now); }

// Where it may be reached, all of it on this machine: a cell that has a number in its name is cell-1 at 127.0.0.2, as in a stack with an
// address for each (tools/stack).
std::vector<std::string> AddressesOf(const Identity& identity) {
  std::vector<std::string> addresses{"127.0.0.1", "::1"};
  constexpr std::string_view kNumbered = "cell-";
  int number = 0;
  const std::string_view name = identity.name;
  if (identity.role != Role::kCell || !name.starts_with(kNumbered)) return addresses;
  const auto [end, error] = std::from_chars(name.data() + kNumbered.size(), name.data() + name.size(), number);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  if (whole && number >= 1 && number <= kNumberedCellsMax) addresses.push_back("127.0.0." + std::to_string(number + 1));
  return addresses;
}

Result<Authority> TakenUp(const std::string& dir, Instant now) {
  if (!std::filesystem::exists(dir)) {
    const Status written = WriteAuthority(Authority::Make(kTrustDomain, ForDays(kDevCertificateDays, now)), dir);
    if (!written) return written.error();
  }
  return ReadAuthority(dir);
}

Validity ValidityUnder(const Authority& authority, Instant now) {
  Validity validity = ForDays(kDevCertificateDays, now);
  validity.to = std::min(validity.to, authority.certificate().not_after());
  return validity;
}

}  // namespace

bool IsDue(Instant from, Instant to, Instant now) { return (to - now) * 3 <= to - from; }

const std::vector<Identity>& UsualParts() {
  static const std::vector<Identity> kParts{{Role::kBatond, "batond"},     {Role::kAdmin, "admin"}, {Role::kController, "controller"},
                                            {Role::kCell, "cell-1"},       {Role::kCell, "cell-2"}, {Role::kRouter, "router-1"},
                                            {Role::kAuctioneer, "auctioneer"}};
  return kParts;
}

Result<DevCertificates> DevCertificates::Open(const std::string& dir, Instant now) {
  auto authority = TakenUp(dir + kAuthorityDir, now);
  if (!authority) return authority.error();
  chmod(dir.c_str(), 0700);  // that others cannot look around in it; the keys themselves are 0600
  DevCertificates made(dir, *std::move(authority));
  const auto renewed = made.RenewWhereDue(now);
  if (!renewed) return renewed.error();
  return made;
}

std::string DevCertificates::DirOf(const Identity& identity) const { return dir_ + "/" + DirName(identity); }

Result<std::string> DevCertificates::For(const Identity& identity, Instant now) const {
  const std::string dir = DirOf(identity);
  if (!std::filesystem::exists(dir)) {
    if (Status issued = Issue(identity, now); !issued) return issued.error();
  }
  return dir;
}

Status DevCertificates::Issue(const Identity& identity, Instant now) const {
  const auto issued = IssueInto(authority_,
                                {.identity = identity,
                                 .ip_addresses = AddressesOf(identity),
                                 .dns_names = {"localhost"},
                                 .validity = ValidityUnder(authority_, now)},
                                DirOf(identity));
  return issued ? Status(Done{}) : Status(issued.error());
}

Result<int> DevCertificates::RenewWhereDue(Instant now) {
  const bool all = IsDue(authority_.certificate(), now);
  if (all) {
    // With the same key: a process that has not reloaded its files yet stays trusted.
    Authority renewed = authority_.Renewed(ForDays(kDevCertificateDays, now));
    if (Status written = ReplaceAuthority(renewed, dir_ + kAuthorityDir); !written) return written.error();
    authority_ = std::move(renewed);
  }
  std::error_code failed;
  std::vector<std::filesystem::path> parts;  // all of them first: what is renewed changes the directory
  for (const auto& entry : std::filesystem::directory_iterator(dir_, failed)) {
    if (std::filesystem::exists(entry.path() / kChainFile)) parts.push_back(entry.path());
  }
  if (failed) return Error{ErrorKind::kFailedPrecondition, dir_ + " cannot be read: " + failed.message(), {}};
  int count = 0;
  for (const std::filesystem::path& part : parts) {
    const std::string file = part / kChainFile;
    const auto text = ReadPublicFile(file);
    if (!text) return text.error();
    const auto there = Certificate::ParseAll(*text, file);
    if (!there) return there.error();
    const auto identity = IdentityOf(there->front().uris(), trust_domain());
    // Files that another program put here are left alone.
    if (!identity || part.filename() != DirName(*identity)) continue;
    if (!all && !IsDue(there->front(), now)) continue;
    if (Status issued = Issue(*identity, now); !issued) return issued.error();
    ++count;
  }
  return count;
}

}  // namespace baton::tls
