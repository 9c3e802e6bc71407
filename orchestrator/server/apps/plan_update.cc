#include "orchestrator/server/apps/plan_update.h"

#include <functional>

#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/other_changes.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/model/names.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/wire/differences/difference.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr std::size_t kRollsMeasured = 5;
constexpr int kPastStepsMax = 10000;
constexpr int kOwnStepsMax = 1000;  // of the open roll

// What the request would do, as the use case takes it, and its token.
struct Planned {
  std::function<Status(AppEdit&)> decide;
  std::string token;
  std::optional<DefinitionInput> definition;
  bool turns_roll = false;  // it opens none, and the open one ends elsewhere
};

Result<Planned> PlannedBy(const v2::PlanUpdateRequest& request, const AppState& app, const MayAskVerdict& may_ask) {
  if (request.has_update() + request.has_replace() + request.has_create() != 1) {
    return Error{ErrorKind::kInvalidArgument, "exactly one of update, replace and create is to be given", {}};
  }
  const v2::DesiredLRP& whole = request.has_create() ? request.create() : request.replace();
  if (!request.has_update() && whole.process_guid() != request.process_guid()) {
    return Error{ErrorKind::kInvalidArgument, "process_guid is not that of the app that is given", {}};
  }
  if (request.has_create()) {
    v2::DesireLRPRequest message;
    *message.mutable_desired_lrp() = request.create();
    auto desire = DesireFrom(message);
    if (const Status may = CheckVerdicts(may_ask, desire); !may) return may.error();
    const auto definition = desire->definition;
    return Planned{.decide = [desire = *std::move(desire)](AppEdit& edit) { return DecideDesire(edit, desire); },
                   .token = "",
                   .definition = definition};
  }
  std::string token;
  Result<UpdateRequest> update = Error{ErrorKind::kInternal, "", {}};
  if (request.has_update()) {
    v2::UpdateDesiredLRPRequest message;
    message.set_process_guid(request.process_guid());
    *message.mutable_update() = request.update();
    message.mutable_update()->clear_plan_token();
    token = PlanToken(app, PlanContent(message));
    update = UpdateFrom(message);
  } else {
    v2::ReplaceDesiredLRPRequest message;
    *message.mutable_desired_lrp() = request.replace();
    message.set_reactivate(request.reactivate());
    if (request.has_expected()) *message.mutable_expected() = request.expected();
    token = PlanToken(app, PlanContent(message));
    update = ReplaceFrom(message);
  }
  if (const Status may = CheckVerdicts(may_ask, update); !may) return may.error();
  const auto definition = update->definition;
  return Planned{.decide = [update = *std::move(update)](AppEdit& edit) { return DecideUpdate(edit, update); },
                 .token = token,
                 .definition = definition};
}

// The app as it is shown, with secrets: they are compared, and redacted after that.
Result<v2::DesiredLRP> Whole(Reader& reader, const AppState& app, const std::optional<DefinitionInput>& fresh) {
  if (!app.desired) return v2::DesiredLRP();
  v2::DesiredLRP m = wire::ToMessage(app.guid, *app.desired);
  m.set_image_password(app.desired->image_password);
  const DefinitionId& active = app.desired->active;
  Result<v2::LRPDefinition> definition = v2::LRPDefinition();
  if (fresh && fresh->definition.id == active) {
    definition = wire::ToMessage(fresh->definition, fresh->run_info);
  } else {
    const auto stored = reader.ReadDefinition(app.guid, app.desired->incarnation, active);
    if (!stored) return stored.error();
    definition = wire::ToMessage(stored->definition, stored->run_info);
  }
  if (!definition) return definition.error();
  *m.mutable_definition() = *std::move(definition);
  m.clear_modification_tag();
  m.clear_incarnation();
  m.clear_active_definition();
  m.clear_healthy_definition();
  m.mutable_definition()->clear_content_hash();
  return m;
}

