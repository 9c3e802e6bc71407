#include "tests/sim/rejection_oracle.h"

#include <algorithm>

namespace baton::sim {
namespace {

constexpr Duration kWaitsMax = seconds(30);
constexpr std::size_t kAppsOfAnIllCell = 3;

}  // namespace

void RejectionOracle::Rejected(const Asked& asked, const CellId& cell, bool own_fault, TimePoint now) {
  rejected_[asked][cell] = now;
  if (!own_fault) return;
  faults_[cell].insert(asked.guid);
  if (faults_[cell].size() < kAppsOfAnIllCell) return;
  faults_.erase(cell);
  ill_[cell] = now;
}

std::string RejectionOracle::LeftOut(const Asked& asked, const CellId& cell, TimePoint now) const {
  const auto of_it = rejected_.find(asked);
  if (of_it != rejected_.end()) {
    const auto at = of_it->second.find(cell);
    if (at != of_it->second.end() && at->second + kWaitsMax > now) return "";
  }
  if (const auto ill = ill_.find(cell); ill != ill_.end() && ill->second + kWaitsMax > now) return "";
  return asked.guid.str() + " is kept from " + cell.str() +
         ", which rejected no such definition in the last 30 s, nor those of three apps for a fault of its own";
}

std::string RejectionOracle::Waits(const Asked& asked, TimePoint now) const {
  const auto of_it = rejected_.find(asked);
  const auto lately = [&](const auto& entry) { return entry.second + kWaitsMax > now; };
  if (of_it != rejected_.end() && std::ranges::any_of(of_it->second, lately)) return "";
  return asked.guid.str() + " waits, and no cell rejected such a definition in the last 30 s";
}

}  // namespace baton::sim
