// A file in memory with a path. gRPC watches paths; it gets this validated copy of the files that an operator writes.
// Replacement is atomic: a reader gets all of the old or all of the new.
#pragma once

#include <string>

#include "orchestrator/base/unique_fd.h"

namespace baton::tls {

class MemoryFile {
 public:
  explicit MemoryFile(const std::string& text);
  // The file stays open: gRPC reads its path for as long as a channel exists, and would read another file that got its
  // descriptor number (a directory aborts the process: gRPC takes its size for 2^63).
  ~MemoryFile() { static_cast<void>(file_.Release()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Of this process only.
  const std::string& path() const { return path_; }
  // With another time of change each time, in whole seconds: gRPC tells by it that a file was replaced while it read.
  void Replace(const std::string& text);

 private:
  UniqueFd Made(const std::string& text);

  long changed_;
  UniqueFd file_;
  std::string path_;
};

}  // namespace baton::tls
