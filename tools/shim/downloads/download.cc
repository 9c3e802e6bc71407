#include "tools/shim/downloads/download.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "orchestrator/base/result.h"
#include "tools/shim/account.h"
#include "tools/shim/downloads/below.h"
#include "tools/shim/downloads/checksum.h"
#include "tools/shim/downloads/download_cache.h"
#include "tools/shim/downloads/fetch.h"
#include "tools/shim/downloads/fetch_as.h"
#include "tools/shim/downloads/inside.h"
#include "tools/shim/downloads/unpack.h"
#include "tools/shim/steps/child_spec.h"

namespace baton::shim {
namespace {

namespace fs = std::filesystem;

Error DownloadError(const std::string& text) { return Error{ErrorKind::kUnavailable, text, std::nullopt}; }

std::string LowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Status CheckSum(int fd, const Download& download) {
  if (download.checksum.empty()) return Done{};
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const Result<std::string> sum = ChecksumOfFile(path, LowerCase(download.checksum_algorithm));
  if (!sum) return sum.error();
  if (*sum == LowerCase(download.checksum)) return Done{};
  return DownloadError("wrong " + download.checksum_algorithm + " checksum: " + *sum + " instead of " +
                       download.checksum);
}

FetchLimits LimitsOf(const Download& download) {
  FetchLimits limits{download.bytes_max, download.file_dir, {}, download.proxy};
  for (const std::string& text : download.allow) {
    if (const auto network = IpNetwork::From(text)) limits.networks.push_back(*network);  // the cell has looked at them
  }
  return limits;
}

// The archive, open and checked; from the cache if it can be.
Result<UniqueFd> Obtain(const Download& download) {
  const DownloadCache cache(download.cache_dir);
  const bool kept = !download.cache_dir.empty() && !download.cache_key.empty() && !download.checksum.empty();
  const std::string entry =
      kept ? cache.EntryPath(download.cache_key, download.checksum_algorithm + download.checksum) : "";
  if (kept) {
    UniqueFd file = cache.Open(entry);
    if (file.valid() && CheckSum(file.get(), download)) return file;
  }
  std::error_code error;
  const std::string dir = download.cache_dir.empty() ? fs::current_path().string() : download.cache_dir;
  fs::create_directories(dir, error);
  const std::string scratch = dir + "/fetching-" + std::to_string(getpid());
  unlink(scratch.c_str());  // of a process that had our number and died
  UniqueFd file(open(scratch.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return DownloadError("no room to fetch to: " + std::string(std::strerror(errno)));
  Status ready = FetchAs(download.user, download.from, file.get(), LimitsOf(download));
  if (ready) ready = CheckSum(file.get(), download);
  if (ready && kept) cache.Keep(entry, scratch);
  unlink(scratch.c_str());  // there no more if it was kept
  if (!ready) return ready.error();
  return file;
}

Status Perform(const Download& download) {
  if (!StaysInside(download.to)) {
    return DownloadError("'to' is not a path below the instance's directory: " + download.to);
  }
  const Result<UniqueFd> archive = Obtain(download);
  if (!archive) return archive.error();
  // Only now: the cache is ours, what is unpacked is the user's.
  const pid_t shim = getppid();
  if (const Status user = BecomeUser(download.user); !user) return user;
  DieWithParent(shim);
  // A link may lie in the way: an earlier archive can have brought one.
  const Result<UniqueFd> to = OpenDirectoryBelow(AT_FDCWD, download.to, Missing::kMade);
  if (!to) return DownloadError("'to' is not a folder of the instance's directory: " + to.error().message);
  if (fchdir(to->get()) != 0) return DownloadError("cannot enter the directory " + download.to);
  if (lseek(archive->get(), 0, SEEK_SET) != 0) return DownloadError("cannot read what was fetched");
  return UnpackHere(archive->get(), {.bytes_max = download.bytes_max});
}

}  // namespace

Download DownloadOf(const v1::DownloadAction& action, const Launch& launch, const std::string& app_user) {
  return {.from = action.from(),
          .to = action.to(),
          .cache_key = action.cache_key(),
          .checksum_algorithm = action.checksum_algorithm(),
          .checksum = action.checksum_value(),
          .user = action.user().empty() ? app_user : action.user(),
          .cache_dir = launch.cache_dir,
          .file_dir = launch.download_dir,
          .bytes_max = static_cast<std::uint64_t>(launch.download_mb) << 20,
          .allow = launch.download_allow,
          .proxy = launch.download_proxy};
}

v1::DownloadAction AsDownload(const v1::CachedDependency& dependency) {
  v1::DownloadAction action;
  action.set_artifact(dependency.name());
  action.set_from(dependency.from());
  action.set_to(dependency.to());
  action.set_cache_key(dependency.cache_key());
  action.set_log_source(dependency.log_source());
  action.set_checksum_algorithm(dependency.checksum_algorithm());
  action.set_checksum_value(dependency.checksum_value());
  return action;
}

int RunDownload(const Download& download) {
  const Status done = Perform(download);
  if (done) return 0;
  std::printf("download failed: %s\n", done.error().message.c_str());
  return 1;
}

}  // namespace baton::shim
