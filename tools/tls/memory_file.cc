#include "tools/tls/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "orchestrator/base/check.h"

namespace baton::tls {

MemoryFile::MemoryFile(const std::string& text)
    : changed_(std::time(nullptr)), file_(Made(text)), path_("/proc/self/fd/" + std::to_string(file_.get())) {}

void MemoryFile::Replace(const std::string& text) {
  const UniqueFd fresh = Made(text);
  CHECK(dup3(fresh.get(), file_.get(), O_CLOEXEC) == file_.get());
}

UniqueFd MemoryFile::Made(const std::string& text) {
  UniqueFd file(memfd_create("baton-tls", MFD_CLOEXEC));
  CHECK(file.valid());
  CHECK(fchmod(file.get(), 0600) == 0);
  CHECK(write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  const std::array<timespec, 2> times{timespec{++changed_, 0}, timespec{changed_, 0}};
  CHECK(futimens(file.get(), times.data()) == 0);
  return file;
}

}  // namespace baton::tls
