// A private key: new keys are P-256; existing ones may be of any kind that OpenSSL reads.
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>

#include "orchestrator/base/result.h"
#include "tools/tls/certificate.h"

namespace baton::tls {

class PrivateKey {
 public:
  static PrivateKey Make();
  // FAILED_PRECONDITION where there is none, or it is locked by a passphrase. `file`: its name in errors.
  static Result<PrivateKey> Parse(const std::string& pem, const std::string& file);

  bool Fits(const Certificate& certificate) const;
  std::string pem() const;  // a secret
  EVP_PKEY* native() const { return key_.get(); }

 private:
  explicit PrivateKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}
  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace baton::tls
