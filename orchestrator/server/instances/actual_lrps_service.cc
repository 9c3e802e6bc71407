#include "orchestrator/server/instances/actual_lrps_service.h"

#include <limits>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/rebalance.h"
#include "orchestrator/app/apps/retire.h"
#include "orchestrator/app/apps/slot.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_write.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/cells/calling_cell.h"
#include "orchestrator/server/instances/labels.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kRetire{"retire_instances", "ActualLRPs/RetireInstances"};
constexpr CallName kRebalance{"rebalance_instances", "ActualLRPs/RebalanceInstances"};

InstanceRef RefOf(const std::string& id, const v1::ActualLRPInstanceKey& key) {
  return {ActualId(id), InstanceGuid(key.instance_guid()), CellId(key.cell_id())};
}

baton::SlotRef SlotOf(const v2::SlotRef& slot, const v1::ActualLRPInstanceKey& key) {
  return {slot.index(), InstanceGuid(key.instance_guid()), CellId(key.cell_id())};
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

std::function<void(bool)> Changed(v2::ActualLRPLifecycleResponse& response) {
  return [&response](bool changed) { response.set_changed(changed); };
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

// Of who knows the slot alone: found, then decided as for everybody.
template <class Find, class Decide>
std::function<Status(AppEdit&)> InSlot(const baton::SlotRef& slot, Find find, Decide decide) {
  return [slot, find, decide](AppEdit& edit) -> Status {
    const auto id = find(edit.state(), slot);
    if (!id) return id.error();
    return decide(edit, InstanceRef{*id, slot.instance_guid, slot.cell_id});
  };
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

}  // namespace

// What a cell says of an instance, on its way to the rows.
class ActualLrpsService::InstanceReport final : public AppCommand {
 public:
  InstanceReport(CommandHeader header, Said said, bool in_slot, std::function<void(const Status&)> end)
      : AppCommand(std::move(header)), said_(std::move(said)), in_slot_(in_slot), end_(std::move(end)) {}
  Status Decide(AppEdit& edit) override { return in_slot_ ? said_.by_slot(edit) : said_.by_id(edit); }
  void Answer(const Decided& decided) override { said_.answer(decided.changed); }
  void End(const Status& status) override { end_(status); }

 private:
  const Said said_;
  const bool in_slot_;
  const std::function<void(const Status&)> end_;
};

grpc::ServerWriteReactor<v2::ListActualLRPsResponse>* ActualLrpsService::ListActualLRPs(
    grpc::CallbackServerContext* context, const v2::ListActualLRPsRequest* request) {
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
  const auto pages = [filter](const std::string& domain) mutable {
    filter.domain = domain;
    return [filter, after_guid = ProcessGuid(), after_id = ActualId()](Reader& reader, v2::ListActualLRPsResponse& page,
                                                                       bool& last) mutable -> Status {
      const auto rows = reader.ListActuals(filter, after_guid, after_id, kPageRows);
      if (!rows) return rows.error();
      for (const ActualRead& row : rows->rows) wire::Fill(row.guid, row.lrp, *page.add_actual_lrps());
      AddUnreadable(rows->broken, page);
      last = rows->last;
      return Done{};
    };
  };
  const auto fetch = InDomains<v2::ListActualLRPsResponse>(Grant::Of(s_, *context).domains(), request->domain(), pages);
  return new PageStream<v2::ListActualLRPsResponse>(*context, s_, TimedCall(s_.metrics, "list_actual_lrps"), allowed,
                                                    fetch);
}

template <class Request>
grpc::ServerUnaryReactor* ActualLrpsService::Report(grpc::CallbackServerContext* context, const Request& request,
                                                    const Status& valid, Said said) {
  auto* reactor = context->DefaultReactor();
  // A cell and an auctioneer say what is so. An admin who says it wishes something of the instance, and that is kept.
  const auto caller = s_.gate ? s_.gate->CallerOf(*context) : std::nullopt;
  const bool kept = caller && caller->role == Role::kAdmin;
  const AuditEntry asked{.actor = ActorOf(s_, *context),
                         .method = AskedAs(*context, said.as.method),
                         .guid = request.slot().process_guid(),
                         .request_id = RequestIdOf(*context),
                         .subject = request.has_slot() ? "" : SubjectOf("instance " + request.actual_id())};
  const auto end = [this, kept, asked, timed = TimedEnd(s_, *context, said.as.name)](const Status& status) {
    if (kept && !status) NoteRefusal(s_, asked, status.error());
    timed(status);
  };
  for (const Status& status : {s_.Admit(*context, request), valid}) {
    if (!status) return end(status), reactor;
  }
  CommandHeader header{.name = said.as.name, .actor = asked.actor, .request_id = asked.request_id};
  if (kept) header.audited_as = asked.method;
  Roller& roller = s_.leader.roller();
  if (request.has_slot()) {
    header.guid = ProcessGuid(request.slot().process_guid());
    roller.Do(std::make_unique<InstanceReport>(std::move(header), std::move(said), /*in_slot=*/true, end));
    return reactor;
  }
  if (!said.whole) header.instance = ActualId(request.actual_id());
  header.with_definition = header.name == "start";
  s_.reads.Run(
      [=, &roller, id = ActualId(request.actual_id()), said = std::move(said)](Result<Reader*> reader) mutable {
        if (!reader) return end(reader.error());
        const auto guid = (*reader)->FindApp(id);
        if (!guid) return end(guid.error());
        header.guid = *guid;
        const bool whole = said.whole;
        auto report = std::make_unique<InstanceReport>(std::move(header), std::move(said), /*in_slot=*/false, end);
        whole ? roller.Do(std::move(report)) : roller.DoInstance(std::move(report), /*wake=*/true);
      });
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::ClaimActualLRP(grpc::CallbackServerContext* context,
                                                            const v2::ClaimActualLRPRequest* request,
                                                            v2::ActualLRPLifecycleResponse* response) {
  if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), "ActualLRPs/ClaimActualLRP")) return refused;
  const auto claim = [cell = CallingCell::Of(s_, *context)](AppEdit& edit, const InstanceRef& ref) {
    const Status may = cell ? cell->MayClaim(edit.state(), ref.id, ref.instance_guid) : Status(Done{});
    return may ? DecideClaim(edit, ref) : may;
  };
  return Report(context, *request, CheckRef(*request),
                {{"claim", "ActualLRPs/ClaimActualLRP"}, false,
                 [claim, ref = RefOf(request->actual_id(), request->instance_key())](AppEdit& edit) { return claim(edit, ref); },
                 InSlot(SlotOf(request->slot(), request->instance_key()), FindToClaim, claim), Changed(*response)});
}

