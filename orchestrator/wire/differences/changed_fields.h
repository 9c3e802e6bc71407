// What a call changed of an app, by the names of its fields and without a value: for the audit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"

namespace baton::wire {

inline constexpr std::size_t kChangedFieldsMax = 30;  // further ones become one "..."

// As the fields of baton.v2.DesiredLRP are called, "strategy.max_surge"; a list or a map is one name. Only what a
// caller sets: no tags, and of a definition nothing but what stands in the clear, beside "definition" itself where its
// content is another. Empty where the app was not there before, or is not there now.
std::vector<std::string> ChangedFields(const std::optional<DesiredLrp>& before, const AppState& after);

}  // namespace baton::wire
