#include "orchestrator/placement/place.h"

#include <algorithm>
#include <tuple>

#include "orchestrator/placement/egress.h"

namespace baton {
namespace {

bool Has(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

// A stack that ends in ':' stands for everything of its scheme.
bool OffersStack(const CellOffer& cell, const std::string& root_fs) {
  return std::ranges::any_of(cell.stacks, [&](const std::string& stack) {
    return stack == root_fs || (stack.ends_with(':') && root_fs.starts_with(stack));
  });
}

std::string TooLittle(const char* what, std::int64_t needs, std::int64_t has) {
  return "needs " + std::to_string(needs) + " " + what + ", has " + std::to_string(std::max<std::int64_t>(0, has));
}

}  // namespace

std::string WhyNot(const Definition& d, const CellOffer& cell) {
  if (cell.draining) return "it drains";
  if (!cell.held_off.empty()) return cell.held_off;
  if (!cell.refused.empty()) return "refused: " + cell.refused;
  for (const std::string& need : d.needs) {
    if (Has(cell.abilities, need)) continue;
    // An operator of the cells can fix this; the app's owner cannot.
    const bool may = need == kEgressRules && Has(cell.abilities, kEgressUnenforced);
    return "cannot enact " + need + (may ? ", and its operator lets no app of this domain run without them (baton domain egress)" : "");
  }
  if (!OffersStack(cell, d.root_fs)) return "has no stack for " + d.root_fs;
  for (const std::string& tag : d.placement_tags) {
    if (!Has(cell.placement_tags, tag)) return "lacks the placement tag " + tag;
  }
  if (cell.free.containers < 1) return "has room for no more instances";
  if (cell.free.memory_mb < d.resources.memory_mb)
    return TooLittle("MB of memory", d.resources.memory_mb, cell.free.memory_mb);
  if (cell.free.disk_mb < d.resources.disk_mb) return TooLittle("MB of disk", d.resources.disk_mb, cell.free.disk_mb);
  if (cell.pids_limited && cell.free.pids < d.resources.pids)
    return TooLittle("pids", d.resources.pids, cell.free.pids);
  if (cell.host_ports > 0 && cell.free_ports < static_cast<int>(d.ports.size()))
    return TooLittle("host ports", static_cast<std::int64_t>(d.ports.size()), cell.free_ports);
  return {};
}

Placement Place(const Definition& definition, const CellId& avoid, const std::vector<CellOffer>& cells) {
  Placement placement;
  std::map<std::string, int> in_zone;  // instances of the app
  // What runs on a cell that drains is about to go.
  for (const CellOffer& cell : cells) in_zone[cell.zone] += cell.draining ? 0 : cell.instances_of_app;
  const CellOffer* best = nullptr;
  const auto rank = [&](const CellOffer& cell) {
    return std::make_tuple(in_zone[cell.zone], cell.instances_of_app, cell.id == avoid, cell.instances,
                           -cell.free.memory_mb, cell.id);
  };
  std::string errors;
  for (const CellOffer& cell : cells) {
    const std::string why = WhyNot(definition, cell);
    if (why.empty()) {
      if (!best || rank(cell) < rank(*best)) best = &cell;
    } else {
      errors += (errors.empty() ? "" : "; ") + cell.id.str() + ": " + why;
    }
  }
  if (best) {
    placement.cell = best->id;
  } else {
    placement.error = cells.empty() ? "no cell is connected" : errors;
  }
  return placement;
}

}  // namespace baton
