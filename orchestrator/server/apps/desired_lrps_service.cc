// The service DesiredLRPs: apps, what is wanted.
#include "orchestrator/server/serving/services.h"

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/apps/plan_call.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/apps/update_answer.h"
#include "orchestrator/server/apps/verdict_hosts.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_write.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/cells/calling_cell.h"
#include "orchestrator/server/lists/listed_pages.h"
#include "orchestrator/server/rolls/roll_view.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/messages/strategy.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kDesire{"desire_lrp", "DesiredLRPs/DesireLRP"};
constexpr CallName kUpdate{"update_desired_lrp", "DesiredLRPs/UpdateDesiredLRP"};
constexpr CallName kReplace{"replace_desired_lrp", "DesiredLRPs/ReplaceDesiredLRP"};
constexpr CallName kRemove{"remove_desired_lrp", "DesiredLRPs/RemoveDesiredLRP"};

DesiredFilter FilterFrom(const v2::ListDesiredLRPsRequest& request) {
  DesiredFilter filter{.domain = request.domain(), .guids = {}};
  for (const auto& guid : request.process_guids()) filter.guids.emplace_back(guid);
  return filter;
}

// Secrets of several apps: which ones the request says.
Revealed RevealedBy(const v2::ListDesiredLRPsRequest& request, const char* method) {
  if (request.process_guids_size() == 1) return {method, request.process_guids(0)};
  const std::string domain = request.domain().empty() ? "" : "domain " + request.domain();
  if (request.process_guids().empty()) return {method, "", domain.empty() ? "all apps" : domain};
  return {method, "", std::to_string(request.process_guids_size()) + " apps"};
}

Error NotDesired(const ProcessGuid& guid) {
  return {ErrorKind::kNotFound, "process_guid " + guid.str() + " is not desired", {}};
}

// The first of the two that failed.
Status Both(Status first, Status second) { return first ? second : first; }

class DesireApp final : public ApiCommand<v2::DesireLRPResponse> {
 public:
  DesireApp(const ApiCall& call, CommandHeader header, DesireRequest desire, v2::DesireLRPResponse& response)
      : ApiCommand(call, std::move(header), response), desire_(std::move(desire)) {}

 private:
  bool MakesTheApp() const override { return true; }
  Status Change(AppEdit& edit) override { return DecideDesire(edit, desire_); }
  void Answer(const Decided& decided) override {
    response().Clear();
    *response().mutable_desired_lrp() = AppView(decided.state);
    if (auto roll = RollAfter(decided)) *response().mutable_roll() = *std::move(roll);
  }
  const DesireRequest desire_;
};

// Also one that replaces all of the wish.
class UpdateApp final : public ApiCommand<v2::UpdateDesiredLRPResponse> {
 public:
  UpdateApp(const ApiCall& call, CommandHeader header, UpdateRequest update, v2::UpdateDesiredLRPResponse& response)
      : ApiCommand(call, std::move(header), response), update_(std::move(update)) {}

 private:
  Status Change(AppEdit& edit) override { return DecideUpdate(edit, update_); }
  void Answer(const Decided& decided) override { FillUpdateAnswer(decided, response()); }
  const UpdateRequest update_;
};

class RemoveApp final : public ApiCommand<v2::RemoveDesiredLRPResponse> {
 public:
  using ApiCommand::ApiCommand;

 private:
  Status Change(AppEdit& edit) override { return DecideRemove(edit); }
};

class DesiredLrpsService final : public v2::DesiredLRPs::CallbackService {
 public:
  explicit DesiredLrpsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* DesireLRP(grpc::CallbackServerContext* context, const v2::DesireLRPRequest* request,
                                      v2::DesireLRPResponse* response) override {
    auto* reactor = context->DefaultReactor();
    if (const auto may = CheckDomain(s_, *context, request->desired_lrp().domain(), kDesire.method); !may.ok()) {
      return reactor->Finish(may), reactor;
    }
    auto desire = DesireFrom(*request);
    const Status allowed = Both(s_.Admit(*context), CheckVerdicts(s_.may_ask_verdict, desire));
    if (!allowed) return Refuse(s_, *context, *reactor, kDesire, request->desired_lrp().process_guid(), allowed);
    const ApiCall call{s_, *context, *reactor, kDesire};
    CommandHeader header = Mending(HeaderOf(call, request->desired_lrp().process_guid(), *request));
    ApiWrite::Submit(std::make_unique<DesireApp>(call, std::move(header), *std::move(desire), *response));
    return reactor;
  }

