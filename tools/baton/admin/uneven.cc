#include "tools/baton/admin/uneven.h"

#include <algorithm>
#include <map>
#include <utility>

namespace baton::cli {
namespace {

constexpr int kUneven = 2;

using Counts = std::map<std::string, int>;

// The most that two of them differ, if there are `all`: those that are not counted have none.
int Difference(const Counts& counts, std::size_t all) {
  int least = counts.size() < all ? 0 : counts.begin()->second;
  int most = 0;
  for (const auto& [name, count] : counts) {
    least = std::min(least, count);
    most = std::max(most, count);
  }
  return most - least;
}

}  // namespace

std::vector<std::string> UnevenApps(const v2::ListActualLRPsResponse& instances, const v2::ListCellsResponse& cells) {
  std::map<std::string, std::string> zone_of;
  Counts zones;
  for (const auto& cell : cells.cells()) {
    if (cell.draining() || !cell.connected()) continue;
    zone_of[cell.cell_id()] = cell.zone();
    ++zones[cell.zone()];
  }
  struct Spread {
    Counts on_cells;
    Counts in_zones;
  };
  std::map<std::string, Spread> apps;
  for (const auto& lrp : instances.actual_lrps()) {
    const auto zone = zone_of.find(lrp.instance_key().cell_id());
    if (zone == zone_of.end() || lrp.presence() == v2::RETIRING) continue;
    Spread& spread = apps[lrp.process_guid()];
    ++spread.on_cells[zone->first];
    ++spread.in_zones[zone->second];
  }
  std::vector<std::pair<std::pair<int, int>, std::string>> uneven;  // the most even first
  for (const auto& [guid, spread] : apps) {
    const std::pair by(Difference(spread.in_zones, zones.size()), Difference(spread.on_cells, zone_of.size()));
    if (by.first >= kUneven || by.second >= kUneven) uneven.emplace_back(by, guid);
  }
  std::ranges::stable_sort(uneven, std::greater(), [](const auto& one) { return one.first; });
  std::vector<std::string> guids;
  for (auto& [by, guid] : uneven) guids.push_back(std::move(guid));
  return guids;
}

}  // namespace baton::cli
