#include "tools/shim/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <memory>

#include "tools/shim/inside.h"

namespace baton {
namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;
using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;

Error ArchiveError(const std::string& what, archive* from) {
  const char* text = archive_error_string(from);
  return Error{ErrorKind::kInvalidArgument, what + ": " + (text ? text : "unknown error"), std::nullopt};
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

Status CopyContent(archive* from, archive* to) {
  const void* bytes = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  for (;;) {
    const int read = archive_read_data_block(from, &bytes, &size, &offset);
    if (read == ARCHIVE_EOF) return Done{};
    if (read < ARCHIVE_WARN) return ArchiveError("the archive cannot be read", from);
    if (archive_write_data_block(to, bytes, size, offset) < ARCHIVE_WARN) return ArchiveError("cannot write", to);
  }
}

}  // namespace

Status UnpackHere(int archive_fd) {
  const Reader from(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(from.get());
  archive_read_support_format_tar(from.get());
  archive_read_support_format_zip(from.get());
  const Writer to(archive_write_disk_new(), archive_write_free);
  archive_write_disk_set_options(to.get(), ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_UNLINK |
                                               ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                                               ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS);
  umask(022);
  if (archive_read_open_fd(from.get(), archive_fd, 65536) != ARCHIVE_OK) {
    return ArchiveError("neither tar nor zip", from.get());
  }
  archive_entry* entry = nullptr;
  for (;;) {
    const int next = archive_read_next_header(from.get(), &entry);
    if (next == ARCHIVE_EOF) break;
    if (next < ARCHIVE_WARN) return ArchiveError("neither tar nor zip, or damaged", from.get());
    if (const Status allowed = CheckEntry(entry); !allowed) return allowed;
    if (archive_write_header(to.get(), entry) < ARCHIVE_WARN) return ArchiveError("cannot write", to.get());
    if (const Status copied = CopyContent(from.get(), to.get()); !copied) return copied;
    if (archive_write_finish_entry(to.get()) < ARCHIVE_WARN) return ArchiveError("cannot write", to.get());
  }
  if (archive_write_close(to.get()) != ARCHIVE_OK) return ArchiveError("cannot write", to.get());
  return Done{};
}

}  // namespace baton
