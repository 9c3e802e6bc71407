#include "tools/cell/room.h"

#include <algorithm>
#include <cstdint>

namespace baton {
namespace {

std::int64_t FreeOf(std::int64_t capacity, std::int64_t taken) {
  return capacity == 0 ? 0 : std::max<std::int64_t>(0, capacity - taken);
}

std::optional<std::string> Lack(const char* what, std::int64_t capacity, std::int64_t taken, std::int64_t wanted) {
  if (capacity == 0 || wanted <= capacity - taken) return std::nullopt;
  return "not enough " + std::string(what) + ": " + std::to_string(wanted) + " wanted, " +
         std::to_string(FreeOf(capacity, taken)) + " of " + std::to_string(capacity) + " free";
}

}  // namespace

std::optional<std::string> Room::Lacks(const Resources& wanted) const {
  if (auto lack = Lack("memory (MiB)", capacity.memory_mb, taken.memory_mb, wanted.memory_mb)) return lack;
  if (auto lack = Lack("disk (MiB)", capacity.disk_mb, taken.disk_mb, wanted.disk_mb)) return lack;
  if (auto lack = Lack("processes", capacity.pids, taken.pids, wanted.pids)) return lack;
  return Lack("containers", capacity.containers, taken.containers, wanted.containers);
}

void Room::Take(const Resources& resources) {
  taken.memory_mb += resources.memory_mb;
  taken.disk_mb += resources.disk_mb;
  taken.pids += resources.pids;
  taken.containers += resources.containers;
}

void Room::Give(const Resources& resources) {
  taken.memory_mb -= resources.memory_mb;
  taken.disk_mb -= resources.disk_mb;
  taken.pids -= resources.pids;
  taken.containers -= resources.containers;
}

Resources Room::Free() const {
  return {FreeOf(capacity.memory_mb, taken.memory_mb), FreeOf(capacity.disk_mb, taken.disk_mb),
          FreeOf(capacity.pids, taken.pids), FreeOf(capacity.containers, taken.containers)};
}

}  // namespace baton
