#include "tools/stack/certificates.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "tools/stack/stack_error.h"
#include "tools/tls/credentials.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

constexpr int kDays = 30;
constexpr char kTrustDomain[] = "baton.local";
const Identity kAdmin{Role::kAdmin, "stack"};

tls::Authority AuthorityIn(const std::string& dir) {
  if (!std::filesystem::exists(dir)) {
    const Status written = tls::WriteAuthority(tls::Authority::Make(kTrustDomain, tls::ForDays(kDays, tls::Now())), dir);
    if (!written) throw StackError(written.error().message);
  }
  auto read = tls::ReadAuthority(dir);
  if (!read) throw StackError(read.error().message);
  return *std::move(read);
}

}  // namespace

class StackCertificates::Parts {
 public:
  explicit Parts(tls::Authority made) : authority(std::move(made)) {}
  tls::Authority authority;
  std::optional<tls::Authority> also_trusted;
  std::vector<Identity> issued;
  std::shared_ptr<Tls> admin;
};

StackCertificates::StackCertificates(const std::string& dir)
    : dir_(dir + "/tls"), parts_(std::make_unique<Parts>(AuthorityIn(dir + "/ca"))) {}

StackCertificates::~StackCertificates() = default;

std::string StackCertificates::For(const Identity& identity) const {
  const std::string dir = dir_ + "/" + std::string(Name(identity.role)) + "-" + identity.name;
  auto& issued = parts_->issued;
  if (std::ranges::find(issued, identity) == issued.end()) issued.push_back(identity);
  if (!std::filesystem::exists(dir)) Renew(identity);
  return dir;
}

void StackCertificates::Renew(const Identity& identity) const {
  const std::string dir = dir_ + "/" + std::string(Name(identity.role)) + "-" + identity.name;
  const auto issued = tls::IssueInto(parts_->authority,
                                     {.identity = identity,
                                      .ip_addresses = {"127.0.0.1", "::1"},
                                      .dns_names = {"localhost"},
                                      .validity = tls::ForDays(kDays, tls::Now()),
                                      .also_trusted = parts_->also_trusted ? parts_->also_trusted->certificate().pem() : ""},
                                     dir);
  if (!issued) throw StackError(issued.error().message);
}

void StackCertificates::RenewAll() const {
  for (const Identity& identity : parts_->issued) Renew(identity);
}

void StackCertificates::BelieveNextAuthority() {
  parts_->also_trusted = tls::Authority::Make(kTrustDomain, tls::ForDays(kDays, tls::Now()));
  RenewAll();
}

void StackCertificates::IssueByNextAuthority() {
  std::swap(parts_->authority, *parts_->also_trusted);
  RenewAll();
}

void StackCertificates::ForgetFirstAuthority() {
  parts_->also_trusted.reset();
  RenewAll();
}

ClientCredentials StackCertificates::Admin() {
  if (!parts_->admin) {
    auto opened = Tls::Open({.dir = For(kAdmin), .roles = {Role::kAdmin}});
    if (!opened) throw StackError(opened.error().message);
    parts_->admin = *std::move(opened);
  }
  return parts_->admin->ForClient();
}

}  // namespace baton
