// Seals and opens blobs with the keys of a ring. The ring can be exchanged while others seal and open; how often a key is
// used is counted against what was granted, so that no crash loses count.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "orchestrator/crypto/envelope.h"
#include "orchestrator/crypto/keys.h"

namespace baton {

// Random nonces of 96 bits: beyond that many the chance that two are the same is no longer negligible (NIST SP 800-38D).
inline constexpr std::int64_t kEncryptionsMax = std::int64_t{1} << 32;

class Cipher {
 public:
  // Plain; what is sealed does not open.
  Cipher() = default;
  // `granted`: how often its active key may be used.
  explicit Cipher(std::shared_ptr<const KeyRing> ring, std::int64_t granted = 0) { Use(std::move(ring), granted); }

  // An empty payload stays plain: its length shows in either format, and there is nothing else to it.
  // RESOURCE_EXHAUSTED where the active key has no use left that was granted.
  Result<std::string> Seal(const BlobPlace& place, std::string_view payload) const;
  // Plain blobs open unless the ring is `sealed only`. An error names place and label; the bytes themselves are never in it.
  Result<std::string> Open(const BlobPlace& place, std::string_view sealed) const;

  // Null: none. What was granted before, to whichever key, is void.
  void Use(std::shared_ptr<const KeyRing> ring, std::int64_t granted);
  void Grant(std::int64_t more);
  // Called on the sealing thread when the remaining encryptions fall below this. Set before the first use.
  void OnLow(std::int64_t below, std::function<void()> told);
  std::int64_t left() const { return use()->left; }
  std::shared_ptr<const KeyRing> ring() const { return use()->ring; }
  // Of the active key; empty: plain.
  std::string active() const;

 private:
  struct Tenure {
    std::shared_ptr<const KeyRing> ring;
    std::atomic<std::int64_t> left{0};
  };
  std::shared_ptr<Tenure> use() const;

  mutable std::mutex mutex_;
  std::shared_ptr<Tenure> use_ = std::make_shared<Tenure>();
  std::int64_t low_ = 0;
  std::function<void()> on_low_;
};

// For databases without keys.
const Cipher& PlainCipher();

// With a key that need not be the active one. The ring has it.
std::string SealUnder(const KeyRing& ring, std::string_view label, const BlobPlace& place, std::string_view payload);
// An error where the ring is null or does not have its key.
Result<std::string> OpenWith(const KeyRing* ring, const BlobPlace& place, std::string_view sealed);

}  // namespace baton
