// What a cell says that it has too little of, where it rejects an order.
#pragma once

namespace baton {

// Persisted by number in a cell's records: never change one.
enum class Lack {
  kOther,  // something that this definition asks for and no amount of room helps, or not told
  kMemory,
  kDisk,
  kPids,
  kContainers,
  kHostPorts,
  kCell,  // nothing that was asked for: it could not have run any instance
};

}  // namespace baton
