// The service Admin: the service itself.
#include "orchestrator/server/serving/services.h"

#include <limits>
#include <memory>

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/app/leader/key_rotation.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/model/calls/actor.h"
#include "orchestrator/ports/convergence_passes.h"
#include "orchestrator/server/admin/api_usage_answer.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/serving/api_versions.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kConvergence{"convergence", "Admin/Convergence"};

void Fill(const SweepReport& report, v2::ConvergenceResponse& m) {
  for (int i = 0; i < kCategories; ++i) {
    const CategoryReport& one = report.categories.at(static_cast<std::size_t>(i));
    const CategoryInfo& info = InfoOf(static_cast<Category>(i));
    v2::ConvergenceCategory& category = *m.add_categories();
    category.set_name(std::string(info.name));
    category.set_found(one.found);
    category.set_found_total(one.found_total);
    category.set_repaired(info.repaired);
    category.mutable_examples()->Add(one.examples.begin(), one.examples.end());
    category.set_looked_at(wire::Nanos(one.looked_at));
  }
  const auto& [incremental, count, audit] = report.passes;
  m.set_incremental_at(wire::Nanos(incremental.at));
  m.set_incremental_ms(incremental.took_ms);
  m.set_count_at(wire::Nanos(count.at));
  m.set_count_ms(count.took_ms);
  m.set_audit_at(wire::Nanos(audit.at));
  m.set_audit_ms(audit.took_ms);
  m.set_failed(report.failed);
  m.set_last_failure(report.last_failure);
  for (const WaitedOut& one : report.waited_out) {
    v2::WaitedOutCell& cell = *m.add_waited_out();
    cell.set_cell_id(one.cell.str());
    cell.set_reason(one.why);
    cell.set_until(wire::Nanos(one.until));
  }
  m.set_lost_cells_percent(report.limits.cells_percent);
  m.set_lost_instances_most(report.limits.instances_max);
  m.set_wait_out_ms(Millis(report.limits.wait_out));
}

template <class Message>
void AddApis(Message& message) {
  for (const char* version : kApiVersions) message.add_api_versions(version);
}

void Fill(const DataVersions& versions, v2::VersionsResponse& m) {
  m.set_schema_version(versions.semver);
  m.set_schema_migration(versions.migration);
  m.set_schema_target(versions.target);
  m.set_postgres_version(versions.server);
  for (const Member& member : versions.members) {
    v2::Batond& batond = *m.add_batonds();
    batond.set_id(member.id);
    batond.set_address(member.address);
    batond.set_app_version(member.app_version);
    batond.set_schema_version(member.semver);
    batond.set_schema_migration(member.schema);
    AddApis(batond);  // who announces itself has both: no older program does
    batond.set_state(member.state);
    batond.set_why(member.why);
    batond.set_started_at(wire::Nanos(member.started_at));
    batond.set_seen_at(wire::Nanos(member.seen_at));
    batond.set_there(member.there);
  }
}

constexpr CallName kRotateKeys{"rotate_keys", "Admin/RotateKeys"};
constexpr double kEncryptionsMax = 4294967296.0;  // of one key

const char* NameOf(RotationState state) {
  switch (state) {
    case RotationState::kDone: return "done";
    case RotationState::kWorking: return "working";
    case RotationState::kStuck: return "stuck";
  }
  return "";
}

void Fill(const KeyRotation::Report& report, v2::KeysResponse& m) {
  for (const KeyLabel& one : report.view.labels) {
    v2::KeyLabel& label = *m.add_labels();
    label.set_label(one.label);
    label.set_known(one.known);
    label.set_active(one.active);
    label.set_stored(one.stored);
    label.set_retired(one.retired);
    label.set_encryptions(one.encryptions);
    label.set_share(static_cast<double>(one.encryptions) / kEncryptionsMax);
  }
  const RotationProgress& progress = report.view.rotation;
  v2::KeyRotation& rotation = *m.mutable_rotation();
  rotation.set_state(NameOf(progress.state));
  rotation.set_target(progress.target);
  rotation.set_rows_total(progress.rows_total);
  rotation.set_rows_done(progress.rows_done);
  rotation.set_faults(progress.faults);
  rotation.set_began_at(progress.began_at ? wire::Nanos(*progress.began_at) : 0);
  rotation.set_rows_per_s(report.rows_per_s);
  const auto left = static_cast<double>(progress.rows_total - progress.rows_done);
  const bool working = progress.state == RotationState::kWorking;
  rotation.set_seconds_left(!working ? 0 : report.rows_per_s > 0 ? left / report.rows_per_s : -1);
  rotation.set_last_error(report.last_error);
  for (const QuarantinedBlob& one : report.view.quarantine) {
    v2::QuarantinedBlob& blob = *m.add_quarantine();
    blob.set_table(one.table);
    blob.set_column(one.column);
    blob.set_key(one.key);
    blob.set_reason(one.reason);
    blob.set_found_at(wire::Nanos(one.found_at));
  }
  m.set_sealed_only(report.view.sealed_only);
  for (const BlobCount& one : report.view.counts) {
    v2::BlobCount& count = *m.add_counts();
    count.set_table(one.table);
    count.set_column(one.column);
    count.set_label(one.label);
    count.set_blobs(one.blobs);
  }
}

