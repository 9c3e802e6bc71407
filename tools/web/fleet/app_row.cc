#include "tools/web/fleet/app_row.h"

#include <algorithm>

namespace baton::web {
namespace {

bool HoldsSlot(const Instance& instance) {
  return instance.presence == v2::ORDINARY || instance.presence == v2::SUSPECT || instance.presence == v2::EVACUATING;
}

std::string Counted(int count, const std::string& what) { return std::to_string(count) + ' ' + what; }

}  // namespace

bool IsOpen(v2::RollState state) {
  return state == v2::QUEUED || state == v2::ROLLING || state == v2::PAUSED || state == v2::HELD ||
         state == v2::ROLLING_BACK;
}

bool WaitsForSomebody(const v2::Roll& roll) {
  if (roll.state() != v2::PAUSED) return false;
  if (std::ranges::find(roll.paused_because(), v2::HAND) != roll.paused_because().end()) return true;
  const int at = roll.stages_done();
  return at >= roll.strategy().stages_size() || !roll.strategy().stages(at).has_duration_ms();
}

void AppRow::Set(const v2::DesiredLRPSchedulingInfo& info) {
  desired_ = true;
  domain_ = info.domain();
  definition_ = info.active_definition();
  wanted_ = info.instances();
}

void AppRow::SetRoll(const v2::Roll& roll) {
  if (!IsOpen(roll.state())) {
    if (roll_ && roll_->roll_id() == roll.roll_id()) roll_.reset();
    return;
  }
  v2::Strategy strategy;
  if (!roll.has_strategy() && roll_ && roll_->roll_id() == roll.roll_id()) strategy = roll_->strategy();
  roll_ = roll;
  roll_->clear_slots();
  if (!roll.has_strategy()) *roll_->mutable_strategy() = strategy;
}

void AppRow::Put(const Instance& instance) {
  const auto at = std::ranges::lower_bound(instances_, instance.key(), {}, &Instance::key);
  if (at != instances_.end() && at->key() == instance.key()) {
    *at = instance;
  } else {
    instances_.insert(at, instance);
  }
}

void AppRow::Drop(const std::string& actual_id) {
  const auto key = KeyOf(actual_id);
  const auto at = std::ranges::lower_bound(instances_, key, {}, &Instance::key);
  if (at != instances_.end() && at->key() == key) instances_.erase(at);
}

void AppRow::Undesire() {
  desired_ = false;
  domain_.clear();
  definition_.clear();
  wanted_ = 0;
  roll_.reset();
}

void AppRow::Reset() {
  Undesire();
  instances_.clear();
}

void AppRow::Count(std::int64_t now, Names& names) {
  Numbers made{.wanted = wanted_, .desired = desired_};
  if (roll_) made.roll = roll_->state();
  std::vector<bool> served(static_cast<std::size_t>(wanted_));
  const std::uint32_t target = roll_ ? names.Of(roll_->target_definition()) : 0;
  for (const Instance& instance : instances_) {
    made.crashed += instance.state == InstanceState::kCrashed;
    made.unplaced += instance.unplaced;
    made.retiring += instance.presence == v2::RETIRING;
    made.in_flight += instance.presence == v2::SURGE;
    if (!instance.ready || instance.presence == v2::RETIRING) continue;
    ++made.ready;
    const auto slot = static_cast<std::size_t>(instance.index);
    if (instance.index >= 0 && slot < served.size()) served[slot] = true;
    made.updated += target != 0 && HoldsSlot(instance) && instance.definition == target;
  }
  made.served = static_cast<int>(std::ranges::count(served, true));
  numbers_ = made;
  numbers_.attention = AttentionAt(now);
}

Attention AppRow::AttentionAt(std::int64_t now) const {
  const Numbers& n = numbers_;
  if (roll_ && roll_->state() == v2::HELD) return Attention::kHeld;
  if (roll_ && roll_->state() == v2::ROLLING_BACK) return Attention::kRollingBack;
  if (roll_ && WaitsForSomebody(*roll_)) return Attention::kWaiting;
  if (n.crashed > 0 || n.unplaced > 0 || (!roll_ && n.served < n.wanted)) return Attention::kTrouble;
  if (!roll_) return Attention::kNone;
  const std::int64_t half = roll_->strategy().progress_deadline_ms() * 1'000'000 / 2;
  if (half > 0 && roll_->deadline_at() > 0 && now > roll_->deadline_at() - half) return Attention::kSlow;
  return Attention::kRolling;
}

std::string AppRow::Why() const {
  const bool of_roll = numbers_.attention != Attention::kNone && numbers_.attention != Attention::kTrouble;
  if (of_roll && !roll_) return {};  // it ended after the numbers were counted
  switch (numbers_.attention) {
    case Attention::kNone: return {};
    case Attention::kHeld: return roll_->reason().empty() ? "held" : "held: " + roll_->reason();
    case Attention::kRollingBack: return "goes back to " + roll_->source_definition();
    case Attention::kWaiting: {
      const auto& reasons = roll_->paused_because();
      const bool by_hand = std::ranges::find(reasons, v2::HAND) != reasons.end();
      return by_hand ? "paused by hand" : "waits for promotion at stage " + std::to_string(roll_->stages_done() + 1);
    }
    case Attention::kTrouble: {
      if (numbers_.unplaced > 0) return Counted(numbers_.unplaced, "placed on no cell");
      if (numbers_.crashed > 0) return Counted(numbers_.crashed, "crashed");
      return Counted(numbers_.wanted - numbers_.served, "not served");
    }
    case Attention::kSlow: return "slow: past half of its deadline";
    case Attention::kRolling: return "rolling to " + roll_->target_definition();
  }
  return {};
}

}  // namespace baton::web
