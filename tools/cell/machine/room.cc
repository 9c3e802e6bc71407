#include "tools/cell/machine/room.h"

#include <algorithm>
#include <cstdint>

namespace baton::cell {
namespace {

std::int64_t FreeOf(std::int64_t capacity, std::int64_t taken) {
  return capacity == 0 ? 0 : std::max<std::int64_t>(0, capacity - taken);
}

std::optional<Shortage> Check(Lack lack, std::int64_t capacity, std::int64_t taken, std::int64_t wanted) {
  if (capacity == 0 || wanted <= capacity - taken) return std::nullopt;
  return TooLittle(lack, wanted, FreeOf(capacity, taken));
}

const char* NameOf(Lack lack) {
  switch (lack) {
    case Lack::kMemory: return "memory";
    case Lack::kDisk: return "disk";
    case Lack::kPids: return "processes";
    case Lack::kContainers: return "containers";
    case Lack::kHostPorts: return "host ports";
    case Lack::kOther:
    case Lack::kCell: break;
  }
  return "room";
}

}  // namespace

Shortage TooLittle(Lack lack, std::int64_t wanted, std::int64_t free) {
  const std::string unit = lack == Lack::kMemory || lack == Lack::kDisk ? " MiB" : "";
  return {lack, "insufficient " + std::string(NameOf(lack)) + ": " + std::to_string(wanted) + unit + " wanted, " +
                    std::to_string(free) + " free"};
}

std::optional<Shortage> Room::Lacks(const Resources& wanted) const {
  if (auto lack = Check(Lack::kMemory, capacity.memory_mb, taken.memory_mb, wanted.memory_mb)) return lack;
  if (auto lack = Check(Lack::kDisk, capacity.disk_mb, taken.disk_mb, wanted.disk_mb)) return lack;
  if (auto lack = Check(Lack::kPids, capacity.pids, taken.pids, wanted.pids)) return lack;
  return Check(Lack::kContainers, capacity.containers, taken.containers, wanted.containers);
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

}  // namespace baton::cell