  grpc::ServerUnaryReactor* UpdateDesiredLRP(grpc::CallbackServerContext* context,
                                             const v2::UpdateDesiredLRPRequest* request,
                                             v2::UpdateDesiredLRPResponse* response) override {
    auto* reactor = context->DefaultReactor();
    auto update = UpdateFrom(*request);
    const Status allowed = Both(s_.Admit(*context), CheckVerdicts(s_.may_ask_verdict, update));
    if (!allowed) return Refuse(s_, *context, *reactor, kUpdate, request->process_guid(), allowed);
    update->data = s_.data();
    const ApiCall call{s_, *context, *reactor, kUpdate};
    CommandHeader header = HeaderOf(call, request->process_guid(), *request);
    ApiWrite::Submit(std::make_unique<UpdateApp>(call, std::move(header), *std::move(update), *response));
    return reactor;
  }

  grpc::ServerUnaryReactor* PlanUpdate(grpc::CallbackServerContext* context, const v2::PlanUpdateRequest* request,
                                       v2::PlanUpdateResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, "plan_update");
    const Status allowed = s_.Admit(*context, *request);
    if (!allowed) return end(allowed), reactor;
    if (request->has_create()) {
      const auto may = CheckDomain(s_, *context, request->create().domain(), "DesiredLRPs/PlanUpdate");
      if (!may.ok()) return reactor->Finish(may), reactor;
    }
    PlanCall(s_, *context, *request, end, *response, !request->changes_only());
    return reactor;
  }

  grpc::ServerUnaryReactor* ReplaceDesiredLRP(grpc::CallbackServerContext* context,
                                              const v2::ReplaceDesiredLRPRequest* request,
                                              v2::UpdateDesiredLRPResponse* response) override {
    auto* reactor = context->DefaultReactor();
    auto update = ReplaceFrom(*request);
    const Status allowed = Both(s_.Admit(*context), CheckVerdicts(s_.may_ask_verdict, update));
    if (!allowed) return Refuse(s_, *context, *reactor, kReplace, request->desired_lrp().process_guid(), allowed);
    const ApiCall call{s_, *context, *reactor, kReplace};
    CommandHeader header = Mending(HeaderOf(call, request->desired_lrp().process_guid(), *request));
    ApiWrite::Submit(std::make_unique<UpdateApp>(call, std::move(header), *std::move(update), *response));
    return reactor;
  }

  grpc::ServerUnaryReactor* RemoveDesiredLRP(grpc::CallbackServerContext* context,
                                             const v2::RemoveDesiredLRPRequest* request,
                                             v2::RemoveDesiredLRPResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const Status allowed = s_.Admit(*context, *request);
    if (!allowed) return Refuse(s_, *context, *reactor, kRemove, request->process_guid(), allowed);
    const ApiCall call{s_, *context, *reactor, kRemove};
    CommandHeader header = Mending(HeaderOf(call, request->process_guid(), *request));
    ApiWrite::Submit(std::make_unique<RemoveApp>(call, std::move(header), *response));
    return reactor;
  }

  grpc::ServerUnaryReactor* GetDesiredLRP(grpc::CallbackServerContext* context, const v2::GetDesiredLRPRequest* request,
                                          v2::GetDesiredLRPResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const Secrets secrets = SecretsFor(s_, *context, request->reveal_secrets(), "DesiredLRPs/GetDesiredLRP");
    if (!secrets.may.ok()) return reactor->Finish(secrets.may), reactor;
    const auto end = TimedEnd(s_, *context, "get_desired_lrp");
    const Status allowed = s_.Admit(*context, *request);
    if (!allowed) return end(allowed), reactor;
    const ProcessGuid guid(request->process_guid());
    const auto get = [this, context, end, guid, response, shown = secrets.shown, grant = Grant::Of(s_, *context)] {
      s_.reads.Get(guid, [=, this](const Result<DesiredRead>& read) {
        if (read && !grant.MaySee(read->desired.domain)) return end(NotDesired(guid));
        const Status filled = read ? FillApp(*read, *response->mutable_desired_lrp()) : Status(read.error());
        wire::Redact(*response, shown);
        if (filled && shown == wire::Show::kAll) NoteReveal(s_, *context, {"DesiredLRPs/GetDesiredLRP", guid.str()});
        Tell(grant, s_.reads, guid, filled, end);
      });
    };
    const auto cell = CallingCell::Of(s_, *context);
    if (!cell) return get(), reactor;
    // With the secrets: to whom the app was given, and to nobody else.
    s_.reads.Run([end, get, guid, cell](Result<Reader*> reader) {
      const auto app = reader ? (*reader)->ReadApp(guid) : Result<AppRead>(reader.error());
      if (!app) return end(app.error());
      cell->MayRead(app->app, nullptr) ? get() : end(NotDesired(guid));
    });
    return reactor;
  }

  grpc::ServerWriteReactor<v2::ListDesiredLRPsResponse>* ListDesiredLRPs(
      grpc::CallbackServerContext* context, const v2::ListDesiredLRPsRequest* request) override {
    const Secrets secrets = SecretsFor(s_, *context, request->reveal_secrets(), "DesiredLRPs/ListDesiredLRPs");
    if (!secrets.may.ok()) return new RefusedStream<v2::ListDesiredLRPsResponse>(secrets.may);
    const Status allowed = s_.Admit(*context, *request);
    const auto pages = [this, filter = FilterFrom(*request), shown = secrets.shown](const std::string& domain) mutable {
      filter.domain = domain;
      return AppPages(s_.kept_lists, filter, shown);
    };
    const auto fetch = Noting<v2::ListDesiredLRPsResponse>(
        s_, *context, secrets, RevealedBy(*request, "DesiredLRPs/ListDesiredLRPs"),
        InDomains<v2::ListDesiredLRPsResponse>(Grant::Of(s_, *context).domains(), request->domain(), pages));
    return new PageStream<v2::ListDesiredLRPsResponse>(*context, s_, TimedCall(s_.metrics, "list_desired_lrps"),
                                                       allowed, fetch, secrets.shown);
  }

  grpc::ServerWriteReactor<v2::ListSchedulingInfosResponse>* ListSchedulingInfos(
      grpc::CallbackServerContext* context, const v2::ListDesiredLRPsRequest* request) override {
    const Secrets secrets = SecretsFor(s_, *context, request->reveal_secrets(), "DesiredLRPs/ListSchedulingInfos");
    if (!secrets.may.ok()) return new RefusedStream<v2::ListSchedulingInfosResponse>(secrets.may);
    const Status allowed = s_.Admit(*context, *request);
    const auto pages = [this, filter = FilterFrom(*request), shown = secrets.shown](const std::string& domain) mutable {
      filter.domain = domain;
      return SchedulingPages(s_.kept_lists, filter, shown);
    };
    const auto fetch = Noting<v2::ListSchedulingInfosResponse>(
        s_, *context, secrets, RevealedBy(*request, "DesiredLRPs/ListSchedulingInfos"),
        InDomains<v2::ListSchedulingInfosResponse>(Grant::Of(s_, *context).domains(), request->domain(), pages));
    return new PageStream<v2::ListSchedulingInfosResponse>(*context, s_, TimedCall(s_.metrics, "list_scheduling_infos"),
                                                           allowed, fetch, secrets.shown);
  }

 private:
  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeDesiredLrpsService(ServerDependencies& dependencies) {
  return std::make_unique<DesiredLrpsService>(dependencies);
}

}  // namespace baton
