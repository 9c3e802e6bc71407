#include "orchestrator/server/instances/instance_reports.h"

#include "orchestrator/base/check.h"

namespace baton {
namespace {

bool IsAdmins(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context) {
  const auto caller = dependencies.gate ? dependencies.gate->CallerOf(context) : std::nullopt;
  return caller && caller->role == Role::kAdmin;
}

}  // namespace

ReportCall::ReportCall(ServerDependencies& dependencies, grpc::CallbackServerContext& context, const CallName& as,
                       const std::string& guid, const std::string& subject)
    : s_(&dependencies), context_(&context), reactor_(context.DefaultReactor()), timed_(dependencies.metrics, as.name),
      kept_(IsAdmins(dependencies, context)), asked_{.actor = ActorOf(dependencies, context),
                                                     .method = AskedAs(context, as.method),
                                                     .guid = guid,
                                                     .request_id = RequestIdOf(context),
                                                     .subject = SubjectOf(subject)} {}

CommandHeader ReportCall::Header() const {
  CommandHeader header{.actor = asked_.actor, .request_id = asked_.request_id};
  if (kept_) header.audited_as = asked_.method;
  return header;
}

void ReportCall::End(const Status& status) const {
  if (kept_ && !status) NoteRefusal(*s_, asked_, status.error());
  timed_.End(status);
  Finish(*context_, *reactor_, status);
}

Result<InstanceRef> InstanceReport::Found(const AppState& app,
                                          Result<ActualId> (*find)(const AppState&, const SlotRef&)) const {
  if (!slot_) return ref_;
  const auto id = find(app, *slot_);
  if (!id) return id.error();
  return InstanceRef{*id, slot_->instance_guid, slot_->cell_id};
}

Status ClaimReport::Decide(AppEdit& edit) {
  const auto found = Found(edit.state(), FindToClaim);
  if (!found) return found.error();
  const Status may = cell_ ? cell_->MayClaim(edit.state(), found->id, found->instance_guid) : Status(Done{});
  return may ? DecideClaim(edit, *found) : may;
}

Status RunningReport::Decide(AppEdit& edit) {
  if (!slot()) return DecideStart(edit, report_);
  const auto id = FindToStart(edit.state(), *slot());  // what it has not claimed is claimed with it
  const Status may = cell_ && id ? cell_->MayClaim(edit.state(), *id, slot()->instance_guid) : Status(Done{});
  return may ? DecideStartInSlot(edit, *slot(), report_) : may;
}

Status CrashReport::Decide(AppEdit& edit) {
  const auto found = Found(edit.state(), FindToCrash);
  return found ? DecideCrash(edit, *found, reason_) : found.error();
}

Status FailReport::Decide(AppEdit& edit) {
  const auto found = Found(edit.state(), FindToFail);
  if (!found) return found.error();
  const Status may = cell_ ? cell_->MayReject(edit.state(), found->id) : Status(Done{});
  return may ? DecidePlacementError(edit, found->id, error_) : may;
}

Status StoppedReport::Decide(AppEdit& edit) {
  return slot() ? DecideRemoveFromSlot(edit, *slot(), only_leaving_) : DecideStopped(edit, ref());
}

Status EvacuationReport::Decide(AppEdit& edit) {
  CHECK(slot());  // its request has nothing else
  bool keep = false;
  const Status status = DecideEvacuateSlot(edit, *slot(), keep);
  response_.set_keep_container(keep);
  return status;
}

}  // namespace baton
