// A file with a secret in it, a key: regular, its owner's alone, and read through the one descriptor that was looked at.
#pragma once

#include <fcntl.h>

#include <string>

#include "orchestrator/base/result.h"

namespace baton {

struct SecretFile {
  std::string path;             // as it is opened
  std::string shown = {};       // as it is told; empty: `path`
  int directory = AT_FDCWD;     // where a relative path begins
  std::string called = "key file";
  std::size_t bytes_most = 64 << 10;
};

// Its content. FAILED_PRECONDITION, with the file and what to do, where it cannot be read, is no regular file, belongs to
// somebody else than this program's user or root, may be read or changed by others (mode & 0077), or is larger.
Result<std::string> ReadSecretFile(const SecretFile& file);

}  // namespace baton
