// Wraps the parts of OpenSSL that encryption at rest needs. These calls fail only by a bug, or without memory or
// randomness; then they end the process.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/crypto/locked_memory.h"

namespace baton::crypto {

inline constexpr std::size_t kNonceBytes = 12;
inline constexpr std::size_t kTagBytes = 16;

// The bytes of a key, in locked memory (orchestrator/crypto/locked_memory.h). Copies share the bytes: fill them before
// the first copy is made. The last copy wipes them.
class Secret {
 public:
  static constexpr std::size_t kBytes = kSlotBytes;
  Secret() : bytes_(LockedSlot()) {}

  unsigned char* data() { return bytes_.get(); }
  const unsigned char* data() const { return bytes_.get(); }
  bool operator==(const Secret& other) const;

 private:
  std::shared_ptr<unsigned char> bytes_;
};

void Wipe(std::string& secret);

// Nothing where it is not the base64 of 32 bytes.
std::optional<Secret> FromBase64(std::string_view text);
// scrypt (N 32768, r 8, p 1: about 0.1 s). The salt is the label: one passphrase under two labels gives two keys.
Secret FromPassphrase(std::string_view passphrase, std::string_view salt);
// HKDF-SHA256.
Secret Derive(const Secret& from, std::string_view what_for);

// AES-256-GCM: nonce, ciphertext and tag. The nonce is of the operating system's random: a key may be used 2^32 times.
std::string Encrypt(const Secret& key, std::string_view bound_to, std::string_view plain);
// Nothing where one bit of it, of the key or of `bound_to` is another.
std::optional<std::string> Decrypt(const Secret& key, std::string_view bound_to, std::string_view sealed);

}  // namespace baton::crypto
