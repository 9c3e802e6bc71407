// The use cases of a desired LRP: desire, update, remove. Pure: each reads and edits the app's rows, nothing else.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "orchestrator/app/apps/plan_token.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "orchestrator/model/strategy_patch.h"

namespace baton {

struct DesireRequest {
  DesiredLrp desired;  // incarnation, active and healthy are given by the use case
  DefinitionInput definition;
};

// Limits that need the definition: INVALID_ARGUMENT with field, value and limit.
Status CheckStrategy(const Strategy& strategy, const Definition& definition);

struct UpdateRequest {
  std::optional<std::string> domain;  // only compared: an app keeps its domain for life
  std::optional<int> instances;
  std::optional<Routes> routes;
  std::optional<std::string> annotation;
  std::optional<std::string> log_guid;
  std::optional<std::string> metric_tags;
  std::optional<std::string> image_username;
  std::optional<std::string> image_password;
  std::optional<int> definition_history;
  StrategyPatch strategy;
  bool replaces = false;  // what `strategy` leaves out goes back to its default, and does not stay
  std::optional<DefinitionInput> definition;
  // Of `definition`; empty: as they are.
  std::map<std::uint32_t, std::uint32_t> port_aliases;
  bool named = false;  // `definition` by the caller, not by its content
  bool retry = false;
  bool reactivate = false;  // although what is named was active before, and is not now
  bool accept_unroutable = false;

  // Compare-and-set: only what is given is compared.
  std::optional<ModificationTag> expected_tag;
  std::optional<int> expected_instances;
  std::optional<DefinitionId> expected_definition;
  std::optional<PlanGiven> plan;
  // Where an app has one definition, the active one stays.
  DataMode data;
};

// ALREADY_EXISTS where the guid is desired. Opens the roll of the first start.
Status DecideDesire(AppEdit& edit, const DesireRequest& request);

// NOT_FOUND, INVALID_ARGUMENT (another domain), ABORTED (compare-and-set), ALREADY_EXISTS (identifier with other content), FAILED_PRECONDITION (its last
// roll failed; it was active before, and nothing says that it is meant to be so again; a route would lead
// nowhere).
Status DecideUpdate(AppEdit& edit, const UpdateRequest& request);

// NOT_FOUND where it is not desired. The open roll yields; what runs nowhere goes, all else drains.
Status DecideRemove(AppEdit& edit);

// Makes a stored definition the active one, through a roll. `retry`: although its last roll failed.
Status SwitchTo(AppEdit& edit, const DefinitionId& id, bool retry);

}  // namespace baton
