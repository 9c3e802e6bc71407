#include "tools/cell/machine/machine.h"

#include <unistd.h>

#include <filesystem>

namespace baton::cell {
namespace {

constexpr std::int64_t kContainers = 250;  // as Diego's cells
constexpr char kLibexec[] = "/usr/libexec/baton";  // where the packages put what people do not start
constexpr std::int64_t kMebi = 1 << 20;

}  // namespace

std::string ProgramBeside(const std::string& name) {
  std::error_code error;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name;
  const auto installed = std::filesystem::path(kLibexec) / name;
  return !std::filesystem::exists(beside, error) && std::filesystem::exists(installed, error) ? installed : beside;
}

void FillIn(Resources& capacity, const std::string& dir) {
  if (capacity.memory_mb == 0) {
    capacity.memory_mb = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE) / kMebi;
  }
  std::error_code error;
  if (capacity.disk_mb == 0) {
    const auto space = std::filesystem::space(dir, error);
    if (!error) capacity.disk_mb = static_cast<std::int64_t>(space.available) / kMebi;
  }
  if (capacity.containers == 0) capacity.containers = kContainers;
}

}  // namespace baton::cell
