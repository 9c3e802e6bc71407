// Keeps other processes from reading this process's memory, secrets included.
#pragma once

#include <sys/prctl.h>
#include <sys/resource.h>

namespace baton {

// The first line of main: no core file, and who is not root can neither trace it nor read its /proc files, be he of the
// same user as apps of a cell are. What it starts inherits that there are no core files; the rest ends with an exec.
inline void KeepMemoryPrivate() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace baton
