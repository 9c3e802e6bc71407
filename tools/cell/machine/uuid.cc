#include "tools/cell/machine/uuid.h"

#include "tools/shim/atomic_file.h"

namespace baton {

std::string NewUuid() {
  std::string uuid = ReadWholeFile("/proc/sys/kernel/random/uuid").value_or("");
  while (!uuid.empty() && uuid.back() == '\n') uuid.pop_back();
  CHECK(uuid.size() == 36);
  return uuid;
}

}  // namespace baton
