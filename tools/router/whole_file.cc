#include "tools/router/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace baton::router {

Status WriteWholeFile(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  std::ofstream file(beside, std::ios::trunc | std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    return Error{ErrorKind::kInternal, "cannot write " + path + ": " + std::strerror(errno)};
  }
  return Done{};
}

}  // namespace baton::router
