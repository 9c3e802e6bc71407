// A process held by a descriptor: its number can pass to another, this cannot. By system call, because glibc 2.36
// declares its own functions without extern "C".
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "orchestrator/base/unique_fd.h"

namespace baton {

// Readable when the process has ended. Invalid if there is none of this number.
inline UniqueFd OpenPidfd(pid_t pid) { return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))); }

// Nothing happens if it has ended.
inline void SignalPidfd(const UniqueFd& pidfd, int signal) {
  if (pidfd.valid()) syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0);
}

}  // namespace baton
