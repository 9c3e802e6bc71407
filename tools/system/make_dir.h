// A directory of ours with a mode that no umask decides.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

namespace baton {

// Makes what is missing of `path`. The last of it has `mode` then; one that was there before keeps what it has of it and
// loses the rest, unless it is another user's. A sentence if that cannot be; empty: it is so.
inline std::string MakeDir(const std::string& path, mode_t mode) {
  const auto cannot = [&path](const std::string& why) { return "cannot make " + path + ": " + why; };
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!above.empty()) std::filesystem::create_directories(above, error);
  if (error) return cannot(error.message());
  const bool made = mkdir(path.c_str(), mode) == 0;
  if (!made && errno != EEXIST) return cannot(std::strerror(errno));
  struct stat now {};
  if (stat(path.c_str(), &now) != 0) return cannot(std::strerror(errno));
  if (!S_ISDIR(now.st_mode)) return cannot("a file is there");
  const mode_t wanted = made ? mode : now.st_mode & mode;
  const bool others = !made && now.st_uid != geteuid() && geteuid() != 0;  // its owner has chosen its mode
  if ((now.st_mode & 07777) == wanted || others || chmod(path.c_str(), wanted) == 0) return "";
  return cannot(std::strerror(errno));
}

}  // namespace baton
