#include "orchestrator/wire/stored/hash.h"

#include <openssl/evp.h>

#include <array>

#include "orchestrator/base/check.h"

namespace baton::wire {

std::string Sha256Hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest;
  unsigned int length = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
  std::string hex;
  hex.reserve(64);
  for (const unsigned char byte : digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace baton::wire
