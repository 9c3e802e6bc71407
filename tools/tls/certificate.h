// An X.509 certificate: its identity, addresses and validity.
#pragma once

#include <openssl/x509.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton::tls {

using Instant = std::chrono::sys_seconds;

// UTC, "2026-11-23 12:00:00".
std::string Show(Instant instant);

class Certificate {
 public:
  // Takes it over.
  explicit Certificate(X509* certificate);
  // All of a file, in order; FAILED_PRECONDITION where there is none, or one of them is broken. `file`: its name in
  // errors.
  static Result<std::vector<Certificate>> ParseAll(const std::string& pem, const std::string& file);

  std::vector<std::string> uris() const;
  std::vector<std::string> dns_names() const;
  std::vector<std::string> ip_addresses() const;
  Instant not_before() const;
  Instant not_after() const;
  bool is_authority() const;
  bool serves() const;  // extended key usage: may be a server
  bool calls() const;   // may be a client
  std::string subject() const;
  std::string issuer() const;
  std::string serial() const;       // hex
  std::string fingerprint() const;  // SHA-256, hex
  std::string pem() const;
  X509* native() const { return certificate_.get(); }

 private:
  std::vector<std::string> Names(int kind) const;
  std::shared_ptr<X509> certificate_;
};

// Whether a chain leads from `chain`'s first to one of `roots` at `now`, for a server or a client. FAILED_PRECONDITION with
// OpenSSL's reason.
Status CheckChain(const std::vector<Certificate>& chain, const std::vector<Certificate>& roots, bool as_server, Instant now);

}  // namespace baton::tls