Status CheckFilter(const v2::ListAuditRequest& request) {
  if (Status s = wire::CheckText("process_guid", request.process_guid(), wire::kNameBytesMax); !s) return s;
  if (Status s = wire::CheckText("actor", request.actor(), kActorBytesMax); !s) return s;
  if (Status s = wire::CheckRange("most", request.most(), 0, std::numeric_limits<std::int32_t>::max()); !s) return s;
  return wire::CheckRange("since", request.since(), 0, std::numeric_limits<std::int64_t>::max());
}

void Fill(const AuditEntry& entry, v2::AuditEntry& m) {
  m.set_at(wire::Nanos(entry.at));
  const Actor actor = ReadActor(entry.actor);
  m.set_actor(actor.said);
  m.set_identity(actor.identity);
  m.set_on_behalf(actor.on_behalf);
  m.set_method(entry.method);
  m.set_process_guid(entry.guid);
  m.set_request_id(entry.request_id);
  m.set_outcome(entry.outcome);
  m.set_reason(entry.reason);
  m.mutable_changed()->Add(entry.changed.begin(), entry.changed.end());
  m.set_left_out(entry.left_out);
  m.set_subject(entry.subject);
}

class AdminService final : public v2::Admin::CallbackService {
 public:
  explicit AdminService(ServerDependencies& dependencies) : s_(dependencies) {}

  // Answers wherever it is asked, leading or not.
  grpc::ServerUnaryReactor* Ping(grpc::CallbackServerContext* context, const v2::PingRequest*,
                                 v2::PingResponse* response) override {
    const auto end = TimedEnd(s_, *context, "ping");
    response->set_available(AcceptsWrites(s_.serving.state()));
    if (const auto view = s_.who_leads(); view && view->running) {
      response->set_leader_address(view->address);
      response->set_epoch(view->epoch);
    }
    auto* reactor = context->DefaultReactor();
    return end(Done{}), reactor;
  }

