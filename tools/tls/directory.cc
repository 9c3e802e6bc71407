#include "tools/tls/directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "orchestrator/base/secret_file.h"
#include "orchestrator/base/unique_fd.h"

namespace baton::tls {
namespace {

constexpr std::size_t kPublicBytesMax = 1 << 20;
constexpr int kReplacedMax = 10;

Result<std::string> ReadPublic(int directory, const std::string& path, const std::string& shown) {
  const UniqueFd file(openat(directory, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!file.valid() || fstat(file.get(), &info) != 0)
    return FailedPrecondition(shown + " cannot be read: " + std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return FailedPrecondition(shown + " is not a regular file");
  if ((info.st_mode & 0002) != 0) return FailedPrecondition(shown + " may be changed by anybody: chmod o-w " + shown);
  std::string text(kPublicBytesMax + 1, '\0');
  std::size_t length = 0;
  for (ssize_t got = 0; (got = read(file.get(), text.data() + length, text.size() - length)) > 0;) {
    length += static_cast<std::size_t>(got);
  }
  if (length > kPublicBytesMax) return FailedPrecondition(shown + " is larger than 1 MiB");
  text.resize(length);
  return text;
}

Status WriteFile(const std::string& path, const std::string& text) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const bool written = file.valid() && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       fsync(file.get()) == 0;
  return written ? Status(Done{}) : FailedPrecondition("cannot write " + path + ": " + std::strerror(errno));
}

// A directory with other files is not replaced.
Status CheckOurs(const std::string& dir) {
  static const std::set<std::string> kOurs{kRootsFile, kChainFile, kKeyFile, kAuthorityKeyFile};
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(dir, failed)) {
    if (!kOurs.contains(entry.path().filename())) {
      return FailedPrecondition(dir + " has other files than certificates in it (" + entry.path().filename().string() +
                                "), and is replaced as one: choose another --out");
    }
  }
  return failed ? FailedPrecondition(dir + " cannot be read: " + failed.message()) : Status(Done{});
}

Result<Files> ReadFilesOf(int directory, const Places& at) {
  auto roots = ReadPublic(directory, kRootsFile, at.roots);
  if (!roots) return roots.error();
  auto chain = ReadPublic(directory, kChainFile, at.chain);
  if (!chain) return chain.error();
  auto key = ReadSecretFile({.path = kKeyFile, .shown = at.key, .directory = directory});
  if (!key) return key.error();
  return Files{at, *std::move(roots), *std::move(chain), *std::move(key)};
}

// Replacing a directory removes the files of the old one, which this process may have open.
bool WasReplaced(int opened, const std::string& dir) {
  struct stat old {}, now {};
  return fstat(opened, &old) == 0 && stat(dir.c_str(), &now) == 0 &&
         (old.st_ino != now.st_ino || old.st_dev != now.st_dev);
}

}  // namespace

Result<std::string> ReadPublicFile(const std::string& path) { return ReadPublic(AT_FDCWD, path, path); }

Result<std::string> ReadKeyFile(const std::string& path) { return ReadSecretFile({.path = path}); }

Places PlacesIn(const std::string& dir) { return {dir + "/" + kRootsFile, dir + "/" + kChainFile, dir + "/" + kKeyFile}; }

Result<Files> ReadFiles(const Places& places) {
  auto roots = ReadPublicFile(places.roots);
  if (!roots) return roots.error();
  auto chain = ReadPublicFile(places.chain);
  if (!chain) return chain.error();
  auto key = ReadKeyFile(places.key);
  if (!key) return key.error();
  return Files{places, *std::move(roots), *std::move(chain), *std::move(key)};
}

Result<Files> ReadFiles(const std::string& dir) {
  for (int again = kReplacedMax;; --again) {
    const UniqueFd directory(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.valid()) {
      const int why = errno;
      return FailedPrecondition("the directory of certificates " + dir + " cannot be read: " + std::strerror(why) +
                                (why == EACCES
                                     ? "; it is to belong to the user who reads it (chown -R USER: " + dir + ")"
                                     : "; baton certs issue makes one"));
    }
    auto files = ReadFilesOf(directory.get(), PlacesIn(dir));
    if (files || again == 0 || !WasReplaced(directory.get(), dir)) return files;
  }
}

Status WriteDirectory(const std::string& given, const std::map<std::string, std::string>& files) {
  std::string dir = std::filesystem::absolute(given).lexically_normal();
  if (dir.size() > 1 && dir.ends_with('/')) dir.pop_back();
  std::error_code failed;
  // What a link such as `current` points at is replaced, and the link stays.
  if (std::filesystem::is_symlink(dir)) dir = std::filesystem::canonical(dir, failed);
  if (failed) return FailedPrecondition(given + " points nowhere: " + failed.message());
  const bool replaces = std::filesystem::exists(dir);
  if (replaces) {
    if (Status ours = CheckOurs(dir); !ours) return ours;
  }
  std::filesystem::create_directories(std::filesystem::path(dir).parent_path(), failed);
  std::string fresh = dir + ".XXXXXX";
  if (mkdtemp(fresh.data()) == nullptr) return FailedPrecondition("cannot make " + fresh + ": " + std::strerror(errno));
  Status written = Done{};
  for (const auto& [name, text] : files) {
    if (written) written = WriteFile(fresh + "/" + name, text);
  }
  if (written && renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, dir.c_str(), replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE) != 0) {
    written = FailedPrecondition("cannot put " + fresh + " in the place of " + dir + ": " + std::strerror(errno));
  }
  if (replaces || !written) std::filesystem::remove_all(fresh, failed);
  return written;
}

}  // namespace baton::tls
