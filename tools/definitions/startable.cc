#include "tools/definitions/startable.h"

#include <algorithm>
#include <functional>
#include <map>

#include "baton/v2/desired_lrp.pb.h"
#include "orchestrator/placement/egress.h"
#include "orchestrator/placement/place.h"
#include "orchestrator/wire/limits/field_limits.h"
#include "orchestrator/wire/messages/actions.h"
#include "orchestrator/wire/messages/definition.h"

namespace baton::definitions {
namespace {

constexpr char kAnother[] = "update the app to a definition without it, or start a cell that can";
constexpr char kWithinLimits[] = "update the app to a definition that keeps it";
constexpr std::size_t kCellsShown = 5;

// Where in a definition a word of `needs` comes from.
std::string FieldOf(const std::string& need) {
  static const std::map<std::string, std::string> kFields = {
      {"cached_dependencies", "cached_dependencies"}, {"check.http", "check_definition"}, {"check.tcp", "check_definition"},
      {"egress_rules", "egress_rules"}, {"image_layers", "image_layers"}, {"monitor", "monitor"},
      {"mounted_files", "volume_mounted_files"}, {"privileged", "privileged"}, {"setup", "setup"}, {"sidecars", "sidecars"},
      {"volume_mounts", "volume_mounts"}};
  const auto known = kFields.find(need.starts_with(wire::kVolumeDriverNeed) ? "volume_mounts" : need);
  return "definition.run_info." + (known == kFields.end() ? "action" : known->second);
}

// The cell as it is with nothing on it.
CellOffer Empty(const CellRecord& cell) {
  CellOffer offer;
  offer.id = cell.id;
  offer.free = cell.capacity;
  offer.stacks = cell.stacks;
  offer.placement_tags = cell.placement_tags;
  offer.abilities = cell.abilities;
  AddTolerance(offer.abilities);
  return offer;
}

class Look {
 public:
  Look(const AppState& app, const Definition& definition, const KnownFleet& fleet) : app_(app), definition_(definition) {
    warns_ = fleet.egress.Of(app.desired->domain) == UnenforcedEgress::kWarn;
    for (const CellRecord& cell : fleet.cells) cells_.push_back(Empty(cell));
  }

  std::vector<CheckFinding> Take() && { return std::move(findings_); }

  void AtLimits(const v2::LRPDefinition& message) {
    v2::DesiredLRP whole;
    whole.set_process_guid(app_.guid.str());
    whole.set_domain(app_.desired->domain);
    *whole.mutable_definition() = message;
    whole.mutable_definition()->clear_content_hash();
    Status status = wire::CheckLimits(whole);
    if (status) {
      const auto input = wire::DefinitionFrom(whole.definition());
      if (!input) status = input.error();
    }
    if (!status) Add("the API would refuse it today: " + status.error().message, kWithinLimits);
  }

  // One thing that it asks for at a time; where each is there on some cell, whether one cell has all.
  void AtCells() {
    if (cells_.empty()) return;
    const Definition asked = warns_ ? Tolerant(definition_) : definition_;
    const std::size_t before = findings_.size();
    for (const std::string& need : definition_.needs) {
      const bool is_egress = need == kEgressRules;
      const std::string wanted = is_egress && warns_ ? kEgressUnenforced : need;
      if (Some([&](const CellOffer& cell) { return Names(cell.abilities, wanted.c_str()); })) continue;
      const bool may = is_egress && Some([](const CellOffer& cell) { return Names(cell.abilities, kEgressUnenforced); });
      Add(FieldOf(need) + ": no cell of " + std::to_string(cells_.size()) + " can enact " + need,
          may ? "let apps of domain " + app_.desired->domain + " run without (baton domain egress), or start a cell that enforces them" : kAnother);
    }
    Definition only;
    only.root_fs = definition_.root_fs;
    const auto offers = [&](CellOffer cell) {
      cell.free.containers = 1;
      return WhyNot(only, cell).empty();
    };
    if (!Some(offers)) Add("definition.resource.root_fs: no cell has a stack for " + only.root_fs, kAnother);
    for (const std::string& tag : definition_.placement_tags) {
      if (Some([&](const CellOffer& cell) { return Names(cell.placement_tags, tag.c_str()); })) continue;
      Add("definition.placement_tags: no cell has " + tag, kAnother);
    }
    if (findings_.size() > before) return;
    const auto why = Why(asked);
    if (why.size() < cells_.size()) return;
    std::string text;
    for (std::size_t i = 0; i < why.size() && i < kCellsShown; ++i) text += (i > 0 ? "; " : "") + why[i];
    Add("definition: no one cell takes it, with nothing on it: " + text + (why.size() > kCellsShown ? "; ..." : ""), kAnother);
  }

 private:
  bool Some(const std::function<bool(const CellOffer&)>& has) const { return std::ranges::any_of(cells_, has); }

  // Of each cell that does not take it.
  std::vector<std::string> Why(const Definition& asked) const {
    std::vector<std::string> all;
    for (const CellOffer& cell : cells_) {
      const std::string why = WhyNot(asked, cell);
      if (!why.empty()) all.push_back(cell.id.str() + ": " + why);
    }
    return all;
  }
  void Add(const std::string& what, const std::string& remedy) {
    findings_.push_back({app_.guid.str(), definition_.id.str(), what, remedy});
  }

  const AppState& app_;
  const Definition& definition_;
  bool warns_ = false;
  std::vector<CellOffer> cells_;
  std::vector<CheckFinding> findings_;
};

}  // namespace

bool MayStart(const AppState& app, const DefinitionKey& key) {
  if (!app.desired || app.desired->incarnation != key.incarnation) return false;
  const bool of_roll = app.roll && (app.roll->source == key.id || app.roll->target == key.id);
  return of_roll || app.desired->active == key.id || app.desired->healthy == key.id ||
         std::ranges::any_of(app.actuals, [&](const auto& row) { return row.second.definition == key.id; });
}

std::vector<CheckFinding> StartWarnings(const AppState& app, const Definition& definition, const v2::LRPDefinition& message,
                                   const KnownFleet& fleet) {
  Look look(app, definition, fleet);
  look.AtLimits(message);
  look.AtCells();
  return std::move(look).Take();
}

}  // namespace baton::definitions
