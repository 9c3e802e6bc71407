#include "sql/store/row_guards.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "sql/store/app_writer.h"

namespace baton {
namespace {

void TakeKnown(const AppChanges& changes, const RowGuards& known, RowGuards& guards) {
  for (const auto* ids : {&changes.changed, &changes.removed}) {
    for (const ActualId& id : *ids) {
      if (const auto at = known.find(id); at != known.end()) guards.insert(*at);
    }
  }
}

KnownLogs LogsOf(AppState& state) {
  if (!state.roll) return {};
  return {state.roll->id, state.roll->revision, state.roll->counted_from, std::move(state.slot_logs)};
}

}  // namespace

RowGuards GuardsOf(const BatchChanges& changes, const AppLoad& load, std::span<const Rows> rows) {
  RowGuards guards;
  std::unordered_map<std::string_view, const ActualId*> wanted;
  for (const auto& [guid, one] : changes.apps) {
    if (load.IsKnown(guid)) {
      TakeKnown(one.changes, load.known->at(guid).guards, guards);
      continue;
    }
    for (const auto* ids : {&one.changes.changed, &one.changes.removed}) {
      for (const ActualId& id : *ids) wanted.emplace(id.str(), &id);
    }
  }
  if (wanted.empty()) return guards;
  for (const Rows* actuals : ActualRows(load, rows)) {
    for (const auto row : *actuals) {
      const auto found = wanted.find(row.View("actual_id"));
      if (found != wanted.end()) guards.emplace(*found->second, row.Text("xmin"));
    }
  }
  return guards;
}

KnownRows NewlyKnown(const LoadedApps& loaded, const AppLoad& load, std::span<const Rows> rows, std::size_t rows_min) {
  KnownRows known;
  for (const ProcessGuid& guid : load.apps) {
    const bool may_be = !load.IsKnown(guid) && loaded.read_at.contains(guid);
    if (may_be && loaded.apps.at(guid).actuals.size() >= rows_min) known[guid];
  }
  if (known.empty()) return known;
  for (const auto row : *ActualRows(load, rows).front()) {
    const auto app = known.find(ProcessGuid(row.Text("process_guid")));
    if (app != known.end()) app->second.guards.emplace(row.Text("actual_id"), row.Text("xmin"));
  }
  return known;
}

KnownRows KnownAfter(LoadedApps& loaded, const BatchChanges& changes, KnownRows known, std::int64_t epoch) {
  KnownRows after;
  for (auto& [guid, app] : known) {
    const auto read_at = loaded.read_at.find(guid);
    if (read_at == loaded.read_at.end() || loaded.broken.contains(guid) || loaded.mended.contains(guid)) continue;
    AppState& state = loaded.apps.at(guid);
    if (const auto one = changes.apps.find(guid); one != changes.apps.end()) {
      for (const ActualId& id : one->second.changes.removed) app.guards.erase(id);
    }
    after[guid] = {.actuals = std::move(state.actuals),
                   .guards = std::move(app.guards),
                   .logs = LogsOf(state),
                   .quiet = std::move(state.quiet),
                   .at = read_at->second,
                   .epoch = epoch};
  }
  return after;
}

}  // namespace baton
