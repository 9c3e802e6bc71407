#include "tools/cell/instances/output_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>

#include "orchestrator/base/unique_fd.h"

namespace baton::cell {
namespace {

constexpr std::string_view kStart = "start";

// One of the log's two files. Its name says nothing: the newer one is renamed to the older one's when it is full.
struct File {
  std::string id;  // empty: there is none
  std::string bytes;
};

// The inode and when it was made: a number alone is given again.
std::string IdOf(int fd) {
  struct statx seen {};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &seen) != 0) return "";
  return std::to_string(seen.stx_ino) + "." + std::to_string(seen.stx_btime.tv_sec) + "." +
         std::to_string(seen.stx_btime.tv_nsec);
}

File Read(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return {};
  File file{IdOf(fd.get()), {}};
  char part[65536];
  while (true) {
    const ssize_t count = read(fd.get(), part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return file;
    file.bytes.append(part, static_cast<std::size_t>(count));
  }
}

struct LogFile {
  File old;
  File now;
};

std::string IdOf(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return fd.valid() ? IdOf(fd.get()) : "";
}

// Both files of one instant: renamed between the two looks, one would be read twice, or in the place of the other.
LogFile ReadLog(const std::string& path) {
  LogFile log;
  do {
    log.now = Read(path);
    log.old = Read(path + ".1");
  } while (IdOf(path) != log.now.id);
  return log;
}

std::string PlaceIn(const File& file, std::size_t offset) {
  return file.id.empty() ? std::string(kStart) : file.id + ":" + std::to_string(offset);
}

// Between a rename and the next line there is no newer file.
std::string EndOf(const File& old, const File& now) {
  const File& last = now.id.empty() ? old : now;
  return PlaceIn(last, last.bytes.size());
}

struct Place {
  std::string id;
  std::size_t offset = 0;
};

Place Parse(const std::string& text) {
  Place place;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return place;
  place.id = text.substr(0, colon);
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.offset);
  return place;
}

// At most kBytesMax of what stands in the old file from `from` on, and then in the new one.
OutputTail Forward(const File& old, std::size_t from, const File& now, std::size_t from_now) {
  OutputTail tail;
  std::string_view rest = std::string_view(old.bytes).substr(from);
  tail.bytes = rest.substr(0, OutputTail::kBytesMax);
  if (tail.bytes.size() < rest.size()) {
    tail.place = PlaceIn(old, from + tail.bytes.size());
    tail.more = true;
    return tail;
  }
  rest = std::string_view(now.bytes).substr(from_now, OutputTail::kBytesMax - tail.bytes.size());
  tail.bytes += rest;
  tail.place = now.id.empty() ? EndOf(old, now) : PlaceIn(now, from_now + rest.size());
  tail.more = from_now + rest.size() < now.bytes.size();
  return tail;
}

}  // namespace

OutputTail LastOutput(const std::string& path, int lines) {
  const LogFile log = ReadLog(path);
  OutputTail tail{.bytes = log.old.bytes + log.now.bytes, .place = EndOf(log.old, log.now)};
  std::size_t begin = tail.bytes.size();
  while (begin > 0 && lines > 0) {
    begin = begin < 2 ? std::string::npos : tail.bytes.rfind('\n', begin - 2);
    begin = begin == std::string::npos ? 0 : begin + 1;
    --lines;
  }
  tail.bytes.erase(0, begin);
  if (tail.bytes.size() > OutputTail::kBytesMax) tail.bytes.erase(0, tail.bytes.size() - OutputTail::kBytesMax);
  return tail;
}

OutputTail OutputAfter(const std::string& path, const std::string& text) {
  const LogFile log = ReadLog(path);
  const Place place = Parse(text);
  if (!place.id.empty() && place.id == log.now.id && place.offset <= log.now.bytes.size()) {
    return Forward({}, 0, log.now, place.offset);
  }
  if (!place.id.empty() && place.id == log.old.id && place.offset <= log.old.bytes.size()) {
    return Forward(log.old, place.offset, log.now, 0);
  }
  OutputTail tail = Forward(log.old, 0, log.now, 0);
  tail.lost = text != kStart || !log.old.id.empty();
  return tail;
}

}  // namespace baton::cell