  // The data's version is read from the data: it says what is, not what should be.
  grpc::ServerUnaryReactor* Versions(grpc::CallbackServerContext* context, const v2::VersionsRequest*,
                                     v2::VersionsResponse* response) override {
    auto* reactor = context->DefaultReactor();
    response->set_app_version(s_.self().app_version);
    AddApis(*response);
    if (const auto view = s_.who_leads(); view && view->running) response->set_epoch(view->epoch);
    s_.reads.Run([end = TimedEnd(s_, *context, "versions"), response](Result<Reader*> reader) {
      const auto versions = reader ? (*reader)->ReadVersions() : Result<DataVersions>(reader.error());
      if (!versions) return end(versions.error());
      Fill(*versions, *response);
      // Data of an older schema has other columns: its cells are told when it has been migrated.
      const auto cells = (*reader)->ListCells();
      for (const CellRecord& cell : cells ? *cells : std::vector<CellRecord>()) {
        v2::CellVersion& one = *response->add_cells();
        one.set_cell_id(cell.id.str());
        one.set_app_version(cell.version);
        one.set_there(cell.lease_runs);
      }
      end(Done{});
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* Status(grpc::CallbackServerContext* context, const v2::StatusRequest*,
                                   v2::StatusResponse* response) override {
    const auto end = TimedEnd(s_, *context, "status");
    const Member self = s_.self();
    response->set_id(self.id);
    response->set_address(self.address);
    response->set_state(self.state);
    response->set_why(self.why);
    response->set_app_version(self.app_version);
    response->set_schema_version(self.semver);
    response->set_schema_migration(self.schema);
    if (const auto view = s_.who_leads(); view && view->running) {
      response->set_leader(view->holder);
      response->set_leader_address(view->address);
      response->set_epoch(view->epoch);
    }
    auto* reactor = context->DefaultReactor();
    return end(Done{}), reactor;
  }

  grpc::ServerUnaryReactor* Convergence(grpc::CallbackServerContext* context, const v2::ConvergenceRequest* request,
                                        v2::ConvergenceResponse* response) override {
    auto* reactor = context->DefaultReactor();
    if (const auto may = CheckField(s_, *context, request->run(), kStartWork, "Admin/Convergence"); !may.ok()) {
      return reactor->Finish(may), reactor;
    }
    const baton::Status allowed = s_.Admit(*context, *request);
    if (!request->run()) {
      const auto end = TimedEnd(s_, *context, "convergence");
      if (allowed) Fill(s_.sweep.report(), *response);
      return end(allowed), reactor;
    }
    const OperatorCall call(s_, *context, kConvergence, "convergence");  // it repairs: who asked for that is kept
    if (!allowed) return call.End(allowed), reactor;
    auto slot = s_.convergence_runs.Take(s_.metrics);
    if (!slot) return call.End(slot.error()), reactor;
    const auto held = std::make_shared<CallSlots::Slot>(*std::move(slot));
    s_.sweep.RunNow([call, held, response](const Result<SweepReport>& report) {
      if (report) Fill(*report, *response);
      call.EndWritingDown(report ? baton::Status(Done{}) : baton::Status(report.error()));
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* Keys(grpc::CallbackServerContext* context, const v2::KeysRequest* request,
                                 v2::KeysResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, "keys");
    if (const auto allowed = s_.Admit(*context, *request); !allowed) return end(allowed), reactor;
    auto slot = s_.key_calls.Take(s_.metrics);
    if (!slot) return end(slot.error()), reactor;
    const auto held = std::make_shared<CallSlots::Slot>(*std::move(slot));
    s_.keys.Look(request->count(), [=](const Result<KeyRotation::Report>& report) {
      (void)held;
      if (!report) return end(report.error());
      Fill(*report, *response);
      end(Done{});
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* RotateKeys(grpc::CallbackServerContext* context, const v2::RotateKeysRequest* request,
                                       v2::KeysResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const OperatorCall call(s_, *context, kRotateKeys, "keys");
    if (const auto allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
    auto slot = s_.key_calls.Take(s_.metrics);
    if (!slot) return call.End(slot.error()), reactor;
    const auto held = std::make_shared<CallSlots::Slot>(*std::move(slot));
    s_.keys.Rotate([=](const Result<KeyRotation::Report>& report) {
      (void)held;
      if (!report) return call.End(report.error());
      Fill(*report, *response);
      const std::string& target = report->view.rotation.target;
      call.EndWritingDown(Done{}, target.empty() ? "" : "key " + target);
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* GetApiUsage(grpc::CallbackServerContext* context, const v2::GetApiUsageRequest* request,
                                        v2::GetApiUsageResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, "get_api_usage");
    baton::Status allowed = s_.CheckLeading();
    if (allowed) allowed = wire::CheckLimits(*request);
    if (allowed) allowed = Check(*request);
    if (!allowed) return end(allowed), reactor;
    s_.usage.Look([=](const Result<ApiUsage::Report>& report) {
      if (!report) return end(report.error());
      *response = AnswerTo(*request, *report);
      end(Done{});
    });
    return reactor;
  }

  grpc::ServerWriteReactor<v2::ListAuditResponse>* ListAudit(grpc::CallbackServerContext* context,
                                                             const v2::ListAuditRequest* request) override {
    baton::Status allowed = s_.Admit(*context, *request);
    if (allowed) allowed = CheckFilter(*request);
    const AuditFilter filter{request->process_guid(), request->actor(), FromMicros(request->since() / 1000)};
    const auto fetch = [filter, before = AuditPlace(),
                        left = request->most() == 0 ? std::numeric_limits<std::int32_t>::max() : request->most()](
                           Reader& reader, v2::ListAuditResponse& page, bool& last) mutable -> baton::Status {
      const auto entries = reader.ListAudit(filter, before, kPageRows);
      if (!entries) return entries.error();
      for (const AuditEntry& entry : entries->rows) {
        if (left-- > 0) Fill(entry, *page.add_entries());
      }
      last = entries->last || left <= 0;
      return Done{};
    };
    return new PageStream<v2::ListAuditResponse>(*context, s_, TimedCall(s_.metrics, "list_audit"), allowed, fetch);
  }

 private:
  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeAdminService(ServerDependencies& dependencies) {
  return std::make_unique<AdminService>(dependencies);
}

}  // namespace baton
