#include "schema/memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

namespace baton {
namespace {

constexpr char kFirstLine[] = "baton store memory 1";

Error Unreadable(const std::string& path, const std::string& what) {
  return {ErrorKind::kFailedPrecondition,
          "the state file " + path + " " + what + ": it says which store this batond last saw; mend or remove it", {}};
}

std::optional<std::int64_t> Number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// Two threads of a process write it, each after it has read it.
std::mutex& Writing() {
  static std::mutex mutex;
  return mutex;
}

bool WriteAll(int file, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = write(file, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return fsync(file) == 0;
}

}  // namespace

Result<std::optional<StoreMemory>> MemoryFile::Read() const {
  if (path_.empty() || (access(path_.c_str(), F_OK) != 0 && errno == ENOENT)) return std::optional<StoreMemory>();
  std::ifstream file(path_);
  if (!file) return Unreadable(path_, std::string("cannot be read (") + std::strerror(errno) + ")");
  std::string line;
  std::getline(file, line);
  if (line != kFirstLine) return Unreadable(path_, "is no state file of batond");
  StoreMemory memory;
  std::string key;
  std::string value;
  int known = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    if (!(words >> key >> value)) return Unreadable(path_, "is damaged (\"" + line + "\")");
    const auto number = Number(value);
    if (key == "sealed" && value == "only") memory.sealed_only = true;
    if (key == "store" && value != "-") memory.store_id = value;
    if (key == "version" && number) memory.version = *number;
    if (key == "epoch" && number) memory.epoch = *number;
    known += key == "store" || ((key == "version" || key == "epoch") && number);
  }
  if (known != 3) return Unreadable(path_, "is damaged: it has to name store, version and epoch");
  return std::optional<StoreMemory>(memory);
}

Status MemoryFile::Write(const StoreMemory& memory) const {
  if (path_.empty()) return Done{};
  const std::lock_guard lock(Writing());
  const auto before = Read();
  StoreMemory newest = memory;
  if (before && *before) newest.sealed_only = memory.sealed_only || (*before)->sealed_only;
  if (before && *before && (*before)->store_id == memory.store_id) {
    newest.epoch = std::max(memory.epoch, (*before)->epoch);
    if (newest.epoch == (*before)->epoch && memory.version == (*before)->version &&
        newest.sealed_only == (*before)->sealed_only) {
      return Done{};
    }
  }
  return Replace(newest);
}

Status MemoryFile::WriteSealedOnly() const {
  if (path_.empty()) return Done{};
  const std::lock_guard lock(Writing());
  const auto before = Read();
  if (!before) return before.error();
  StoreMemory memory = before->value_or(StoreMemory{});
  if (std::exchange(memory.sealed_only, true)) return Done{};
  return Replace(memory);
}

Status MemoryFile::Replace(const StoreMemory& newest) const {
  const std::string fresh = path_ + ".new";
  const int file = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return Error{ErrorKind::kUnavailable, "cannot write " + fresh + ": " + std::strerror(errno), {}};
  const bool written = WriteAll(file, std::string(kFirstLine) + "\nstore " + (newest.store_id.empty() ? "-" : newest.store_id) +
                                          "\nversion " + std::to_string(newest.version) + "\nepoch " +
                                          std::to_string(newest.epoch) + "\n" + (newest.sealed_only ? "sealed only\n" : ""));
  close(file);
  if (!written || std::rename(fresh.c_str(), path_.c_str()) != 0) {
    return Error{ErrorKind::kUnavailable, "cannot write " + path_ + ": " + std::strerror(errno), {}};
  }
  return Done{};
}

Status MemoryFile::Forget() const {
  const std::lock_guard lock(Writing());
  if (const auto before = Read(); before && *before && (*before)->sealed_only) return Replace({.sealed_only = true});
  if (path_.empty() || unlink(path_.c_str()) == 0 || errno == ENOENT) return Done{};
  return Error{ErrorKind::kUnavailable, "cannot remove " + path_ + ": " + std::strerror(errno), {}};
}

}  // namespace baton
