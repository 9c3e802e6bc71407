#include "tools/definitions/record.h"

#include <algorithm>

#include "tools/definitions/words.h"
#include "tools/words/times.h"

namespace baton::definitions {
namespace {

bool Has(const std::vector<KeepReason>& reasons, KeepReason reason) { return std::ranges::count(reasons, reason) > 0; }

// Asked of the one rule instead of counted again: with how small a history would it still be kept?
int GoesAfter(const AppState& app, const DefinitionKey& key, int history) {
  int needed = history;
  while (needed > 1 && Has(WhyKept(app, key, needed - 1), KeepReason::kHistory)) --needed;
  return history - needed + 1;
}

// "4 instances made from it, 3 without a cell (cell-1: refused: insufficient memory: 512 MiB wanted, 100 free)". One
// instance's words stand for all: cells are asked for a definition, not for an instance.
std::string Held(const std::vector<Holder>& holders) {
  const std::string all = Counted(holders.size(), "instance") + " made from it";
  const auto refused = [](const Holder& holder) { return !holder.placement_error.empty(); };
  const auto first = std::ranges::find_if(holders, refused);
  if (first == holders.end()) return all;
  return all + ", " + std::to_string(std::ranges::count_if(holders, refused)) + " without a cell (" +
         first->placement_error + ")";
}

std::string WhyStays(const DefinitionRecord& r) {
  std::vector<std::string> parts;
  for (const KeepReason reason : r.kept_for) {
    switch (reason) {
      case KeepReason::kActive: parts.push_back("new instances start from it"); break;
      case KeepReason::kHealthy: parts.push_back("a failing roll goes back to it"); break;
      case KeepReason::kRollSource: parts.push_back("roll " + r.roll_id.str() + " goes from it"); break;
      case KeepReason::kRollTarget: parts.push_back("roll " + r.roll_id.str() + " goes to it"); break;
      case KeepReason::kInstance: parts.push_back(Held(r.holders)); break;
      case KeepReason::kHistory:
        parts.push_back("for undo, proven " + Utc(*r.proven_at) + "; goes when " + std::to_string(*r.goes_after) +
                        " more after it were proven and replaced");
        break;
      case KeepReason::kPinned: parts.push_back("pinned by an operator"); break;
    }
  }
  return Joined(parts, "; ");
}

std::string WhyNot(const AppState& app, const DefinitionRecord& r, int history) {
  if (!app.desired) return "its app is not desired any more, and no instance of it is left";
  if (app.desired->incarnation != r.key.incarnation) {
    return "of an earlier life of the app (incarnation " + std::to_string(r.key.incarnation) + ", now " +
           std::to_string(app.desired->incarnation) + "), and no instance of it is left";
  }
  if (!r.proven_at) return "never proven, and nothing refers to it";
  return "nothing refers to it, and the last " + std::to_string(history) + " proven ones before the active are newer";
}

DefinitionRecord RecordOf(const DumpedApp& dumped, const DefinitionKey& key, int history, TimePoint now) {
  const AppState& app = dumped.state;
  const Definition& definition = app.definitions.at(key);
  DefinitionRecord r;
  r.guid = app.guid;
  if (app.desired && app.desired->incarnation == key.incarnation) r.domain = app.desired->domain;
  r.key = key;
  r.content_hash = definition.content_hash;
  r.created_at = definition.created_at;
  r.proven_at = definition.proven_at;
  r.pinned = definition.pinned;
  r.age = now - definition.created_at;
  r.size_bytes = dumped.sizes.at(key);
  r.kept_for = WhyKept(app, key, history);
  if (Has(r.kept_for, KeepReason::kRollSource) || Has(r.kept_for, KeepReason::kRollTarget)) r.roll_id = app.roll->id;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation == key.incarnation && lrp.definition == key.id) {
      r.holders.push_back({id, lrp.index, lrp.presence, lrp.state, lrp.cell_id, lrp.placement_error});
    }
  }
  if (Has(r.kept_for, KeepReason::kHistory)) r.goes_after = GoesAfter(app, key, history);
  r.why = r.collectable() ? WhyNot(app, r, history) : WhyStays(r);
  return r;
}

}  // namespace

std::vector<DefinitionRecord> RecordsOf(const DumpedApp& app, int history, TimePoint now) {
  std::vector<DefinitionRecord> records;
  for (const auto& [key, definition] : app.state.definitions) records.push_back(RecordOf(app, key, history, now));
  return records;
}

}  // namespace baton::definitions
