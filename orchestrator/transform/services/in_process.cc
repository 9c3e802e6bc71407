#include "orchestrator/transform/services/in_process.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>

#include "orchestrator/base/check.h"

namespace baton::transform {
namespace {

constexpr std::size_t kSecretBytes = 32;

std::string MakeSecret() {
  std::array<unsigned char, kSecretBytes> bytes;
  CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string secret;
  for (const unsigned char byte : bytes) (secret += kDigits[byte >> 4]) += kDigits[byte & 15];
  return secret;
}

// Of this process, for as long as it lives.
const std::string& Secret() {
  static const std::string kSecret = MakeSecret();
  return kSecret;
}

}  // namespace

std::string InProcessToken(const std::string& caller) { return Secret() + " " + caller; }

std::optional<std::string> InProcessCaller(std::string_view word) {
  const std::string& secret = Secret();
  // All of it is compared, wherever it differs first: how long it takes tells nothing.
  if (word.size() <= secret.size() || CRYPTO_memcmp(word.data(), secret.data(), secret.size()) != 0) return std::nullopt;
  return word[secret.size()] == ' ' ? std::optional(std::string(word.substr(secret.size() + 1))) : std::nullopt;
}

std::optional<std::string> InProcessCaller(const grpc::ServerContextBase& context) {
  const auto at = context.client_metadata().find(kInProcessKey);
  return at == context.client_metadata().end()
             ? std::nullopt
             : InProcessCaller(std::string_view(at->second.data(), at->second.size()));
}

}  // namespace baton::transform
