#include "tools/shim/downloads/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "tools/shim/downloads/inside.h"

namespace baton::shim {
namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;
using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;

Error ArchiveError(const std::string& what, archive* from) {
  const char* text = archive_error_string(from);
  return Error{ErrorKind::kInvalidArgument, what + ": " + (text ? text : "unknown error"), std::nullopt};
}

Error TooMuch(const std::string& what) {
  return Error{ErrorKind::kInvalidArgument, "the archive holds " + what, std::nullopt};
}

// Counts what is unpacked. An entry counts with the size that it says and with where its last byte lies, whichever is
// more: a file of holes takes little room in the archive and any on the way out.
class Meter {
 public:
  explicit Meter(const UnpackLimits& limits) : limits_(limits) {}

  Status Begin(archive_entry* entry) {
    if (++entries_ > limits_.entries_max) return TooMuch("more than " + std::to_string(limits_.entries_max) + " entries");
    const std::string name = archive_entry_pathname(entry) ? archive_entry_pathname(entry) : "";
    if (std::count(name.begin(), name.end(), '/') > limits_.depth_max) {
      return TooMuch("a name of more than " + std::to_string(limits_.depth_max) + " folders");
    }
    before_ += std::exchange(present_, 0);
    const bool sized = archive_entry_size_is_set(entry) && archive_entry_hardlink(entry) == nullptr;
    return Reach(sized ? archive_entry_size(entry) : 0, 0);
  }

  Status Reach(la_int64_t offset, std::size_t size) {
    present_ = std::max(present_, static_cast<std::uint64_t>(std::max<la_int64_t>(offset, 0)) + size);
    if (before_ <= limits_.bytes_max && present_ <= limits_.bytes_max - before_) return Done{};
    return TooMuch("more than the " + std::to_string(limits_.bytes_max >> 20) + " MiB that it may have, unpacked");
  }

 private:
  const UnpackLimits& limits_;
  std::uint64_t entries_ = 0;
  std::uint64_t before_ = 0;   // bytes of the entries before the present one
  std::uint64_t present_ = 0;  // and of that one
};

// By name. libarchive's "all" has filters that start programs found in PATH; and where it was built without a library it
// has a program for these, too, and says so by ARCHIVE_WARN.
Status Support(archive* from) {
  for (const auto support : {archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
                             archive_read_support_filter_xz, archive_read_support_filter_zstd,
                             archive_read_support_format_tar, archive_read_support_format_zip}) {
    if (support(from) != ARCHIVE_OK) return ArchiveError("libarchive is built without a filter", from);
  }
  return Done{};
}

Status CheckEntry(archive_entry* entry) {
  const std::string name = archive_entry_pathname(entry) ? archive_entry_pathname(entry) : "";
  const char* hard_link = archive_entry_hardlink(entry);
  const mode_t type = archive_entry_filetype(entry);
  const bool known = type == AE_IFREG || type == AE_IFDIR || type == AE_IFLNK || hard_link != nullptr;
  if (!StaysInside(name) || (hard_link && !StaysInside(hard_link)) || !known) {
    return Error{ErrorKind::kInvalidArgument, "the archive holds '" + name + "', which is not allowed", std::nullopt};
  }
  return Done{};
}

Status CopyContent(archive* from, archive* to, Meter& meter) {
  const void* bytes = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  for (;;) {
    const int read = archive_read_data_block(from, &bytes, &size, &offset);
    if (read == ARCHIVE_EOF) return Done{};
    if (read < ARCHIVE_WARN) return ArchiveError("the archive cannot be read", from);
    if (const Status fits = meter.Reach(offset, size); !fits) return fits;
    if (archive_write_data_block(to, bytes, size, offset) < ARCHIVE_WARN) return ArchiveError("cannot write", to);
  }
}

}  // namespace

Status UnpackHere(int archive_fd, const UnpackLimits& limits) {
  const Reader from(archive_read_new(), archive_read_free);
  if (const Status supported = Support(from.get()); !supported) return supported;
  const Writer to(archive_write_disk_new(), archive_write_free);
  archive_write_disk_set_options(to.get(), ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_UNLINK |
                                               ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                                               ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS);
  umask(022);
  if (archive_read_open_fd(from.get(), archive_fd, 65536) != ARCHIVE_OK) {
    return ArchiveError("neither tar nor zip", from.get());
  }
  archive_entry* entry = nullptr;
  Meter meter(limits);
  for (;;) {
    const int next = archive_read_next_header(from.get(), &entry);
    if (next == ARCHIVE_EOF) break;
    if (next < ARCHIVE_WARN) return ArchiveError("neither tar nor zip, or damaged", from.get());
    if (const Status allowed = CheckEntry(entry); !allowed) return allowed;
    if (const Status fits = meter.Begin(entry); !fits) return fits;
    if (archive_write_header(to.get(), entry) < ARCHIVE_WARN) return ArchiveError("cannot write", to.get());
    if (const Status copied = CopyContent(from.get(), to.get(), meter); !copied) return copied;
    if (archive_write_finish_entry(to.get()) < ARCHIVE_WARN) return ArchiveError("cannot write", to.get());
  }
  if (archive_write_close(to.get()) != ARCHIVE_OK) return ArchiveError("cannot write", to.get());
  return Done{};
}

}  // namespace baton::shim
