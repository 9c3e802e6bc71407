#include "tools/stack/certificates.h"

#include "tools/stack/stack_error.h"
#include "tools/tls/credentials.h"
#include "tools/tls/dev_certificates.h"

namespace baton::stack {
namespace {

tls::DevCertificates Opened(const std::string& dir) {
  auto opened = tls::DevCertificates::Open(dir, tls::Now());
  if (!opened) throw StackError(opened.error().message);
  return *std::move(opened);
}

}  // namespace

class StackCertificates::Parts {
 public:
  explicit Parts(tls::DevCertificates opened) : all(std::move(opened)) {}
  tls::DevCertificates all;
  std::shared_ptr<Tls> admin;
};

StackCertificates::StackCertificates(const std::string& dir) : parts_(std::make_unique<Parts>(Opened(dir))) {}

StackCertificates::~StackCertificates() = default;

const std::string& StackCertificates::trust_domain() const { return parts_->all.trust_domain(); }

std::string StackCertificates::For(const Identity& identity) const {
  auto there = parts_->all.For(identity, tls::Now());
  if (!there) throw StackError(there.error().message);
  return *std::move(there);
}

void StackCertificates::Renew(const Identity& identity) const {
  const Status issued = parts_->all.Issue(identity, tls::Now());
  if (!issued) throw StackError(issued.error().message);
}

ClientCredentials StackCertificates::Admin() {
  if (!parts_->admin) {
    auto opened = Tls::Open({.dir = For(kStackAdmin), .roles = {Role::kAdmin}});
    if (!opened) throw StackError(opened.error().message);
    parts_->admin = *std::move(opened);
  }
  return parts_->admin->ForClient();
}

}  // namespace baton::stack
