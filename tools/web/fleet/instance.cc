#include "tools/web/fleet/instance.h"

#include <functional>
#include <tuple>

namespace baton::web {
namespace {

InstanceState StateOf(const std::string& word) {
  if (word == "RUNNING") return InstanceState::kRunning;
  if (word == "CRASHED") return InstanceState::kCrashed;
  return word == "CLAIMED" ? InstanceState::kClaimed : InstanceState::kUnclaimed;
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> KeyOf(const std::string& actual_id) {
  std::uint64_t halves[2] = {0, 0};
  int digits = 0;
  for (const char c : actual_id) {
    if (c == '-') continue;
    const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (value < 0 || digits == 32) return {std::hash<std::string>()(actual_id), actual_id.size()};  // no UUID
    halves[digits / 16] = halves[digits / 16] << 4 | static_cast<std::uint64_t>(value);
    ++digits;
  }
  return {halves[0], halves[1]};
}

Instance InstanceOf(const v2::ActualLRP& lrp, Names& names) {
  Instance made{.index = lrp.index(),
                .cell = names.Of(lrp.instance_key().cell_id()),
                .definition = names.Of(lrp.definition_identifier()),
                .state = StateOf(lrp.state()),
                .presence = lrp.presence()};
  std::tie(made.id_high, made.id_low) = KeyOf(lrp.actual_id());
  made.ready = made.state == InstanceState::kRunning && lrp.routable();
  made.unplaced = made.state == InstanceState::kUnclaimed && !lrp.placement_error().empty();
  return made;
}

}  // namespace baton::web
