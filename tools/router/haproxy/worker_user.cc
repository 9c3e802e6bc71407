#include "tools/router/haproxy/worker_user.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace baton::router {

bool MayEnter(const std::string& dir, unsigned uid, unsigned gid) {
  std::filesystem::path way;
  for (const auto& part : std::filesystem::path(dir)) {
    way /= part;
    struct stat there {};
    if (stat(way.c_str(), &there) != 0) return false;
    const mode_t needed = there.st_uid == uid ? S_IXUSR : there.st_gid == gid ? S_IXGRP : S_IXOTH;
    if ((there.st_mode & needed) == 0) return false;
  }
  return true;
}

Result<std::string> WorkerUser(const std::string& name, const std::string& dir) {
  if (geteuid() != 0) return std::string();
  const passwd* user = getpwnam(name.c_str());
  if (!user) return Error{ErrorKind::kFailedPrecondition, "there is no user '" + name + "'", {}};
  if (user->pw_uid == 0) return std::string();  // HAProxy is to run as root by choice
  if (MayEnter(dir, user->pw_uid, user->pw_gid)) return name;
  return Error{ErrorKind::kFailedPrecondition,
               "user '" + name + "' cannot enter " + dir + ": each folder on the way to it needs mode o+x (chmod 711)", {}};
}

}  // namespace baton::router