Result<ForecastAssumptions> Measure(Reader& reader, const AppState& app, std::size_t rolls, int steps_max) {
  std::vector<RollStep> all;
  for (std::size_t i = 0; i < std::min(app.past_rolls.size(), rolls); ++i) {
    const auto steps = reader.ReadSteps(app.past_rolls[i].id, 0, steps_max);
    if (!steps) return steps.error();
    all.insert(all.end(), steps->begin(), steps->end());
  }
  return MeasuredIn(all);
}

// What the open roll goes to takes its own times, which nobody has measured before. Until it has any: as the last roll.
Result<ForecastAssumptions> MeasureOpen(Reader& reader, const AppState& app) {
  auto own = reader.ReadSteps(app.roll->id, 0, kOwnStepsMax);
  if (!own) return own.error();
  std::erase_if(
      *own, [&](const RollStep& step) { return step.start_took > Duration(0) && step.definition != Goal(*app.roll); });
  const auto took = [&](Duration RollStep::*what) {
    return std::ranges::any_of(*own, [&](const RollStep& step) { return step.*what > Duration(0); });
  };
  if (took(&RollStep::start_took) && took(&RollStep::stop_took)) return MeasuredIn(*own);
  const auto before = Measure(reader, app, 1, kOwnStepsMax);
  return before ? Result<ForecastAssumptions>(MeasuredIn(*own, *before)) : before;
}

void FillDecision(const Forecast& forecast, v2::PlanUpdateResponse& response) {
  response.set_opens_roll(forecast.opens_roll);
  response.set_source_definition(forecast.source.str());
  response.set_target_definition(forecast.target.str());
}

void Fill(const Forecast& forecast, const ForecastAssumptions& assumptions, v2::PlanUpdateResponse& response) {
  response.set_restarts(forecast.restarts);
  for (const RollStep& step : forecast.steps) {
    v2::PlannedStep& out = *response.add_steps();
    out.set_at_ms(Millis(step.at.time_since_epoch()));
    out.set_kind(std::string(Name(step.kind)));
    out.set_index(step.index);
    out.set_definition_identifier(step.definition.str());
    out.set_text(CellsSentence(step.text));  // what an app wrote before it crashed is no part of a plan
  }
  if (forecast.takes) response.set_takes_ms(Millis(*forecast.takes));
  if (forecast.opens_roll) response.set_ends(wire::ToMessage(forecast.ends));
  response.set_start_ms(Millis(assumptions.start));
  response.set_stop_ms(Millis(assumptions.stop));
  response.set_measured(assumptions.measured);
  response.set_peak_instances(forecast.peak_instances);
  response.set_peak_memory_mb(forecast.peak_memory_mb);
  response.set_instances_now(forecast.instances_now);
  response.set_memory_now_mb(forecast.memory_now_mb);
  response.set_memory_free_mb(forecast.memory_free_mb);
  response.set_least_served(forecast.least_served);
  for (const std::string& warning : forecast.warnings) response.add_warnings(warning);
}

void AddChange(const wire::Difference& difference, v2::PlanUpdateResponse& response) {
  v2::PlannedChange& change = *response.add_changes();
  change.set_field(difference.field);
  change.set_before(difference.before);
  change.set_after(difference.after);
}

// What `planned` would do to the app, as the answer says it. `changes_only`: without a forecast.
Status FillFrom(Reader& reader, const AppRead& read, const Planned& planned, const PlanInputs& dependencies,
                bool changes_only, v2::PlanUpdateResponse& response) {
  const auto decide = [&](AppEdit& edit) {
    const Status decided = planned.decide(edit);
    return decided ? CheckLeft(dependencies.grant, dependencies.hosts, nullptr, edit) : decided;
  };
  AppState after = read.app;
  Result<ForecastAssumptions> assumptions = ForecastAssumptions();
  if (!changes_only) assumptions = Measure(reader, read.app, kRollsMeasured, kPastStepsMax);
  if (!assumptions) return assumptions.error();
  const auto forecast = changes_only ? MakeDecision(after, read.moment, decide)
                                     : MakeForecast(after, read.moment, decide, dependencies.cells, *assumptions);
  if (!forecast) return forecast.error();
  const auto whole_before = Whole(reader, read.app, std::nullopt);
  if (!whole_before) return whole_before.error();
  const auto whole_after = Whole(reader, after, planned.definition);
  if (!whole_after) return whole_after.error();
  for (const wire::Difference& difference : wire::Differences(*whole_before, *whole_after)) {
    AddChange(difference, response);
  }
  for (const OtherChange& other : OtherChanges(read.app, after)) {
    AddChange({other.name, other.before, other.after}, response);
  }
  FillDecision(*forecast, response);
  if (!changes_only) Fill(*forecast, *assumptions, response);
  if (planned.turns_roll) response.set_ends(wire::ToMessage(forecast->ends));
  response.set_plan_token(planned.token);
  return Done{};
}

