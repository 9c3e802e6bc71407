#include "orchestrator/wire/stored/hash.h"

#include <openssl/evp.h>

#include <array>
#include <boost/algorithm/hex.hpp>

#include "orchestrator/base/check.h"

namespace baton::wire {

std::string Sha256Hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest;
  unsigned int length = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
  std::string hex(2 * digest.size(), '\0');
  boost::algorithm::hex_lower(digest, hex.begin());
  return hex;
}

}  // namespace baton::wire
