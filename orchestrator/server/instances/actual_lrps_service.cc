// The service ActualLRPs: instances, what is; and the lifecycle calls of Diego's kind of cells.
#include "orchestrator/server/serving/services.h"

#include <limits>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/rebalance.h"
#include "orchestrator/app/apps/retire.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_write.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/lists/listed_pages.h"
#include "orchestrator/server/instances/instance_reports.h"
#include "orchestrator/server/instances/labels.h"
#include "orchestrator/server/instances/read_output.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kRetire{"retire_instances", "ActualLRPs/RetireInstances"};
constexpr CallName kRebalance{"rebalance_instances", "ActualLRPs/RebalanceInstances"};

InstanceRef RefOf(const std::string& id, const v1::ActualLRPInstanceKey& key) {
  return {ActualId(id), InstanceGuid(key.instance_guid()), CellId(key.cell_id())};
}

// Which instance is meant.
template <class Request>
Status CheckSubject(const Request& request) {
  if (!request.has_slot()) return wire::CheckName("actual_id", request.actual_id());
  if (!request.actual_id().empty()) {
    return Error{ErrorKind::kInvalidArgument, "actual_id and slot are both given: one of them names the instance", {}};
  }
  if (Status s = wire::CheckName("slot.process_guid", request.slot().process_guid()); !s) return s;
  return wire::CheckRange("slot.index", request.slot().index(), 0, std::numeric_limits<std::int32_t>::max());
}

template <class Request>
Status CheckRef(const Request& request) {
  if (Status s = CheckSubject(request); !s) return s;
  if (Status s = wire::CheckName("instance_key.instance_guid", request.instance_key().instance_guid()); !s) return s;
  return wire::CheckName("instance_key.cell_id", request.instance_key().cell_id());
}

v2::RetiredInstance::Way WayOf(RetiredWay way) {
  switch (way) {
    case RetiredWay::kReplaced: return v2::RetiredInstance::REPLACED;
    case RetiredWay::kRollNext: return v2::RetiredInstance::ROLL_NEXT;
    case RetiredWay::kWaitsForRoll: return v2::RetiredInstance::WAITS_FOR_ROLL;
    case RetiredWay::kAfterRoll: return v2::RetiredInstance::AFTER_ROLL;
    case RetiredWay::kMadeAnew: return v2::RetiredInstance::MADE_ANEW;
    case RetiredWay::kTriedAnew: return v2::RetiredInstance::TRIED_ANEW;
  }
  return v2::RetiredInstance::WAY_UNSPECIFIED;
}

// A transaction that is tried again decides again.
void FillRetirement(const Retirement& retirement, v2::RetireInstancesResponse& response) {
  response.Clear();
  response.set_instances(static_cast<std::int32_t>(retirement.instances.size()));
  response.set_outcome(retirement.outcome);
  for (const RetiredInstance& one : retirement.instances) {
    v2::RetiredInstance& told = *response.add_retired();
    told.set_index(one.index);
    told.set_actual_id(one.id.str());
    told.set_instance_guid(one.start.str());
    told.set_definition_identifier(one.definition.str());
    told.set_way(WayOf(one.way));
  }
}

void FillRebalance(const ProcessGuid& guid, const Rebalance& rebalance, v2::RebalanceInstancesResponse& response) {
  response.Clear();
  response.set_outcome(rebalance.outcome);
  for (const MovedInstance& one : rebalance.moved) {
    v2::MovedInstance& told = *response.add_moved();
    told.set_process_guid(guid.str());
    told.set_index(one.index);
    told.set_actual_id(one.id.str());
    told.set_instance_guid(one.start.str());
    told.set_from_cell_id(one.from.str());
    told.set_to_cell_id(one.to.str());
    told.set_why(one.why);
  }
}

// The end of a call of a cell that names another one as the holder; null where it does not.
grpc::ServerUnaryReactor* OfAnotherCell(ServerDependencies& s, grpc::CallbackServerContext& context,
                                        const v1::ActualLRPInstanceKey& key, const char* method) {
  const grpc::Status may = CheckCell(s, context, key.cell_id(), method);
  if (may.ok()) return nullptr;
  auto* reactor = context.DefaultReactor();
  reactor->Finish(may);
  return reactor;
}

