#include "tools/embedded_postgres/server_programs.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

namespace baton {
namespace {

namespace fs = std::filesystem;

// "15" is 15.0; "9.6" is a version, too, as all before 10 have two numbers.
using Version = std::pair<int, int>;

std::optional<Version> VersionIn(const std::string& text) {
  Version version;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, version.first);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '.')
    read = std::from_chars(read.ptr + 1, end, version.second);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return version;
}

bool HasPrograms(const fs::path& bin) { return fs::exists(bin / "initdb") && fs::exists(bin / "pg_ctl"); }

Result<std::string> NewestIn(const std::string& installed) {
  std::optional<std::pair<Version, std::string>> newest;
  std::error_code none;
  for (const auto& folder : fs::directory_iterator(installed, none)) {
    const auto version = VersionIn(folder.path().filename().string());
    const fs::path bin = folder.path() / "bin";
    if (version && HasPrograms(bin)) newest = std::max(newest, std::optional(std::pair(*version, bin.string())));
  }
  if (!newest) {
    return FailedPrecondition("no PostgreSQL server found under " + installed +
                              ": apt-get install postgresql-15, or use --database");
  }
  return newest->second;
}

}  // namespace

Result<std::string> FindServerPrograms(const std::string& data, const std::string& installed) {
  std::ifstream file(data + "/PG_VERSION");
  std::string version;
  if (!std::getline(file, version)) return NewestIn(installed);
  if (!VersionIn(version)) {
    return FailedPrecondition(data +
                              "/PG_VERSION does not hold a version of PostgreSQL: restore the directory from a backup");
  }
  const std::string bin = installed + "/" + version + "/bin";
  if (HasPrograms(bin)) return bin;
  return FailedPrecondition("the data in " + data + " is of PostgreSQL " + version + ", whose programs are not in " +
                            bin + ": apt-get install postgresql-" + version +
                            " (apt.postgresql.org has those that Debian has not)");
}

}  // namespace baton
