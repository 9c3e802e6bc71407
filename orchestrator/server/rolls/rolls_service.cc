// The service Rolls: how an app gets from one definition to another.
#include "orchestrator/server/serving/services.h"

#include <algorithm>

#include "baton/v2/rolls_service.grpc.pb.h"
#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/one_definition.h"
#include "orchestrator/base/errors.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/placement/egress.h"
#include "orchestrator/roll/law.h"
#include "orchestrator/roll/planner.h"
#include "orchestrator/server/apps/plan_call.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/apps/update_answer.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_write.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/rolls/roll_view.h"
#include "orchestrator/server/rolls/wait_roll.h"
#include "orchestrator/server/rolls/watch_roll.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kRollBack{"roll_back", "Rolls/RollBack"};

constexpr int kStepsShownMax = 100000;

// One of the two has to be given.
template <class Request>
Status CheckWhich(const Request& request) {
  if (!request.roll_id().empty()) return wire::CheckName("roll_id", request.roll_id());
  return wire::CheckName("process_guid", request.process_guid());
}

template <class Request>
Result<RollRead> Find(Reader& reader, const Request& request, const Grant& grant) {
  return FindRoll(reader, RollId(request.roll_id()), ProcessGuid(request.process_guid()), grant);
}

Status FillRoll(Reader& reader, const v2::GetRollRequest& request, const Grant& grant, wire::Show shown,
                v2::GetRollResponse& response) {
  const auto found = Find(reader, request, grant);
  if (!found) return found.error();
  auto view = RollView(reader, *found);
  if (!view) return view.error();
  *response.mutable_roll() = *std::move(view);
  if (request.with_steps()) {
    const auto steps = reader.ReadSteps(found->roll.id, 0, kStepsShownMax);
    if (!steps) return steps.error();
    for (const RollStep& step : *steps) *response.add_steps() = wire::ToMessage(step);
  }
  wire::Redact(response, shown);
  return Done{};
}

// The roll does not wait for these, but operators have to see them.
void AddUnenforced(const AppState& app, const std::vector<CellRecord>& cells, std::vector<Reason>& reasons) {
  for (const Unenforced& one : FindUnenforced(app, cells)) {
    reasons.push_back({.rule = rule::kUnenforced,
                       .index = one.index,
                       .text = "its cell " + one.cell.str() + " does not enforce the egress rules of " +
                               one.definition.str(),
                       .since = std::nullopt,
                       .until = std::nullopt,
                       .unblocks = "it is replaced on a cell that does; `baton domain egress " + app.desired->domain +
                                   " refuse` lets nothing new of its domain run without"});
  }
}

// What the planner says of an app as it is, with a roll or without.
void AddReasons(const AppRead& app, const std::vector<CellRecord>& cells, v2::ExplainRollResponse& response) {
  response.set_instances(app.app.desired->instances);
  for (const SlotState& slot : SlotStates(app.app, app.moment)) {
    if (!slot.served && slot.index < app.app.desired->instances) response.add_unserved(slot.index);
  }
  auto reasons = ReasonsFor(app);
  AddUnenforced(app.app, cells, reasons);
  std::ranges::stable_sort(reasons, {}, &Reason::index);
  for (const Reason& reason : reasons) *response.add_reasons() = wire::ToMessage(reason);
}

// "3 connections are left on 1 of 2 routers": why it drains still.
void AddDrains(const std::map<int, RouteLoads::Sum>& drains, v2::ExplainRollResponse& response) {
  const auto add = [&drains](v2::Reason& reason) {
    const auto found = drains.find(reason.index());
    if (reason.rule() != rule::kDraining || found == drains.end() || found->second.busy == 0) return;
    const auto& [load, routers, busy] = found->second;
    reason.set_text(reason.text() + "; " +
                    (load.sessions == 1 ? "1 connection is" : std::to_string(load.sessions) + " connections are") +
                    " left on " + std::to_string(busy) + " of " + std::to_string(routers) +
                    (routers == 1 ? " router" : " routers"));
  };
  for (v2::Reason& reason : *response.mutable_reasons()) add(reason);
  if (!response.has_roll()) return;
  for (v2::Slot& slot : *response.mutable_roll()->mutable_slots()) {
    if (slot.has_waits_for()) add(*slot.mutable_waits_for());
  }
}

