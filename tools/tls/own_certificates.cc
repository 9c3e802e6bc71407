#include "tools/tls/own_certificates.h"

#include <filesystem>

#include "tools/tls/material.h"

namespace baton {

Result<OwnCertificates> OwnCertificates::In(const std::string& dir, Log& log) {
  const bool made = !std::filesystem::exists(dir);
  auto opened = tls::DevCertificates::Open(dir, tls::Now());
  if (!opened) return opened.error();
  for (const Identity& part : tls::UsualParts()) {
    if (const auto there = opened->For(part, tls::Now()); !there) return there.error();
  }
  if (made) log.Info("certificates_made", {{"dir", dir}, {"trust_domain", opened->trust_domain()}});
  return OwnCertificates(*std::move(opened), log);
}

void OwnCertificates::RenewWhereDue() {
  const auto renewed = certificates_.RenewWhereDue(tls::Now());
  if (!renewed) return log_.Warn("certificates_not_renewed", {{"error", renewed.error().message}});
  if (*renewed > 0) log_.Info("certificates_renewed", {{"count", *renewed}});
}

}  // namespace baton