// Of an app that is there.
Result<AppRead> ReadOwn(Reader& reader, const std::string& guid, const Grant& grant) {
  auto read = grant.ReadApp(reader, ProcessGuid(guid));
  if (!read) return read;
  if (const Status may = grant.MayTouch(read->app); !may) return may.error();
  return read;
}

}  // namespace

Status FillPlan(Reader& reader, const v2::PlanUpdateRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response) {
  const auto read = dependencies.grant.ReadApp(reader, ProcessGuid(request.process_guid()));
  if (!read) return read.error();
  if (!request.has_create()) {
    if (Status may = dependencies.grant.MayTouch(read->app); !may) return may;
  }
  const auto planned = PlannedBy(request, read->app, dependencies.may_ask_verdict);
  if (!planned) return planned.error();
  return FillFrom(reader, *read, *planned, dependencies, request.changes_only(), response);
}

Status FillPlan(Reader& reader, const v2::PlanRollBackRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response) {
  const auto read = ReadOwn(reader, request.process_guid(), dependencies.grant);
  if (!read) return read.error();
  std::optional<DefinitionId> id;
  if (!request.definition_identifier().empty()) id = DefinitionId(request.definition_identifier());
  const Planned planned{
      .decide = [id](AppEdit& edit) { return DecideRollBack(edit, id); }, .token = "", .definition = std::nullopt};
  return FillFrom(reader, *read, planned, dependencies, false, response);
}

Status FillPlan(Reader& reader, const v2::PlanCancelRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response) {
  const auto read = ReadOwn(reader, request.process_guid(), dependencies.grant);
  if (!read) return read.error();
  ChangeRollRequest change{.event = RollEvent::kCancel, .roll_id = std::nullopt, .reason = ""};
  if (!request.roll_id().empty()) change.roll_id = RollId(request.roll_id());
  const Planned planned{.decide = [change](AppEdit& edit) { return DecideChangeRoll(edit, change); },
                        .token = "",
                        .definition = std::nullopt,
                        .turns_roll = true};
  return FillFrom(reader, *read, planned, dependencies, false, response);
}

Status FillPlan(Reader& reader, const v2::ForecastRollRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response) {
  const auto read = dependencies.grant.ReadApp(reader, ProcessGuid(request.process_guid()));
  if (!read) return read.error();
  if (Status may = dependencies.grant.MaySee(read->app); !may) return may;
  std::optional<RollId> id;
  if (!request.roll_id().empty()) id = RollId(request.roll_id());
  const auto still = [&id](AppEdit& edit) { return CheckOpenRoll(edit, id); };
  AppState after = read->app;
  if (const auto open = MakeDecision(after, read->moment, still); !open) return open.error();
  const auto assumptions = MeasureOpen(reader, read->app);
  if (!assumptions) return assumptions.error();
  const auto forecast = MakeForecast(after, read->moment, still, dependencies.cells, *assumptions, kForecastLeftAlone);
  if (!forecast) return forecast.error();
  FillDecision(*forecast, response);
  Fill(*forecast, *assumptions, response);
  if (forecast->takes) response.set_ends(wire::ToMessage(forecast->ends));
  return Done{};
}

}  // namespace baton
