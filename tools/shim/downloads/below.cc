#include "tools/shim/downloads/below.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tools/shim/downloads/inside.h"

namespace baton::shim {
namespace {

Error Outside(const std::string& path, const std::string& why) {
  return Error{ErrorKind::kInvalidArgument, path + " cannot be opened: " + why, std::nullopt};
}

Error Unopened(const std::string& path) {
  const bool link = errno == ELOOP || errno == ENOTDIR;
  return Outside(path, link ? "a part of it is a link, or no directory" : std::strerror(errno));
}

}  // namespace

Result<UniqueFd> OpenDirectoryBelow(int from, const std::string& path, Missing missing) {
  if (!StaysInside(path)) return Outside(path, "it is no path below");
  constexpr int kHow = O_PATH | O_DIRECTORY | O_CLOEXEC;
  UniqueFd here(openat(from, ".", kHow));
  if (!here.valid()) return Unopened(path);
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    if (part.empty() || part == ".") continue;
    if (missing == Missing::kMade && mkdirat(here.get(), part.c_str(), 0755) != 0 && errno != EEXIST) {
      return Unopened(path);
    }
    here = UniqueFd(openat(here.get(), part.c_str(), kHow | O_NOFOLLOW));
    if (!here.valid()) return Unopened(path);
  }
  return here;
}

Result<UniqueFd> OpenFileBelow(int from, const std::string& path) {
  const std::filesystem::path whole(path);
  Result<UniqueFd> dir = OpenDirectoryBelow(from, whole.parent_path().string(), Missing::kRefused);
  if (!dir) return dir.error();
  // Without waiting: a pipe would have us wait for its writer.
  UniqueFd file(openat(dir->get(), whole.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return Unopened(path);
  struct stat what {};
  if (fstat(file.get(), &what) != 0 || !S_ISREG(what.st_mode)) return Outside(path, "it is no regular file");
  return file;
}

}  // namespace baton::shim
