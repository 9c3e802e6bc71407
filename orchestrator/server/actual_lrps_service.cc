#include "orchestrator/server/actual_lrps_service.h"

#include "orchestrator/app/lifecycle.h"
#include "orchestrator/app/retire.h"
#include "orchestrator/server/api_call.h"
#include "orchestrator/server/call_context.h"
#include "orchestrator/server/page_stream.h"
#include "orchestrator/server/requests.h"
#include "orchestrator/wire/text.h"
#include "orchestrator/wire/values.h"

namespace baton {
namespace {

InstanceRef RefOf(const std::string& id, const v1::ActualLRPInstanceKey& key) {
  return {ActualId(id), InstanceGuid(key.instance_guid()), CellId(key.cell_id())};
}

Status CheckRef(const std::string& id, const v1::ActualLRPInstanceKey& key) {
  if (Status s = wire::CheckName("actual_id", id); !s) return s;
  if (Status s = wire::CheckName("instance_key.instance_guid", key.instance_guid()); !s) return s;
  return wire::CheckName("instance_key.cell_id", key.cell_id());
}

}  // namespace

grpc::ServerWriteReactor<v2::ListActualLRPsResponse>* ActualLrpsService::ListActualLRPs(
    grpc::CallbackServerContext* context, const v2::ListActualLRPsRequest* request) {
  ActualFilter filter{.domain = request->domain(),
                      .guid = ProcessGuid(request->process_guid()),
                      .cell = CellId(request->cell_id()),
                      .index = std::nullopt};
  if (request->has_index()) filter.index = request->index();
  for (const auto& guid : request->process_guids()) filter.guids.emplace_back(guid);
  const Status valid = wire::CheckRange("process_guids: their number", request->process_guids_size(), 0, 1000);
  const Status leading = s_.CheckLeading();
  const auto fetch = [filter, after_guid = ProcessGuid(), after_id = ActualId()](
                         Reader& reader, v2::ListActualLRPsResponse& page, bool& last) mutable -> Status {
    const auto rows = reader.ListActuals(filter, after_guid, after_id, kPageRows);
    if (!rows) return rows.error();
    for (const ActualRead& row : rows->rows) *page.add_actual_lrps() = wire::ToMessage(row.guid, row.lrp);
    AddUnreadable(rows->broken, page);
    last = rows->last;
    return Done{};
  };
  return new PageStream<v2::ListActualLRPsResponse>(*context, s_.reads, leading ? valid : leading, fetch);
}

void ActualLrpsService::Report(grpc::CallbackServerContext* context, grpc::ServerUnaryReactor* reactor,
                               const std::string& actual_id, const char* name, bool whole,
                               std::function<Status(AppEdit&)> decide, v2::ActualLRPLifecycleResponse* response) {
  if (const Status leading = s_.CheckLeading(); !leading) return Finish(*context, *reactor, leading);
  s_.reads.Run([=, this, decide = std::move(decide)](Result<Reader*> reader) {
    if (!reader) return Finish(*context, *reactor, reader.error());
    const auto guid = (*reader)->FindApp(ActualId(actual_id));
    if (!guid) return Finish(*context, *reactor, guid.error());
    Call call{.name = name, .guid = *guid};
    call.actor = ActorOf(*context);
    call.request_id = RequestIdOf(*context);
    if (!whole) call.instance = ActualId(actual_id);
    call.decide = decide;
    call.read_back = [response](const AppEdit& edit) { response->set_changed(edit.HasChanges()); };
    call.done = [context, reactor](const Status& status) { Finish(*context, *reactor, status); };
    whole ? s_.leader.roller().Do(std::move(call)) : s_.leader.roller().DoInstance(std::move(call), /*wake=*/true);
  });
}

grpc::ServerUnaryReactor* ActualLrpsService::ClaimActualLRP(grpc::CallbackServerContext* context,
                                                            const v2::ClaimActualLRPRequest* request,
                                                            v2::ActualLRPLifecycleResponse* response) {
  auto* reactor = context->DefaultReactor();
  const Status valid = CheckRef(request->actual_id(), request->instance_key());
  if (!valid) return Finish(*context, *reactor, valid), reactor;
  const InstanceRef ref = RefOf(request->actual_id(), request->instance_key());
  Report(
      context, reactor, request->actual_id(), "claim", false, [ref](AppEdit& edit) { return DecideClaim(edit, ref); },
      response);
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::StartActualLRP(grpc::CallbackServerContext* context,
                                                            const v2::StartActualLRPRequest* request,
                                                            v2::ActualLRPLifecycleResponse* response) {
  auto* reactor = context->DefaultReactor();
  Status valid = CheckRef(request->actual_id(), request->instance_key());
  if (valid) valid = CheckNetInfo(request->net_info());
  if (valid) valid = wire::CheckText("availability_zone", request->availability_zone(), 255);
  if (!valid) return Finish(*context, *reactor, valid), reactor;
  const StartReport report{RefOf(request->actual_id(), request->instance_key()), wire::NetInfoFrom(request->net_info()),
                           request->routable(), request->availability_zone()};
  Report(
      context, reactor, request->actual_id(), "start", false,
      [report](AppEdit& edit) { return DecideStart(edit, report); }, response);
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::CrashActualLRP(grpc::CallbackServerContext* context,
                                                            const v2::CrashActualLRPRequest* request,
                                                            v2::ActualLRPLifecycleResponse* response) {
  auto* reactor = context->DefaultReactor();
  const Status valid = CheckRef(request->actual_id(), request->instance_key());
  if (!valid) return Finish(*context, *reactor, valid), reactor;
  const InstanceRef ref = RefOf(request->actual_id(), request->instance_key());
  Report(
      context, reactor, request->actual_id(), "crash", true,
      [ref, reason = wire::Clean(request->crash_reason())](AppEdit& edit) { return DecideCrash(edit, ref, reason); },
      response);
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::FailActualLRP(grpc::CallbackServerContext* context,
                                                           const v2::FailActualLRPRequest* request,
                                                           v2::ActualLRPLifecycleResponse* response) {
  auto* reactor = context->DefaultReactor();
  const Status valid = wire::CheckName("actual_id", request->actual_id());
  if (!valid) return Finish(*context, *reactor, valid), reactor;
  Report(
      context, reactor, request->actual_id(), "fail", false,
      [id = ActualId(request->actual_id()), error = wire::Clean(request->placement_error())](AppEdit& edit) {
        return DecidePlacementError(edit, id, error);
      },
      response);
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::RemoveActualLRP(grpc::CallbackServerContext* context,
                                                             const v2::RemoveActualLRPRequest* request,
                                                             v2::ActualLRPLifecycleResponse* response) {
  auto* reactor = context->DefaultReactor();
  const Status valid = CheckRef(request->actual_id(), request->instance_key());
  if (!valid) return Finish(*context, *reactor, valid), reactor;
  const InstanceRef ref = RefOf(request->actual_id(), request->instance_key());
  Report(
      context, reactor, request->actual_id(), "stopped", true,
      [ref](AppEdit& edit) { return DecideStopped(edit, ref); }, response);
  return reactor;
}

grpc::ServerUnaryReactor* ActualLrpsService::RetireInstances(grpc::CallbackServerContext* context,
                                                             const v2::RetireInstancesRequest* request,
                                                             v2::RetireInstancesResponse* response) {
  auto* reactor = context->DefaultReactor();
  std::optional<DefinitionId> definition;
  if (!request->definition_identifier().empty()) definition = DefinitionId(request->definition_identifier());
  for (const Status& status :
       {s_.CheckLeading(), wire::CheckName("process_guid", request->process_guid()),
        definition ? wire::CheckName("definition_identifier", definition->str()) : Status(Done{}),
        CheckIdempotencyKey(request->idempotency_key())}) {
    if (!status) return Finish(*context, *reactor, status), reactor;
  }
  Call call =
      ApiCall(s_, *context, *reactor, "retire_instances", ProcessGuid(request->process_guid()), *request, *response);
  const auto index = request->has_index() ? std::optional<int>(request->index()) : std::nullopt;
  call.decide = [which = WhichInstances{definition, index}, response](AppEdit& edit) {
    int marked = 0;
    const Status status = DecideRetireInstances(edit, which, marked);
    response->set_instances(marked);
    return status;
  };
  s_.leader.roller().Do(std::move(call));
  return reactor;
}

}  // namespace baton
