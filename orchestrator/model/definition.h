// What decides how an instance runs: immutable, named, content-hashed. The scheduling part is in the clear; the run
// info is bytes that the core never looks into.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"

namespace baton {

struct Resources {
  std::int64_t memory_mb = 0;
  std::int64_t disk_mb = 0;
  std::int64_t pids = 0;
  std::int64_t containers = 0;

  bool operator==(const Resources&) const = default;
};

struct Definition {
  DefinitionId id;
  std::string content_hash;  // SHA-256, 64 lower-case hex digits
  Resources resources;       // what one instance takes; containers is 1
  std::string root_fs;
  std::vector<std::uint32_t> ports;
  // What a route's port means here where it is none of `ports`: given with the update that brought the definition, and
  // no part of its content.
  std::map<std::uint32_t, std::uint32_t> port_aliases;
  std::vector<std::string> placement_tags;
  std::vector<std::string> needs;  // what a cell must be able to enact: see CellHello.abilities
  Duration start_timeout{0};       // 0: kDefaultStartTimeout
  TimePoint created_at;
  std::optional<TimePoint> proven_at;
  bool pinned = false;

  bool operator==(const Definition&) const = default;
};

// A definition with the bytes of its run info, as it is to be stored.
struct DefinitionInput {
  Definition definition;
  std::string run_info;
};

inline constexpr Duration kDefaultStartTimeout = seconds(60);

}  // namespace baton