// The roll does not wait for this either: half of the requests may go to the wrong app.
void AddShared(const std::vector<RouteTable::Shared>& shared, v2::ExplainRollResponse& response) {
  for (const auto& [route, others] : shared) {
    std::string names;
    for (const ProcessGuid& other : others) names += (names.empty() ? "" : ", ") + other.str();
    *response.add_reasons() = wire::ToMessage(Reason{.rule = rule::kShared,
                                                     .text = "its route " + Name(route) + " is one of " + names + ", too",
                                                     .since = std::nullopt,
                                                     .until = std::nullopt,
                                                     .unblocks = "only one of them has it, unless that is meant"});
  }
  // As the planner's own: the roll as a whole first.
  std::stable_sort(response.mutable_reasons()->begin(), response.mutable_reasons()->end(),
                   [](const v2::Reason& a, const v2::Reason& b) { return a.index() < b.index(); });
}

void AddFinished(const RollRead& found, v2::ExplainRollResponse& response) {
  *response.mutable_roll() = wire::ToMessage(found.guid, found.roll);
  v2::Reason* reason = response.add_reasons();
  reason->set_rule("roll.finished");
  reason->set_index(-1);
  reason->set_text("it is finished: " + found.roll.reason);
  reason->set_since(wire::Nanos(found.roll.finished_at));
}

Status ExplainApp(Reader& reader, const AppRead& app, v2::ExplainRollResponse& response) {
  if (app.app.roll) {
    *response.mutable_roll() = OpenRollView(app);
  } else if (const auto latest = reader.ReadLatestRoll(app.app.guid)) {
    AddFinished(*latest, response);
  } else if (latest.error().kind != ErrorKind::kNotFound) {
    return latest.error();
  }
  std::vector<CellRecord> cells;
  const auto walled = [](const auto& entry) { return Names(entry.second.needs, kEgressRules); };
  if (std::ranges::any_of(app.app.definitions, walled)) {
    auto all = reader.ListCells();
    if (!all) return all.error();
    cells = *std::move(all);
  }
  AddReasons(app, cells, response);
  return Done{};
}

Status FillExplanation(Reader& reader, const v2::ExplainRollRequest& request, const Grant& grant, v2::ExplainRollResponse& response) {
  if (request.roll_id().empty()) {
    const auto app = grant.ReadApp(reader, ProcessGuid(request.process_guid()));
    if (app && !grant.MaySee(app->app)) return NoRollOf(request.process_guid());
    if (app && app->app.desired) return ExplainApp(reader, *app, response);
    if (!app && app.error().kind != ErrorKind::kNotFound) return app.error();
  }
  const auto found = Find(reader, request, grant);
  if (!found) return found.error();
  if (IsOpen(found->roll.state)) {
    const auto app = reader.ReadApp(found->guid);
    if (!app) return app.error();
    if (app->app.desired && app->app.roll && app->app.roll->id == found->roll.id) {
      return ExplainApp(reader, *app, response);
    }
  }
  const auto again = reader.ReadRoll(found->roll.id);  // it may have been finished meanwhile
  if (!again) return again.error();
  AddFinished(*again, response);
  return Done{};
}

// Open ones first, then the finished ones, newest first.
class RollPages {
 public:
  RollPages(const v2::ListRollsRequest& request, const std::string& domain)
      : guid_(request.process_guid()), domain_(domain), with_finished_(request.with_finished()) {}

  Status Next(Reader& reader, v2::ListRollsResponse& page, bool& last) {
    return open_done_ ? Finished(reader, page, last) : Open(reader, page, last);
  }

 private:
  Status Open(Reader& reader, v2::ListRollsResponse& page, bool& last) {
    const auto rolls = reader.ListOpenRolls(domain_, after_, kPageRows);
    if (!rolls) return rolls.error();
    for (const RollRead& read : rolls->rows) {
      if (!guid_.empty() && read.guid != guid_) continue;
      const auto app = reader.ReadApp(read.guid);
      const bool open = app && app->app.desired && app->app.roll;
      *page.add_rolls() = open ? RollSummary(app->app, app->moment) : wire::ToMessage(read.guid, read.roll);
    }
    AddUnreadable(rolls->broken, page);
    open_done_ = rolls->last;
    last = open_done_ && !with_finished_;
    return Done{};
  }
  Status Finished(Reader& reader, v2::ListRollsResponse& page, bool& last) {
    const auto rolls = reader.ListFinishedRolls(guid_, domain_, before_, kPageRows);
    if (!rolls) return rolls.error();
    for (const RollRead& read : *rolls) *page.add_rolls() = wire::ToMessage(read.guid, read.roll);
    last = rolls->size() < kPageRows;
    if (!last) before_ = *rolls->back().roll.finished_at;
    return Done{};
  }