grpc::ServerUnaryReactor* ActualLrpsService::StartActualLRP(grpc::CallbackServerContext* context,
                                                            const v2::StartActualLRPRequest* request,
                                                            v2::ActualLRPLifecycleResponse* response) {
  if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), "ActualLRPs/StartActualLRP")) return refused;
  Status valid = CheckRef(*request);
  if (valid) valid = CheckNetInfo(request->net_info());
  auto place = s_.gate ? s_.gate->PlaceOf(*context) : std::nullopt;
  if (place) place->ports = s_.leader.cells().PortsOf(CellId(request->instance_key().cell_id()));
  if (valid && place) valid = CheckPlace(*place, wire::NetInfoFrom(request->net_info()));
  if (valid) valid = wire::CheckText("availability_zone", request->availability_zone(), 255);
  auto labels = LabelsFrom(*request);
  if (valid && !labels) valid = labels.error();
  if (!valid) return Report(context, *request, valid, {{"start", "ActualLRPs/StartActualLRP"}, false, {}, {}, Changed(*response)});
  const StartReport report{RefOf(request->actual_id(), request->instance_key()), wire::NetInfoFrom(request->net_info()),
                           request->routable(), wire::ShortWord(request->availability_zone()), *std::move(labels)};
  return Report(context, *request, valid,
                {{"start", "ActualLRPs/StartActualLRP"}, false, [report](AppEdit& edit) { return DecideStart(edit, report); },
                 [report, slot = SlotOf(request->slot(), request->instance_key()), cell = CallingCell::Of(s_, *context)](AppEdit& edit) {
                   const auto id = FindToStart(edit.state(), slot);  // what it has not claimed is claimed with it
                   const Status may = cell && id ? cell->MayClaim(edit.state(), *id, slot.instance_guid) : Status(Done{});
                   return may ? DecideStartInSlot(edit, slot, report) : may;
                 },
                 Changed(*response)});
}

grpc::ServerUnaryReactor* ActualLrpsService::CrashActualLRP(grpc::CallbackServerContext* context,
                                                            const v2::CrashActualLRPRequest* request,
                                                            v2::ActualLRPLifecycleResponse* response) {
  if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), "ActualLRPs/CrashActualLRP")) return refused;
  const auto decide = [reason = wire::Clean(request->crash_reason())](AppEdit& edit, const InstanceRef& ref) {
    return DecideCrash(edit, ref, reason);
  };
  return Report(context, *request, CheckRef(*request),
                {{"crash", "ActualLRPs/CrashActualLRP"}, true,
                 [decide, ref = RefOf(request->actual_id(), request->instance_key())](AppEdit& edit) {
                   return decide(edit, ref);
                 },
                 InSlot(SlotOf(request->slot(), request->instance_key()), FindToCrash, decide), Changed(*response)});
}