class RetireCommand final : public ApiCommand<v2::RetireInstancesResponse> {
 public:
  RetireCommand(const ApiCall& call, const v2::RetireInstancesRequest& request, v2::RetireInstancesResponse& response)
      : ApiCommand(call, HeaderOf(call, request.process_guid(), request), response) {
    if (!request.definition_identifier().empty()) which_.definition = DefinitionId(request.definition_identifier());
    if (request.has_index()) which_.index = request.index();
  }

 private:
  Status Change(AppEdit& edit) override {
    Retirement retirement;
    const Status status = DecideRetireInstances(edit, which_, retirement);
    FillRetirement(retirement, response());
    return status;
  }
  WhichInstances which_;
};

Status RebalanceApp(AppEdit& edit, const std::vector<CellOffer>& cells, const RebalanceWish& wish,
                    v2::RebalanceInstancesResponse& response) {
  Rebalance rebalance;
  const Status status = DecideRebalance(edit, cells, wish, rebalance);
  FillRebalance(edit.state().guid, rebalance, response);
  return status;
}

class RebalanceCommand final : public ApiCommand<v2::RebalanceInstancesResponse> {
 public:
  RebalanceCommand(const ApiCall& call, const v2::RebalanceInstancesRequest& request, std::vector<CellOffer> cells,
                   const RebalanceWish& wish, v2::RebalanceInstancesResponse& response)
      : ApiCommand(call, HeaderOf(call, request.process_guid(), request), response), cells_(std::move(cells)),
        wish_(wish) {}

 private:
  Status Change(AppEdit& edit) override { return RebalanceApp(edit, cells_, wish_, response()); }
  const std::vector<CellOffer> cells_;
  const RebalanceWish wish_;
};

class ActualLrpsService final : public v2::ActualLRPs::CallbackService {
 public:
  explicit ActualLrpsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerWriteReactor<v2::ListActualLRPsResponse>* ListActualLRPs(
      grpc::CallbackServerContext* context, const v2::ListActualLRPsRequest* request) override {
    if (const auto may = CheckCell(s_, *context, request->cell_id(), "ActualLRPs/ListActualLRPs"); !may.ok()) {
      return new RefusedStream<v2::ListActualLRPsResponse>(may);
    }
    ActualFilter filter{.domain = {},
                        .guid = ProcessGuid(request->process_guid()),
                        .cell = CellId(CellOf(s_, *context, request->cell_id())),
                        .index = std::nullopt};
    if (request->has_index()) filter.index = request->index();
    for (const auto& guid : request->process_guids()) filter.guids.emplace_back(guid);
    const Status allowed = s_.Admit(*context, *request);
    const auto pages = [this, filter, shown = ShownTo(s_, *context)](const std::string& domain) mutable {
      filter.domain = domain;
      return InstancePages(s_.kept_lists, filter, shown);
    };
    const auto fetch =
        InDomains<v2::ListActualLRPsResponse>(Grant::Of(s_, *context).domains(), request->domain(), pages);
    return new PageStream<v2::ListActualLRPsResponse>(*context, s_, TimedCall(s_.metrics, "list_actual_lrps"), allowed,
                                                      fetch);
  }