  ProcessGuid guid_;
  std::string domain_;
  bool with_finished_;
  bool open_done_ = false;
  ProcessGuid after_;
  TimePoint before_ = TimePoint(std::chrono::hours(24 * 365 * 200));
};

class ChangeRoll final : public ApiCommand<v2::ChangeRollResponse> {
 public:
  ChangeRoll(const ApiCall& call, const v2::ChangeRollRequest& request, RollEvent event,
             v2::ChangeRollResponse& response)
      : ApiCommand(call, HeaderOf(call, request.process_guid(), request), response), change_{
                                                                                         .event = event,
                                                                                         .roll_id = std::nullopt,
                                                                                         .reason = request.reason()} {
    if (!request.roll_id().empty()) change_.roll_id = RollId(request.roll_id());
  }

 private:
  // Also while schema 1.x counts: a roll that is under way since before a way back has to be led to its end.
  Status May() const override { return Done{}; }
  Status Change(AppEdit& edit) override { return DecideChangeRoll(edit, change_); }
  void Answer(const Decided& decided) override {
    response().Clear();
    if (auto roll = RollAfter(decided)) *response().mutable_roll() = *std::move(roll);
  }
  ChangeRollRequest change_;
};

class RollBackCommand final : public ApiCommand<v2::UpdateDesiredLRPResponse> {
 public:
  RollBackCommand(const ApiCall& call, const v2::RollBackRequest& request, v2::UpdateDesiredLRPResponse& response)
      : ApiCommand(call, HeaderOf(call, request.process_guid(), request), response) {
    if (!request.definition_identifier().empty()) id_ = DefinitionId(request.definition_identifier());
  }

 private:
  Status Change(AppEdit& edit) override { return DecideRollBack(edit, id_); }
  void Answer(const Decided& decided) override { FillUpdateAnswer(decided, response()); }
  std::optional<DefinitionId> id_;
};

class RollsService final : public v2::Rolls::CallbackService {
 public:
  explicit RollsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* GetRoll(grpc::CallbackServerContext* context, const v2::GetRollRequest* request,
                                    v2::GetRollResponse* response) override {
    return ReadCall(s_, *context, *request, "get_roll", CheckWhich(*request),
                    [=, shown = ShownTo(s_, *context), grant = Grant::Of(s_, *context)](Reader& reader) {
                      return FillRoll(reader, *request, grant, shown, *response);
                    });
  }

  grpc::ServerWriteReactor<v2::ListRollsResponse>* ListRolls(grpc::CallbackServerContext* context,
                                                             const v2::ListRollsRequest* request) override {
    return new PageStream<v2::ListRollsResponse>(
        *context, s_, TimedCall(s_.metrics, "list_rolls"), s_.Admit(*context, *request),
        InDomains<v2::ListRollsResponse>(
            Grant::Of(s_, *context).domains(), request->domain(), [request = *request](const std::string& domain) {
              return
                  [pages = RollPages(request, domain)](Reader& reader, v2::ListRollsResponse& page,
                                                       bool& last) mutable { return pages.Next(reader, page, last); };
            }));
  }

  grpc::ServerWriteReactor<v2::WatchRollResponse>* WatchRoll(grpc::CallbackServerContext* context,
                                                             const v2::WatchRollRequest* request) override {
    return NewWatchRoll(*context, s_, *request);
  }

  grpc::ServerUnaryReactor* WaitRoll(grpc::CallbackServerContext* context, const v2::WaitRollRequest* request,
                                     v2::WaitRollResponse* response) override {
    return NewWaitRoll(*context, s_, *request, *response);
  }