grpc::ServerUnaryReactor* ActualLrpsService::FailActualLRP(grpc::CallbackServerContext* context,
                                                           const v2::FailActualLRPRequest* request,
                                                           v2::ActualLRPLifecycleResponse* response) {
  const auto decide = [error = wire::Clean(request->placement_error()), cell = CallingCell::Of(s_, *context)](AppEdit& edit,
                                                                                                          const InstanceRef& ref) {
    const Status may = cell ? cell->MayReject(edit.state(), ref.id) : Status(Done{});
    return may ? DecidePlacementError(edit, ref.id, error) : may;
  };
  return Report(context, *request, CheckSubject(*request),
                {{"fail", "ActualLRPs/FailActualLRP"}, false,
                 [decide, ref = RefOf(request->actual_id(), {})](AppEdit& edit) { return decide(edit, ref); },
                 InSlot(SlotOf(request->slot(), {}), FindToFail, decide), Changed(*response)});
}

grpc::ServerUnaryReactor* ActualLrpsService::RemoveActualLRP(grpc::CallbackServerContext* context,
                                                             const v2::RemoveActualLRPRequest* request,
                                                             v2::ActualLRPLifecycleResponse* response) {
  if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), "ActualLRPs/RemoveActualLRP")) return refused;
  const bool anybody = request->has_slot() && !request->has_instance_key();
  if (const auto may = CheckField(s_, *context, anybody, kRemoveUnnamed, "ActualLRPs/RemoveActualLRP"); !may.ok()) {
    auto* reactor = context->DefaultReactor();
    return reactor->Finish(may), reactor;
  }
  Status valid = anybody ? CheckSubject(*request) : CheckRef(*request);
  if (valid && request->only_leaving() && (anybody || !request->has_slot())) {
    valid = Error{ErrorKind::kInvalidArgument, "only_leaving is taken together with slot and instance_key", {}};
  }
  return Report(context, *request, valid,
                {{"stopped", "ActualLRPs/RemoveActualLRP"}, true,
                 [ref = RefOf(request->actual_id(), request->instance_key())](AppEdit& edit) {
                   return DecideStopped(edit, ref);
                 },
                 [slot = SlotOf(request->slot(), request->instance_key()), request](AppEdit& edit) {
                   return DecideRemoveFromSlot(edit, slot, request->only_leaving());
                 },
                 Changed(*response)});
}

grpc::ServerUnaryReactor* ActualLrpsService::EvacuateActualLRP(grpc::CallbackServerContext* context,
                                                               const v2::EvacuateActualLRPRequest* request,
                                                               v2::EvacuateActualLRPResponse* response) {
  if (auto* refused = OfAnotherCell(s_, *context, request->instance_key(), "ActualLRPs/EvacuateActualLRP")) return refused;
  v2::RemoveActualLRPRequest named;
  *named.mutable_slot() = request->slot();
  *named.mutable_instance_key() = request->instance_key();
  return Report(context, named, CheckRef(named),
                {{"evacuate", "ActualLRPs/EvacuateActualLRP"}, true, {},
                 [slot = SlotOf(request->slot(), request->instance_key()), response](AppEdit& edit) {
                   bool keep = false;
                   const Status status = DecideEvacuateSlot(edit, slot, keep);
                   response->set_keep_container(keep);
                   return status;
                 },
                 [](bool) {}});
}

grpc::ServerUnaryReactor* ActualLrpsService::RetireInstances(grpc::CallbackServerContext* context,
                                                             const v2::RetireInstancesRequest* request,
                                                             v2::RetireInstancesResponse* response) {
  auto* reactor = context->DefaultReactor();
  if (const Status allowed = s_.Admit(*context, *request); !allowed) {
    return Refuse(s_, *context, *reactor, kRetire, request->process_guid(), allowed);
  }
  const ApiCall call{s_, *context, *reactor, kRetire};
  ApiWrite::Submit(std::make_unique<RetireCommand>(call, *request, *response));
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::RebalanceInstances(grpc::CallbackServerContext* context,
                                                                const v2::RebalanceInstancesRequest* request,
                                                                v2::RebalanceInstancesResponse* response) {
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

}  // namespace baton
