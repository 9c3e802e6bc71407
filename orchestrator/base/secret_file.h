// Reads a file with a secret, such as a key. The file has to be regular and accessible to its owner alone; the
// descriptor that was checked is the one that is read.
#pragma once

#include <fcntl.h>

#include <string>

#include "orchestrator/base/result.h"

namespace baton {

struct SecretFile {
  std::string path;             // as it is opened
  std::string shown = {};       // its name in error messages; empty: `path`
  int directory = AT_FDCWD;     // where a relative path begins
  std::string called = "key file";
  std::size_t bytes_max = 64 << 10;
};

// The file's content. FAILED_PRECONDITION, with the file and what to do, if it cannot be read, is no regular file, is
// owned by a user other than this program's or root, is accessible to others (mode & 0077), or is too large.
Result<std::string> ReadSecretFile(const SecretFile& file);

}  // namespace baton
