#include "sql/store/row_guards.h"

#include <string_view>
#include <unordered_map>

#include "sql/store/app_writer.h"

namespace baton {

RowGuards GuardsOf(const BatchChanges& changes, const AppLoad& load, std::span<const Rows> rows) {
  std::unordered_map<std::string_view, const ActualId*> wanted;
  for (const auto& [guid, one] : changes.apps) {
    for (const auto* ids : {&one.changes.changed, &one.changes.removed}) {
      for (const ActualId& id : *ids) wanted.emplace(id.str(), &id);
    }
  }
  RowGuards guards;
  if (wanted.empty()) return guards;
  for (const Rows* actuals : ActualRows(load, rows)) {
    for (const auto row : *actuals) {
      const auto found = wanted.find(row.View("actual_id"));
      if (found != wanted.end()) guards.emplace(*found->second, row.Text("xmin"));
    }
  }
  return guards;
}

}  // namespace baton
