#include "tests/tools/shim/archives.h"

#include <archive.h>
#include <archive_entry.h>

#include "orchestrator/base/check.h"

namespace baton::testing {

std::string Archive(const std::string& kind, const std::vector<std::pair<std::string, std::string>>& files) {
  std::string bytes(1 << 20, '\0');
  std::size_t used = 0;
  archive* to = archive_write_new();
  if (kind == "zip") {
    archive_write_set_format_zip(to);
  } else {
    archive_write_set_format_ustar(to);
  }
  if (kind == "tar.uu") archive_write_add_filter_uuencode(to);
  if (kind == "tgz") archive_write_add_filter_gzip(to);
  CHECK(archive_write_open_memory(to, bytes.data(), bytes.size(), &used) == ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_perm(entry, 0755);
    const bool link = content.starts_with("->");
    archive_entry_set_filetype(entry, link ? AE_IFLNK : AE_IFREG);
    if (link) archive_entry_set_symlink(entry, content.c_str() + 2);
    if (!link) archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    CHECK(archive_write_header(to, entry) == ARCHIVE_OK);
    if (!link) CHECK(archive_write_data(to, content.data(), content.size()) >= 0);
    archive_entry_free(entry);
  }
  CHECK(archive_write_close(to) == ARCHIVE_OK);
  archive_write_free(to);
  bytes.resize(used);
  return bytes;
}

}  // namespace baton::testing
