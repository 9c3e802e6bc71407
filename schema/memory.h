// A small file beside the database with the store's identity, version and highest epoch. It detects a store that was
// wiped, swapped or restored from a backup, which must never be initialised silently.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "schema/verdict.h"

namespace baton {

class MemoryFile {
 public:
  // Empty path: nothing is remembered.
  explicit MemoryFile(std::string path) : path_(std::move(path)) {}

  // Nothing where there is no file yet. FAILED_PRECONDITION where it cannot be read or is no such file.
  Result<std::optional<StoreMemory>> Read() const;
  // Whole or not at all, and durable; what is lower than what stands there stays (another batond may share the file).
  // `sealed_only` stays once it was written.
  Status Write(const StoreMemory& memory) const;
  // Beside whatever else is remembered.
  Status WriteSealedOnly() const;
  // All but `sealed_only`.
  Status Forget() const;

  const std::string& path() const { return path_; }

 private:
  Status Replace(const StoreMemory& newest) const;

  std::string path_;
};

}  // namespace baton
