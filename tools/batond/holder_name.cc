#include "tools/batond/holder_name.h"

#include <unistd.h>

namespace baton::batond {

std::string HolderName(const std::string& id) {
  if (!id.empty()) return id;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return std::string(host) + ":" + std::to_string(getpid());
}

}  // namespace baton::batond
