#include "tools/shim/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {
namespace {

Error FileError(const std::string& what, const std::string& path) {
  return Error{ErrorKind::kInternal, what + " " + path + ": " + std::strerror(errno), std::nullopt};
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::optional<std::string> ReadWholeFile(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  std::string text;
  char piece[16384];
  for (;;) {
    const ssize_t count = read(file.get(), piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return text;
    text.append(piece, static_cast<std::size_t>(count));
  }
}

Status WriteWholeFile(const std::string& path, std::string_view text, Durability durability) {
  const std::string beside = path + ".new";
  {
    const UniqueFd file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.valid()) return FileError("cannot create", beside);
    if (!WriteAll(file.get(), text)) return FileError("cannot write", beside);
    if (durability == Durability::kMachine && fdatasync(file.get()) != 0) return FileError("cannot sync", beside);
  }
  if (rename(beside.c_str(), path.c_str()) != 0) return FileError("cannot rename to", path);
  return Done{};
}

}  // namespace baton::shim
