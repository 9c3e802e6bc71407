// Memory for keys: in RAM alone, never in swap, in a core file or in a child. Not OpenSSL's secure heap: that is one for the
// whole process, so every handshake and signature of TLS would take of it, and one that is full fails them.
#pragma once

#include <cstddef>
#include <memory>

namespace baton::crypto {

inline constexpr std::size_t kSlotBytes = 32;

// kSlotBytes zeros; wiped when the last that holds them is gone.
std::shared_ptr<unsigned char> LockedSlot();

// False: the system refused to lock some of it (RLIMIT_MEMLOCK), and it may be swapped out.
bool AllLocked();

}  // namespace baton::crypto