  grpc::ServerUnaryReactor* ExplainRoll(grpc::CallbackServerContext* context, const v2::ExplainRollRequest* request,
                                        v2::ExplainRollResponse* response) override {
    const auto end = TimedEnd(s_, *context, "explain_roll");
    auto* reactor = context->DefaultReactor();
    const Status admitted = s_.Admit(*context, *request);
    const Status valid = admitted ? CheckWhich(*request) : admitted;
    if (!valid) return end(valid), reactor;
    s_.reads.Run([this, end, request, response, shown = ShownTo(s_, *context),
                  grant = Grant::Of(s_, *context)](Result<Reader*> reader) {
      const Status filled = reader ? FillExplanation(**reader, *request, grant, *response) : Status(reader.error());
      wire::Redact(*response, shown);
      const std::string& named = request->process_guid();
      const ProcessGuid guid(named.empty() ? response->roll().process_guid() : named);
      if (!filled) return end(filled);
      s_.leader.routes().FactsOf(guid, [end, response](const RouteBook::Facts& facts) {
        AddDrains(facts.drains, *response);
        AddShared(facts.shared, *response);
        end(Done{});
      });
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* PauseRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                      v2::ChangeRollResponse* response) override {
    return Change(context, request, response, RollEvent::kPause, {"pause_roll", "Rolls/PauseRoll"});
  }

  grpc::ServerUnaryReactor* ResumeRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                       v2::ChangeRollResponse* response) override {
    return Change(context, request, response, RollEvent::kResume, {"resume_roll", "Rolls/ResumeRoll"});
  }

  grpc::ServerUnaryReactor* PromoteRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                        v2::ChangeRollResponse* response) override {
    return Change(context, request, response, RollEvent::kPromote, {"promote_roll", "Rolls/PromoteRoll"});
  }

  grpc::ServerUnaryReactor* RetryRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                      v2::ChangeRollResponse* response) override {
    return Change(context, request, response, RollEvent::kRetry, {"retry_roll", "Rolls/RetryRoll"});
  }

  grpc::ServerUnaryReactor* CancelRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                       v2::ChangeRollResponse* response) override {
    return Change(context, request, response, RollEvent::kCancel, {"cancel_roll", "Rolls/CancelRoll"});
  }

  grpc::ServerUnaryReactor* RollBack(grpc::CallbackServerContext* context, const v2::RollBackRequest* request,
                                     v2::UpdateDesiredLRPResponse* response) override {
    auto* reactor = context->DefaultReactor();
    if (const Status allowed = s_.Admit(*context, *request); !allowed) {
      return Refuse(s_, *context, *reactor, kRollBack, request->process_guid(), allowed);
    }
    const ApiCall call{s_, *context, *reactor, kRollBack};
    ApiWrite::Submit(std::make_unique<RollBackCommand>(call, *request, *response));
    return reactor;
  }

  grpc::ServerUnaryReactor* PlanRollBack(grpc::CallbackServerContext* context, const v2::PlanRollBackRequest* request,
                                         v2::PlanUpdateResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, "plan_roll_back");
    Status allowed = s_.Admit(*context, *request);
    if (allowed) allowed = MayWrite(s_.data(), /*in_v1=*/false);  // as RollBack is refused
    allowed ? PlanCall(s_, *context, *request, end, *response) : end(allowed);
    return reactor;
  }

  grpc::ServerUnaryReactor* PlanCancel(grpc::CallbackServerContext* context, const v2::PlanCancelRequest* request,
                                       v2::PlanUpdateResponse* response) override {
    return Plan(context, request, response, "plan_cancel");
  }

  grpc::ServerUnaryReactor* ForecastRoll(grpc::CallbackServerContext* context, const v2::ForecastRollRequest* request,
                                         v2::PlanUpdateResponse* response) override {
    return Plan(context, request, response, "forecast_roll");
  }

 private:
  template <class Request>
  grpc::ServerUnaryReactor* Plan(grpc::CallbackServerContext* context, const Request* request,
                                 v2::PlanUpdateResponse* response, const char* name) {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, name);
    const Status allowed = s_.Admit(*context, *request);
    allowed ? PlanCall(s_, *context, *request, end, *response) : end(allowed);
    return reactor;
  }

  grpc::ServerUnaryReactor* Change(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                   v2::ChangeRollResponse* response, RollEvent event, const CallName& as) {
    auto* reactor = context->DefaultReactor();
    if (const Status allowed = s_.Admit(*context, *request); !allowed) {
      return Refuse(s_, *context, *reactor, as, request->process_guid(), allowed);
    }
    const ApiCall call{s_, *context, *reactor, as};
    ApiWrite::Submit(std::make_unique<ChangeRoll>(call, *request, event, *response));
    return reactor;
  }

  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeRollsService(ServerDependencies& dependencies) {
  return std::make_unique<RollsService>(dependencies);
}

}  // namespace baton
