#include "orchestrator/placement/refusals.h"

#include <algorithm>

namespace baton {
namespace {

constexpr Duration kAgainMax = seconds(30);
// Far longer than anything waits here: what was not asked for in all that time is wanted no more.
constexpr Duration kForgottenAfter = std::chrono::minutes(5);

std::int64_t RoomFor(Lack lack, const CellOffer& offer) {
  switch (lack) {
    case Lack::kMemory: return offer.free.memory_mb;
    case Lack::kDisk: return offer.free.disk_mb;
    case Lack::kPids: return offer.free.pids;
    case Lack::kContainers: return offer.free.containers;
    case Lack::kHostPorts: return offer.free_ports;
    case Lack::kOther:
    case Lack::kCell: break;
  }
  return 0;
}

}  // namespace

Duration AskAgainAfter(int times) {
  if (times < 1) return Duration(0);
  return std::min<Duration>(kAgainMax, seconds(1) * (1 << std::min(times - 1, 10)));
}

void Refusals::Rejected(const Asked& asked, const CellId& cell, Rejection rejection, TimePoint now) {
  Forget(now);
  State& state = all_[asked];
  Refusal& refusal = state.cells[cell];
  const std::int64_t had = RoomFor(rejection.lack, rejection.offer);
  refusal.had = refusal.lack == rejection.lack && refusal.times > 0 ? std::max(refusal.had, had) : had;
  refusal.lack = rejection.lack;
  refusal.why = std::move(rejection.why);
  refusal.until = now + AskAgainAfter(++refusal.times);
  state.not_before = now + AskAgainAfter(++state.rejections - kRejectionsAtOnce + 1);
  state.claimed = false;
  state.touched = now;
}

void Refusals::Unanswered(const Asked& asked, const CellId& cell, const std::string& why, TimePoint now) {
  State& state = all_[asked];
  Refusal& refusal = state.cells[cell];
  refusal.lack = Lack::kOther;
  refusal.why = why;
  refusal.until = now + AskAgainAfter(++refusal.times);
  state.touched = now;
}

void Refusals::Claimed(const Asked& asked, const CellId& cell) {
  const auto at = all_.find(asked);
  if (at == all_.end()) return;
  at->second.claimed = true;
  at->second.not_before = {};
  if (const auto refusal = at->second.cells.find(cell); refusal != at->second.cells.end()) refusal->second.until = {};
}

void Refusals::Started(const Asked& asked, const CellId& cell) {
  const auto at = all_.find(asked);
  if (at == all_.end()) return;
  at->second.cells.erase(cell);
  at->second.rejections = 0;
  at->second.not_before = {};
  if (at->second.cells.empty()) all_.erase(at);
}

void Refusals::Opened(const CellId& cell) {
  for (auto& [asked, state] : all_) {
    state.not_before = {};
    if (const auto refusal = state.cells.find(cell); refusal != state.cells.end()) refusal->second.until = {};
  }
}

void Refusals::Grew(const CellOffer& offer) {
  for (auto& [asked, state] : all_) {
    const auto at = state.cells.find(offer.id);
    if (at == state.cells.end() || RoomFor(at->second.lack, offer) <= at->second.had) continue;
    if (at->second.until == TimePoint() && state.not_before == TimePoint()) continue;
    at->second.had = RoomFor(at->second.lack, offer);
    at->second.until = state.not_before = {};
  }
}

void Refusals::Forget(TimePoint now) {
  std::erase_if(all_, [now](const auto& entry) { return entry.second.touched + kForgottenAfter < now; });
}

std::map<CellId, std::string> Refusals::Of(const Asked& asked, TimePoint now) const {
  std::map<CellId, std::string> refused;
  const auto at = all_.find(asked);
  if (at == all_.end()) return refused;
  for (const auto& [cell, refusal] : at->second.cells) {
    if (refusal.until > now) refused[cell] = refusal.why;
  }
  return refused;
}

bool Refusals::MayAsk(const Asked& asked, int under_way, TimePoint now) const {
  const auto at = all_.find(asked);
  if (at == all_.end() || at->second.rejections == 0 || at->second.claimed) return true;
  return under_way == 0 && at->second.not_before <= now;
}

std::optional<TimePoint> Refusals::AskAgainAt(const Asked& asked, TimePoint now) const {
  const auto at = all_.find(asked);
  if (at == all_.end()) return std::nullopt;
  if (at->second.not_before > now) return at->second.not_before;
  std::optional<TimePoint> first;
  for (const auto& [cell, refusal] : at->second.cells) {
    if (refusal.until > now) first = std::min(first.value_or(refusal.until), refusal.until);
  }
  return first;
}

std::string Refusals::Words(const Asked& asked) const {
  std::string words;
  const auto at = all_.find(asked);
  if (at == all_.end()) return words;
  for (const auto& [cell, refusal] : at->second.cells) {
    words += (words.empty() ? "" : "; ") + cell.str() + ": refused: " + refusal.why;
  }
  return words;
}

std::optional<Duration> Complaints::Unanswered(const CellId& cell, const ProcessGuid& guid) {
  State& state = cells_[cell];
  state.unanswered.insert(guid);
  if (state.unanswered.size() < kAppsFailedMax) return std::nullopt;
  state.unanswered.clear();
  return kUnansweredFor;
}

std::optional<Duration> Complaints::OwnFault(const CellId& cell, const ProcessGuid& guid) {
  State& state = cells_[cell];
  state.own_faults.insert(guid);
  if (state.own_faults.size() < kAppsFailedMax) return std::nullopt;
  state.own_faults.clear();
  return AskAgainAfter(++state.holds);
}

void Complaints::Took(const CellId& cell) { cells_.erase(cell); }

}  // namespace baton
