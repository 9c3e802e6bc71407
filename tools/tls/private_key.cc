#include "tools/tls/private_key.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "orchestrator/base/check.h"
#include "tools/tls/openssl.h"

namespace baton::tls {
namespace {

// Never prompts for a passphrase: a service has no terminal.
int NoPassphrase(char*, int, int, void*) { return -1; }

}  // namespace

PrivateKey PrivateKey::Make() {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  CHECK(key != nullptr);  // no random numbers
  return PrivateKey(key);
}

Result<PrivateKey> PrivateKey::Parse(const std::string& pem, const std::string& file) {
  const auto refused = [&file](const char* why) { return Error{ErrorKind::kFailedPrecondition, file + why, {}}; };
  if (pem.empty()) return refused(" is empty");
  const Owned<BIO, BIO_free_all> in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  EVP_PKEY* key = PEM_read_bio_PrivateKey(in.get(), nullptr, NoPassphrase, nullptr);
  ERR_clear_error();
  if (key) return PrivateKey(key);
  const bool locked = pem.find("ENCRYPTED") != std::string::npos;
  return refused(locked ? " is locked by a passphrase, which nobody is there to type: take it off (openssl pkey)"
                        : " holds no private key in PEM (-----BEGIN PRIVATE KEY-----), or a broken one");
}

bool PrivateKey::Fits(const Certificate& certificate) const {
  const bool fits = X509_check_private_key(certificate.native(), key_.get()) == 1;
  ERR_clear_error();
  return fits;
}

std::string PrivateKey::pem() const {
  const Owned<BIO, BIO_free_all> out(BIO_new(BIO_s_secmem()));
  CHECK(PEM_write_bio_PrivateKey(out.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return TextOf(out.get());
}

}  // namespace baton::tls
