#include "orchestrator/crypto/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <memory>

#include "orchestrator/base/check.h"

namespace baton::crypto {
namespace {

constexpr std::size_t kBase64Bytes = 44;  // of 32 bytes, with one '=' at the end

const unsigned char* Bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};

// Fetched once: OpenSSL 3 looks an algorithm up by name at each use otherwise, which takes as long as the use.
const EVP_CIPHER* Aes() {
  static const EVP_CIPHER* const kAes = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  CHECK(kAes);
  return kAes;
}

EVP_CIPHER_CTX* Context() {
  thread_local const std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context(EVP_CIPHER_CTX_new());
  CHECK(context);
  return context.get();
}

int Length(std::string_view text) { return static_cast<int>(text.size()); }

}  // namespace

bool Secret::operator==(const Secret& other) const {
  return CRYPTO_memcmp(data(), other.data(), kBytes) == 0;
}

void Wipe(std::string& secret) {
  OPENSSL_cleanse(secret.data(), secret.size());
  secret.clear();
}

std::optional<Secret> FromBase64(std::string_view text) {
  if (text.size() != kBase64Bytes || text.back() != '=' || text[kBase64Bytes - 2] == '=') return std::nullopt;
  std::array<unsigned char, 33> decoded;  // EVP_DecodeBlock writes a zero for the '='
  const int length = EVP_DecodeBlock(decoded.data(), Bytes(text), Length(text));
  if (length != static_cast<int>(decoded.size())) return std::nullopt;
  Secret secret;
  std::copy_n(decoded.begin(), Secret::kBytes, secret.data());
  OPENSSL_cleanse(decoded.data(), decoded.size());
  return secret;
}

Secret FromPassphrase(std::string_view passphrase, std::string_view salt) {
  constexpr std::uint64_t kCost = 32'768, kBlock = 8, kParallel = 1, kMemoryMax = 64 << 20;
  Secret secret;
  CHECK(EVP_PBE_scrypt(passphrase.data(), passphrase.size(), Bytes(salt), salt.size(), kCost, kBlock, kParallel,
                       kMemoryMax, secret.data(), Secret::kBytes) == 1);
  return secret;
}

Secret Derive(const Secret& from, std::string_view what_for) {
  Secret derived;
  std::size_t length = Secret::kBytes;
  const std::unique_ptr<EVP_PKEY_CTX, FreeContext> context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  CHECK(context && EVP_PKEY_derive_init(context.get()) == 1);
  CHECK(EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1);
  CHECK(EVP_PKEY_CTX_set1_hkdf_key(context.get(), from.data(), Secret::kBytes) == 1);
  CHECK(EVP_PKEY_CTX_add1_hkdf_info(context.get(), Bytes(what_for), Length(what_for)) == 1);
  CHECK(EVP_PKEY_derive(context.get(), derived.data(), &length) == 1);
  return derived;
}

std::string Encrypt(const Secret& key, std::string_view bound_to, std::string_view plain) {
  std::string sealed(kNonceBytes + plain.size() + kTagBytes, '\0');
  unsigned char* const nonce = Bytes(sealed);
  unsigned char* const body = nonce + kNonceBytes;
  CHECK(RAND_bytes(nonce, kNonceBytes) == 1);
  EVP_CIPHER_CTX* const context = Context();
  int length = 0;
  CHECK(EVP_EncryptInit_ex(context, Aes(), nullptr, key.data(), nonce) == 1);
  CHECK(EVP_EncryptUpdate(context, nullptr, &length, Bytes(bound_to), Length(bound_to)) == 1);
  CHECK(EVP_EncryptUpdate(context, body, &length, Bytes(plain), Length(plain)) == 1);
  CHECK(EVP_EncryptFinal_ex(context, body + plain.size(), &length) == 1 && length == 0);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, kTagBytes, body + plain.size()) == 1);
  return sealed;
}

std::optional<std::string> Decrypt(const Secret& key, std::string_view bound_to, std::string_view sealed) {
  if (sealed.size() < kNonceBytes + kTagBytes) return std::nullopt;
  std::string plain(sealed.size() - kNonceBytes - kTagBytes, '\0');
  const unsigned char* const body = Bytes(sealed) + kNonceBytes;
  std::array<unsigned char, kTagBytes> tag;
  std::copy_n(body + plain.size(), kTagBytes, tag.begin());
  EVP_CIPHER_CTX* const context = Context();
  int length = 0;
  CHECK(EVP_DecryptInit_ex(context, Aes(), nullptr, key.data(), Bytes(sealed)) == 1);
  CHECK(EVP_DecryptUpdate(context, nullptr, &length, Bytes(bound_to), Length(bound_to)) == 1);
  CHECK(EVP_DecryptUpdate(context, Bytes(plain), &length, body, static_cast<int>(plain.size())) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, kTagBytes, tag.data()) == 1);
  std::array<unsigned char, kTagBytes> nothing;
  if (EVP_DecryptFinal_ex(context, nothing.data(), &length) != 1) {
    Wipe(plain);  // nothing of what is not whole is ever seen
    return std::nullopt;
  }
  return plain;
}

}  // namespace baton::crypto
