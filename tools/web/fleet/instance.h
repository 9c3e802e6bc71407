// What the fleet's table keeps of an instance: little, for there may be a hundred thousand.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "baton/v2/actual_lrp.pb.h"
#include "tools/web/fleet/names.h"

namespace baton::web {

enum class InstanceState : std::uint8_t { kUnclaimed, kClaimed, kRunning, kCrashed };

struct Instance {
  std::uint64_t id_high = 0;  // its UUID
  std::uint64_t id_low = 0;
  std::int32_t index = 0;
  std::uint32_t cell = 0;        // of Names; 0: none
  std::uint32_t definition = 0;  // of Names
  InstanceState state = InstanceState::kUnclaimed;
  v2::Presence presence = v2::ORDINARY;
  bool ready = false;     // runs, and its checks pass
  bool unplaced = false;  // no cell takes it

  auto key() const { return std::pair(id_high, id_low); }
};

Instance InstanceOf(const v2::ActualLRP& lrp, Names& names);
// The two halves of an actual_id.
std::pair<std::uint64_t, std::uint64_t> KeyOf(const std::string& actual_id);

}  // namespace baton::web