  grpc::ServerUnaryReactor* ClaimActualLRP(grpc::CallbackServerContext* context,
                                           const v2::ClaimActualLRPRequest* request,
                                           v2::ActualLRPLifecycleResponse* response) override {
    if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), ClaimReport::kKind.as.method))
      return refused;
    return Report<ClaimReport>(context, *request, response, RefOf(request->actual_id(), request->instance_key()),
                               CheckRef(*request), CallingCell::Of(s_, *context));
  }

  grpc::ServerUnaryReactor* StartActualLRP(grpc::CallbackServerContext* context,
                                           const v2::StartActualLRPRequest* request,
                                           v2::ActualLRPLifecycleResponse* response) override {
    if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), RunningReport::kKind.as.method))
      return refused;
    Status valid = CheckRef(*request);
    if (valid) valid = CheckNetInfo(request->net_info());
    auto place = s_.gate ? s_.gate->PlaceOf(*context) : std::nullopt;
    if (place) place->ports = s_.leader.cells().PortsOf(CellId(request->instance_key().cell_id()));
    if (valid && place) valid = CheckPlace(*place, wire::NetInfoFrom(request->net_info()));
    if (valid) valid = wire::CheckText("availability_zone", request->availability_zone(), 255);
    auto labels = LabelsFrom(*request);
    if (valid && !labels) valid = labels.error();
    StartReport report{.ref = RefOf(request->actual_id(), request->instance_key()), .net_info = {}, .zone = {}};
    if (valid) {
      report.net_info = wire::NetInfoFrom(request->net_info());
      report.routable = request->routable();
      report.zone = wire::ShortWord(request->availability_zone());
      report.labels = *std::move(labels);
    }
    return Report<RunningReport>(context, *request, response, report.ref, valid, report, CallingCell::Of(s_, *context));
  }

  grpc::ServerUnaryReactor* CrashActualLRP(grpc::CallbackServerContext* context,
                                           const v2::CrashActualLRPRequest* request,
                                           v2::ActualLRPLifecycleResponse* response) override {
    if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), CrashReport::kKind.as.method))
      return refused;
    return Report<CrashReport>(context, *request, response, RefOf(request->actual_id(), request->instance_key()),
                               CheckRef(*request), wire::Clean(request->crash_reason()));
  }

  grpc::ServerUnaryReactor* FailActualLRP(grpc::CallbackServerContext* context, const v2::FailActualLRPRequest* request,
                                          v2::ActualLRPLifecycleResponse* response) override {
    return Report<FailReport>(context, *request, response, RefOf(request->actual_id(), {}), CheckSubject(*request),
                              wire::Clean(request->placement_error()), CallingCell::Of(s_, *context));
  }

  grpc::ServerUnaryReactor* RemoveActualLRP(grpc::CallbackServerContext* context,
                                            const v2::RemoveActualLRPRequest* request,
                                            v2::ActualLRPLifecycleResponse* response) override {
    if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), StoppedReport::kKind.as.method))
      return refused;
    const bool anybody = request->has_slot() && !request->has_instance_key();
    if (const auto may = CheckField(s_, *context, anybody, kRemoveUnnamed, StoppedReport::kKind.as.method); !may.ok()) {
      auto* reactor = context->DefaultReactor();
      return reactor->Finish(may), reactor;
    }
    Status valid = anybody ? CheckSubject(*request) : CheckRef(*request);
    if (valid && request->only_leaving() && (anybody || !request->has_slot())) {
      valid = Error{ErrorKind::kInvalidArgument, "only_leaving is taken together with slot and instance_key", {}};
    }
    return Report<StoppedReport>(context, *request, response, RefOf(request->actual_id(), request->instance_key()),
                                 valid, request->only_leaving());
  }

  grpc::ServerUnaryReactor* EvacuateActualLRP(grpc::CallbackServerContext* context,
                                              const v2::EvacuateActualLRPRequest* request,
                                              v2::EvacuateActualLRPResponse* response) override {
    if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), EvacuationReport::kKind.as.method))
      return refused;
    v2::RemoveActualLRPRequest named;
    *named.mutable_slot() = request->slot();
    *named.mutable_instance_key() = request->instance_key();
    return Report<EvacuationReport>(context, named, response, RefOf({}, request->instance_key()), CheckRef(named));
  }

  grpc::ServerUnaryReactor* RetireInstances(grpc::CallbackServerContext* context,
                                            const v2::RetireInstancesRequest* request,
                                            v2::RetireInstancesResponse* response) override {
    auto* reactor = context->DefaultReactor();
    if (const Status allowed = s_.Admit(*context, *request); !allowed) {
      return Refuse(s_, *context, *reactor, kRetire, request->process_guid(), allowed);
    }
    const ApiCall call{s_, *context, *reactor, kRetire};
    ApiWrite::Submit(std::make_unique<RetireCommand>(call, *request, *response));
    return reactor;
  }

  grpc::ServerUnaryReactor* RebalanceInstances(grpc::CallbackServerContext* context,
                                               const v2::RebalanceInstancesRequest* request,
                                               v2::RebalanceInstancesResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const RebalanceWish wish{request->dry_run(), request->most() > 0 ? request->most() : kMovesMax};
    if (const Status allowed = s_.Admit(*context, *request); !allowed) {
      if (wish.dry_run) return TimedEnd(s_, *context, kRebalance.name)(allowed), reactor;
      return Refuse(s_, *context, *reactor, kRebalance, request->process_guid(), allowed);
    }
    const ProcessGuid guid(request->process_guid());
    const auto end = TimedEnd(s_, *context, kRebalance.name);
    const Grant grant = Grant::Of(s_, *context);
    s_.leader.cells().AllOffers(guid, [=, this](std::vector<CellOffer> cells) {
      if (wish.dry_run) {
        s_.reads.Run([=](Result<Reader*> reader) {
          if (!reader) return end(reader.error());
          auto read = grant.ReadApp(**reader, guid);
          if (!read) return end(read.error());
          if (Status may = grant.MayTouch(read->app); !may) return end(may);
          AppEdit edit(read->app, read->moment, "nobody");
          end(RebalanceApp(edit, cells, wish, *response));
        });
        return;
      }
      const ApiCall call{s_, *context, *reactor, kRebalance};
      ApiWrite::Submit(std::make_unique<RebalanceCommand>(call, *request, cells, wish, *response));
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* ReadOutput(grpc::CallbackServerContext* context, const v2::ReadOutputRequest* request,
                                       v2::ReadOutputResponse* response) override {
    return baton::ReadOutput(s_, context, request, response);
  }

 private:
  // `args`: of the command, beside what each has. `valid`: what is wrong with the request beside its limits.
  template <class Command, class Request, class Response, class... Args>
  grpc::ServerUnaryReactor* Report(grpc::CallbackServerContext* context, const Request& request, Response* response,
                                   const InstanceRef& ref, const Status& valid, const Args&... args) {
    constexpr ReportKind kKind = Command::kKind;
    auto* reactor = context->DefaultReactor();
    const ReportCall call(s_, *context, kKind.as, request.slot().process_guid(),
                          request.has_slot() ? "" : "instance " + request.actual_id());
    for (const Status& status : {s_.Admit(*context, request), valid}) {
      if (!status) return call.End(status), reactor;
    }
    ReportParts parts{.header = call.Header(), .call = call, .ref = ref, .slot = std::nullopt};
    parts.header.name = kKind.as.name;
    Roller& roller = s_.leader.roller();
    if (request.has_slot()) {
      parts.header.guid = ProcessGuid(request.slot().process_guid());
      parts.slot = SlotRef{request.slot().index(), ref.instance_guid, ref.cell_id};
      roller.Do(std::make_unique<Command>(std::move(parts), *response, args...));
      return reactor;
    }
    if (!kKind.whole) parts.header.instance = ref.id;
    parts.header.with_definition = kKind.with_definition;
    s_.reads.Run([=, &roller, parts = std::move(parts)](Result<Reader*> reader) mutable {
      if (!reader) return parts.call.End(reader.error());
      const auto guid = (*reader)->FindApp(parts.ref.id);
      if (!guid) return parts.call.End(guid.error());
      parts.header.guid = *guid;
      auto report = std::make_unique<Command>(std::move(parts), *response, args...);
      kKind.whole ? roller.Do(std::move(report)) : roller.DoInstance(std::move(report), /*wake=*/true);
    });
    return reactor;
  }

  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeActualLrpsService(ServerDependencies& dependencies) {
  return std::make_unique<ActualLrpsService>(dependencies);
}

}  // namespace baton
