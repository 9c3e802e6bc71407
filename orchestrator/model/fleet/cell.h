// A cell as it is registered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/definition.h"
#include "orchestrator/model/id.h"

namespace baton {

// Both ends are of it.
struct PortSpan {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  bool Has(std::uint32_t port) const { return first <= port && port <= last; }
  bool operator==(const PortSpan&) const = default;
};

struct CellRecord {
  CellId id;
  std::string zone;
  std::string address;
  Resources capacity;
  int host_ports = 0;  // of its hello; not stored. 0: not told
  std::optional<PortSpan> ports;  // likewise: which
  std::vector<std::string> stacks;
  std::vector<std::string> placement_tags;
  std::vector<std::string> abilities;
  std::vector<std::string> enforces;
  std::string version;
  bool draining = false;
  TimePoint lease_expires_at;
  bool lease_runs = false;  // by the database's clock
  int instances = 0;        // rows on it
  std::int64_t epoch = 0;   // +1 with each registration
  std::optional<TimePoint> present_since;
  std::optional<TimePoint> missing_since;  // declared missing: what it ran is replaced
  int losses = 0;                          // while it never stayed for an hour
  std::optional<TimePoint> draining_since;
  int draining_from = 0;  // instances on it when it began to drain
};

}  // namespace baton
