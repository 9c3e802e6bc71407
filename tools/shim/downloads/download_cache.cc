#include "tools/shim/downloads/download_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "orchestrator/wire/stored/hash.h"
#include "tools/shim/downloads/checksum.h"

namespace baton::shim {

namespace fs = std::filesystem;

std::string DownloadCache::EntryPath(const std::string& cache_key, const std::string& checksum) const {
  return dir_ + "/" + wire::Sha256Hex(cache_key + "\n" + checksum);
}

UniqueFd DownloadCache::Open(const std::string& entry) const {
  UniqueFd file(open(entry.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.valid()) futimens(file.get(), nullptr);  // used now: trimmed later
  return file;
}

void DownloadCache::Keep(const std::string& entry, const std::string& scratch) const {
  if (rename(scratch.c_str(), entry.c_str()) == 0) Trim();
}

void DownloadCache::Trim(std::uintmax_t bytes_max) const {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::uintmax_t total = 0;
  std::error_code gone;  // another process trims too
  for (const auto& entry : fs::directory_iterator(dir_, gone)) {
    const std::uintmax_t size = entry.file_size(gone);
    if (gone || entry.path().filename().string().starts_with("fetching-")) continue;
    total += size;
    entries.emplace_back(entry.last_write_time(gone), entry.path());
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [used, path] : entries) {
    if (total <= bytes_max) return;
    const std::uintmax_t size = fs::file_size(path, gone);
    if (!gone) total -= size;
    fs::remove(path, gone);
  }
}

}  // namespace baton::shim
