#include "orchestrator/roll/rules/collect.h"

#include <algorithm>

namespace baton {
namespace {

bool IsHistory(const AppState& app, const DefinitionKey& key, int history) {
  const auto self = app.definitions.find(key);
  if (!self->second.proven_at) return false;
  const int kept = app.desired->definition_history.value_or(history);
  int newer = 0;  // proven ones, not active, that came after it
  for (const auto& [other_key, other] : app.definitions) {
    if (other_key.incarnation != key.incarnation || other_key == key) continue;
    if (other_key.id == app.desired->active || !other.proven_at) continue;
    newer += *other.proven_at > *self->second.proven_at ||
             (*other.proven_at == *self->second.proven_at && other_key.id > key.id);
  }
  return newer < kept;
}

}  // namespace

std::string_view Name(KeepReason reason) {
  constexpr std::string_view kNames[] = {"active",   "healthy", "roll source", "roll target",
                                         "instance", "history", "pinned"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::vector<KeepReason> WhyKept(const AppState& app, const DefinitionKey& key, int history) {
  std::vector<KeepReason> reasons;
  const bool present = app.desired && app.desired->incarnation == key.incarnation;
  if (present && app.desired->active == key.id) reasons.push_back(KeepReason::kActive);
  if (present && app.desired->healthy == key.id) reasons.push_back(KeepReason::kHealthy);
  if (app.roll && app.roll->incarnation == key.incarnation) {
    if (app.roll->source == key.id) reasons.push_back(KeepReason::kRollSource);
    if (app.roll->target == key.id) reasons.push_back(KeepReason::kRollTarget);
  }
  const bool held = std::ranges::any_of(app.actuals, [&](const auto& entry) {
    return entry.second.incarnation == key.incarnation && entry.second.definition == key.id;
  });
  if (held) reasons.push_back(KeepReason::kInstance);
  if (present && app.desired->active != key.id && IsHistory(app, key, history)) {
    reasons.push_back(KeepReason::kHistory);
  }
  if (present && app.definitions.at(key).pinned) reasons.push_back(KeepReason::kPinned);
  return reasons;
}

std::vector<DefinitionKey> Unreferenced(const AppState& app, int history) {
  std::vector<DefinitionKey> keys;
  for (const auto& [key, definition] : app.definitions) {
    if (WhyKept(app, key, history).empty()) keys.push_back(key);
  }
  return keys;
}

}  // namespace baton
