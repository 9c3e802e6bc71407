#include "orchestrator/crypto/locked_memory.h"

#include <openssl/crypto.h>
#include <sys/mman.h>

#include <mutex>
#include <vector>

#include "orchestrator/base/check.h"

namespace baton::crypto {
namespace {

constexpr std::size_t kBlockBytes = 16 << 10;  // the least limit that systems give is 64 KiB

// Slots of blocks that are never given back: keys are few, and come and go with the key file.
class Pool {
 public:
  unsigned char* Take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) AddBlock();
    unsigned char* const slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void Give(unsigned char* slot) {
    OPENSSL_cleanse(slot, kSlotBytes);
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  bool locked() {
    const std::lock_guard lock(mutex_);
    return locked_;
  }

 private:
  void AddBlock() {
    void* const block = mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED);
    if (mlock(block, kBlockBytes) != 0) locked_ = false;
    madvise(block, kBlockBytes, MADV_DONTDUMP);
    madvise(block, kBlockBytes, MADV_WIPEONFORK);
    for (std::size_t at = 0; at < kBlockBytes; at += kSlotBytes) free_.push_back(static_cast<unsigned char*>(block) + at);
  }

  std::mutex mutex_;
  std::vector<unsigned char*> free_;
  bool locked_ = true;
};

// Outlives every key, those of static objects too.
Pool& Slots() {
  static Pool* const kPool = new Pool;
  return *kPool;
}

}  // namespace

std::shared_ptr<unsigned char> LockedSlot() {
  return {Slots().Take(), [](unsigned char* slot) { Slots().Give(slot); }};
}

bool AllLocked() { return Slots().locked(); }

}  // namespace baton::crypto
