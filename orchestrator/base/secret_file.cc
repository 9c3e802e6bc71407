#include "orchestrator/base/secret_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "orchestrator/base/unique_fd.h"

namespace baton {
namespace {

std::string ModeOf(const struct stat& info) {
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(info.st_mode & 07777));
  return mode;
}

// systemd gives a unit's user its credentials by an access list: the file is root's, and its group bits are the list's
// mask. The directory is the unit's alone.
bool IsCredential(const std::string& path, const struct stat& info) {
  const char* directory = std::getenv("CREDENTIALS_DIRECTORY");
  return directory && *directory && info.st_uid == 0 && path.starts_with(std::string(directory) + "/");
}

// Checks the open file, so that it cannot be replaced between the check and the read.
Status Check(const SecretFile& file, const std::string& path, const UniqueFd& open_file) {
  const std::string name = file.called + " " + path;
  struct stat info {};
  if (!open_file.valid() || fstat(open_file.get(), &info) != 0) {
    return FailedPrecondition(name + " cannot be read: " + std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return FailedPrecondition(name + " is not a regular file");
  if (info.st_uid != geteuid() && info.st_uid != 0) {
    return FailedPrecondition(name + " belongs to user " + std::to_string(info.st_uid) +
                              ", who is neither root nor this program's "
                              "user (" +
                              std::to_string(geteuid()) + "): whoever owns it can read and change the keys");
  }
  const mode_t of_others = IsCredential(path, info) ? 0037 : 0077;
  if ((info.st_mode & of_others) != 0) {
    return FailedPrecondition(name + " has mode " + ModeOf(info) +
                              ", so that others may read or change it: chmod 600 " + path);
  }
  if (static_cast<std::size_t>(info.st_size) > file.bytes_max) {
    return FailedPrecondition(name + " is larger than " + std::to_string(file.bytes_max >> 10) + " KiB");
  }
  return Done{};
}

}  // namespace

Result<std::string> ReadSecretFile(const SecretFile& file) {
  const std::string& path = file.shown.empty() ? file.path : file.shown;
  // Not blocking: a pipe under this name would hold up the start.
  const UniqueFd open_file(openat(file.directory, file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (Status fine = Check(file, path, open_file); !fine) return fine.error();
  std::string text(file.bytes_max + 1, '\0');
  std::size_t length = 0;
  for (ssize_t got = 0; (got = read(open_file.get(), text.data() + length, text.size() - length)) > 0;) {
    length += static_cast<std::size_t>(got);
  }
  text.resize(length);
  return text;
}

}  // namespace baton
