// Archives fetched before, shared by the instances of a cell. Only what has a checksum is kept: its name then says its
// content, so an entry is never wrong, only damaged, and that is seen at each use. Replaced by rename: who has an entry
// open keeps what he opened.
#pragma once

#include <cstdint>
#include <string>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {

class DownloadCache {
 public:
  static constexpr std::uintmax_t kBytesMax = 2ull << 30;

  explicit DownloadCache(std::string dir) : dir_(std::move(dir)) {}

  // What the checksum names, under the name that its user gave it.
  std::string EntryPath(const std::string& cache_key, const std::string& checksum) const;
  // Invalid if there is none.
  UniqueFd Open(const std::string& entry) const;
  // Takes the file `scratch` over. When that fails the next one fetches again.
  void Keep(const std::string& entry, const std::string& scratch) const;
  // The longest unused go first.
  void Trim(std::uintmax_t bytes_max = kBytesMax) const;

 private:
  std::string dir_;
};

}  // namespace baton::shim
