#include "orchestrator/app/apps/update.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "orchestrator/app/apps/bind_routes.h"
#include "orchestrator/app/apps/one_definition.h"
#include "orchestrator/base/check.h"
#include "orchestrator/roll/drain.h"
#include "orchestrator/roll/transition.h"
#include "orchestrator/routing/resolve.h"

namespace baton {
namespace {

Error Refuse(ErrorKind kind, std::string message) { return Error{kind, std::move(message)}; }

std::string Ms(Duration duration) { return std::to_string(Millis(duration)); }

const Definition& Stored(const AppEdit& edit, const DefinitionId& id) {
  const auto at = edit.state().definitions.find({edit.state().desired->incarnation, id});
  CHECK(at != edit.state().definitions.end());
  return at->second;
}

Status CheckExpected(const DesiredLrp& desired, const UpdateRequest& request) {
  if (request.expected_tag && *request.expected_tag != desired.tag) {
    return Refuse(ErrorKind::kAborted, "expected.modification_tag is " + request.expected_tag->epoch + ":" +
                                           std::to_string(request.expected_tag->index) + ", the app's is " +
                                           desired.tag.epoch + ":" + std::to_string(desired.tag.index) +
                                           ": read again");
  }
  if (request.expected_instances && *request.expected_instances != desired.instances) {
    return Refuse(ErrorKind::kAborted, "expected.instances is " + std::to_string(*request.expected_instances) +
                                           ", the app's is " + std::to_string(desired.instances) + ": read again");
  }
  if (request.expected_definition && *request.expected_definition != desired.active) {
    return Refuse(ErrorKind::kAborted, "expected.definition_identifier is " + request.expected_definition->str() +
                                           ", the active one is " + desired.active.str() + ": read again");
  }
  return Done{};
}

void SetUnversioned(AppEdit& edit, const UpdateRequest& request) {
  DesiredLrp& desired = edit.ChangeDesired();
  if (request.instances) desired.instances = *request.instances;
  if (request.routes) desired.routes = *request.routes;
  if (request.annotation) desired.annotation = *request.annotation;
  if (request.log_guid) desired.log_guid = *request.log_guid;
  if (request.metric_tags) desired.metric_tags = *request.metric_tags;
  if (request.image_username) desired.image_username = *request.image_username;
  if (request.image_password) desired.image_password = *request.image_password;
  if (request.definition_history || request.replaces) desired.definition_history = request.definition_history;
  const Duration deadline_before = desired.strategy.progress_deadline;
  desired.strategy = Patched(request.replaces ? Strategy() : desired.strategy, request.strategy);
  const Duration longer = desired.strategy.progress_deadline - deadline_before;
  if (!edit.state().roll) return;
  if (longer != Duration(0)) edit.ChangeRoll().deadline += longer;  // a running roll's too
  Strategy running = edit.state().roll->strategy;
  TakeRunningChanges(desired.strategy, running);
  if (running != edit.state().roll->strategy) edit.ChangeRoll().strategy = running;
}

// Whether the last roll to what is `same` was cancelled or failed; its id and target.
template <class Same>
std::optional<std::pair<RollId, DefinitionId>> LastRefused(const AppEdit& edit, Same same) {
  const auto& open = edit.state().roll;
  if (open && same(open->target)) {
    return open->refused ? std::optional(std::pair(open->id, open->target)) : std::nullopt;
  }
  const auto& past = edit.state().past_rolls;
  const auto last = std::ranges::find_if(past, same, &PastRoll::target);
  if (last == past.end() || !last->refused) return std::nullopt;
  return std::pair(last->id, last->target);
}

// A syncing controller must not be able to loop.
Status CheckNotRefused(const AppEdit& edit, const DefinitionId& id) {
  const auto refused = LastRefused(edit, [&](const DefinitionId& target) { return target == id; });
  if (!refused) return Done{};
  return Refuse(ErrorKind::kFailedPrecondition, "the last roll to " + id.str() + " (" + refused->first.str() +
                                                    ") was cancelled or failed; retry: true tries it again");
}

// Nor one that names nothing: there the content counts, whatever name it failed under.
Status CheckContentNotRefused(const AppEdit& edit, const UpdateRequest& request) {
  if (!request.definition || request.named || request.retry) return Done{};
  const Definition& asked = request.definition->definition;
  const DesiredLrp& desired = *edit.state().desired;
  if (asked.id == desired.active) return Done{};
  const auto refused = LastRefused(edit, [&](const DefinitionId& target) {
    const auto stored = edit.state().definitions.find({desired.incarnation, target});
    // One that was never named has its content's hash as its name, also when it has been collected.
    return stored == edit.state().definitions.end() ? target == asked.id
                                                    : stored->second.content_hash == asked.content_hash;
  });
  if (!refused) return Done{};
  return Refuse(ErrorKind::kFailedPrecondition,
                "the last roll to this content, as " + refused->second.str() + " (" + refused->first.str() +
                    "), was cancelled or failed; retry: true tries it again, and so does a new identifier");
}

RouteUpdate RouteUpdateOf(const UpdateRequest& request) {
  RouteUpdate update{.routes_given = request.routes.has_value(),
                     .brings = std::nullopt,
                     .aliases_given = !request.port_aliases.empty(),
                     .accept_unroutable = request.accept_unroutable};
  if (request.definition) update.brings = request.definition->definition.id;
  return update;
}

// Definitions are stored when they become active. One that has been collected is known by the rolls to it.
bool WasActive(const AppEdit& edit, const DefinitionId& id) {
  const DefinitionKey key{edit.state().desired->incarnation, id};
  if (edit.state().definitions.contains(key) && !edit.HasInserted(key)) return true;
  return std::ranges::any_of(edit.state().past_rolls, [&](const PastRoll& past) { return past.target == id; });
}

// An update that comes late, or is sent again, must not undo a newer one: what it names was active before it. How many
// instances there are tells nothing of that.
Status CheckMayReturn(const AppEdit& edit, const UpdateRequest& request) {
  if (!request.definition || !request.named) return Done{};
  const DefinitionId& id = request.definition->definition.id;
  const DefinitionId& active = edit.state().desired->active;
  if (id == active || !WasActive(edit, id)) return Done{};
  if (request.reactivate || request.expected_tag || request.expected_definition) return Done{};
  if (!request.retry) {
    if (Status status = CheckNotRefused(edit, id); !status) return status;
  }
  return Refuse(ErrorKind::kFailedPrecondition,
                "definition_identifier " + id.str() + " was active before, and " + active.str() +
                    " is now: if this is no update that was sent again late, reactivate: true goes back to it, and so "
                    "does an expected.modification_tag or expected.definition_identifier that matches");
}

// Opens the roll to `target`, which is stored.
void OpenRollTo(AppEdit& edit, const DefinitionId& target, const DefinitionId& source) {
  Roll roll;
  roll.incarnation = edit.state().desired->incarnation;
  roll.source = source;
  roll.target = target;
  roll.deadline = edit.now() + edit.state().desired->strategy.progress_deadline;
  edit.OpenRoll(std::move(roll), !source.empty() && WasActive(edit, target));
}

}  // namespace

Status CheckStrategy(const Strategy& strategy, const Definition& definition) {
  if (strategy.max_surge.value == 0 && strategy.max_unavailable.value == 0 && strategy.mode == Mode::kRolling) {
    return Refuse(ErrorKind::kInvalidArgument,
                  "strategy.max_surge and strategy.max_unavailable are both 0: no instance could ever be changed");
  }
  if (strategy.drain_min > strategy.drain_timeout) {
    return Refuse(ErrorKind::kInvalidArgument, "strategy.drain_min_ms is " + Ms(strategy.drain_min) +
                                                   "; it may be at most drain_timeout_ms, " +
                                                   Ms(strategy.drain_timeout));
  }
  const Duration own = definition.start_timeout > Duration(0) ? definition.start_timeout : kDefaultStartTimeout;
  const Duration least =
      strategy.start_timeout.value_or(own) + strategy.min_healthy_time + strategy.drain_timeout + strategy.stop_timeout;
  if (strategy.progress_deadline < least) {
    return Refuse(ErrorKind::kInvalidArgument,
                  "strategy.progress_deadline_ms is " + Ms(strategy.progress_deadline) + "; it must be at least " +
                      Ms(least) + ", which is start_timeout + min_healthy_time + drain_timeout + stop_timeout");
  }
  return Done{};
}

Status DecideDesire(AppEdit& edit, const DesireRequest& request) {
  const AppState& app = edit.state();
  if (app.desired) {
    return Refuse(ErrorKind::kAlreadyExists, "process_guid " + app.guid.str() + " is desired already; update it");
  }
  if (Status status = CheckStrategy(request.desired.strategy, request.definition.definition); !status) return status;
  if (Status status = CheckBound(request.desired.routes, request.definition.definition); !status) return status;
  if (app.roll) edit.CloseRoll(RollState::kYielded, "its app was gone");  // its row was deleted by hand
  DesiredLrp desired = request.desired;
  desired.incarnation = edit.moment().ids->NewIncarnation();
  desired.active = request.definition.definition.id;
  desired.healthy = DefinitionId();
  const std::int64_t incarnation = desired.incarnation;
  edit.Desire(std::move(desired));
  edit.InsertDefinition(incarnation, request.definition.definition, request.definition.run_info);
  OpenRollTo(edit, request.definition.definition.id, DefinitionId());
  return Done{};
}

Status SwitchTo(AppEdit& edit, const DefinitionId& id, bool retry) {
  const DesiredLrp& desired = *edit.state().desired;
  const auto& open = edit.state().roll;
  if (id == desired.active) {
    const bool held = open && open->state == RollState::kHeld;
    return held && retry ? ApplyRollEvent(edit, RollEvent::kRetry, "asked for again with retry") : Status(Done{});
  }
  if (!retry) {
    if (Status status = CheckNotRefused(edit, id); !status) return status;
  }
  // What stands in the place of one that was lost is nothing to go back to.
  const bool lost = edit.HasInserted({desired.incarnation, desired.active});
  const DefinitionId source = !desired.healthy.empty() ? desired.healthy : lost ? DefinitionId() : desired.active;
  if (open) {
    const Status status = ApplyRollEvent(edit, RollEvent::kSupersede, id.str() + " was asked for");
    CHECK(status.ok());  // the law takes it in every open state
  }
  edit.ChangeDesired().active = id;
  OpenRollTo(edit, id, source);
  return Done{};
}

Status DecideUpdate(AppEdit& edit, const UpdateRequest& request) {
  if (request.plan) {
    if (Status status = CheckPlan(*request.plan, edit.state()); !status) return status;
  }
  if (!edit.state().desired) {
    return Refuse(ErrorKind::kNotFound, "process_guid " + edit.state().guid.str() + " is not desired");
  }
  const DesiredLrp& desired = *edit.state().desired;
  if (request.domain && *request.domain != desired.domain) {
    return Refuse(ErrorKind::kInvalidArgument, "desired_lrp.domain is '" + *request.domain + "', the app's is '" +
                                                   desired.domain + "': an app keeps its domain for life");
  }
  if (Status status = CheckExpected(desired, request); !status) return status;
  const auto key = [&](const DefinitionId& id) { return DefinitionKey{desired.incarnation, id}; };
  const auto& input = request.definition;
  const bool lost = input && edit.HasInserted(key(input->definition.id));  // it is here again
  const auto known =
      input && !lost ? edit.state().definitions.find(key(input->definition.id)) : edit.state().definitions.end();
  if (known != edit.state().definitions.end() && known->second.content_hash != input->definition.content_hash) {
    return Refuse(ErrorKind::kAlreadyExists, "definition_identifier " + input->definition.id.str() +
                                                 " names other content already (" + known->second.content_hash +
                                                 "); give the new content a new name");
  }
  if (Status status = CheckMayReturn(edit, request); !status) return status;
  if (Status status = CheckContentNotRefused(edit, request); !status) return status;
  const BindingsBefore before = request.routes || input ? TakeBindings(edit.state()) : BindingsBefore();
  SetUnversioned(edit, request);
  const bool is_new = known == edit.state().definitions.end();
  Definition goes_to = !input ? Stored(edit, desired.active) : is_new ? input->definition : known->second;
  if (input && !request.port_aliases.empty()) goes_to.port_aliases = request.port_aliases;
  if (Status status = CheckStrategy(desired.strategy, goes_to); !status) return status;
  if (input && is_new) {
    edit.InsertDefinition(desired.incarnation, goes_to, input->run_info);
  } else if (input && known->second.port_aliases != goes_to.port_aliases) {
    edit.ChangeDefinition(known->first).port_aliases = goes_to.port_aliases;
  }
  if (Status status = BindRoutes(edit, before, RouteUpdateOf(request)); !status) return status;
  if (!input) return Done{};
  const DefinitionId active = desired.active;
  if (Status status = SwitchTo(edit, input->definition.id, request.retry); !status) return status;
  return StaysTheSame(request.data, active, desired.active);
}

Status DecideRemove(AppEdit& edit) {
  if (!edit.state().desired) {
    return Refuse(ErrorKind::kNotFound, "process_guid " + edit.state().guid.str() + " is not desired");
  }
  if (edit.state().roll) {
    const Status status = ApplyRollEvent(edit, RollEvent::kYield, "the app was removed");
    CHECK(status.ok());  // the law takes it in every open state
  }
  const DesiredLrp& desired = *edit.state().desired;
  std::vector<ActualId> ids;
  for (const auto& [id, lrp] : edit.state().actuals) ids.push_back(id);
  for (const ActualId& id : ids) {
    const ActualLrp& lrp = edit.state().actuals.at(id);
    if (lrp.presence == Presence::kRetiring) continue;
    if (!MayRun(lrp)) {
      edit.Remove(id);
      continue;
    }
    const Definition& own = edit.state().definitions.at({lrp.incarnation, lrp.definition});
    const bool drains = lrp.routable && HasEndpoint(desired.routes.mapped, lrp, Ports(own, desired.routes));
    MakeRetiring(edit.Change(id), desired.strategy, drains, edit.now());
  }
  edit.RemoveDesired();
  return Done{};
}

}  // namespace baton
