#include "tests/server/answers_to.h"

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/server/event_follower.h"

namespace baton {
namespace {

template <class Page, class Stream>
void Drain(Stream&& stream, std::string& all) {
  for (Page page; stream->Read(&page);) all += page.DebugString();
}

template <class Stub, class Request, class Response>
void Ask(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*), Request request, const std::string& guid,
         std::string& all) {
  Response response;
  request.set_process_guid(guid);
  all += (stub.*method)(Context().get(), request, &response).error_message() + "\n" + response.DebugString();
}

}  // namespace

std::string AnswersTo(const std::shared_ptr<grpc::Channel>& channel, const std::string& guid) {
  std::string all;
  const Stubs stubs(channel);
  const auto old_apps = v1::DesiredLRPs::NewStub(channel);
  const auto old_lrps = v1::ActualLRPs::NewStub(channel);
  Ask(*stubs.apps, &v2::DesiredLRPs::Stub::GetDesiredLRP, v2::GetDesiredLRPRequest(), guid, all);
  v2::GetRollRequest with_steps;
  with_steps.set_with_steps(true);
  Ask(*stubs.rolls, &v2::Rolls::Stub::GetRoll, with_steps, guid, all);
  Ask(*stubs.rolls, &v2::Rolls::Stub::ExplainRoll, v2::ExplainRollRequest(), guid, all);
  Ask(*stubs.rolls, &v2::Rolls::Stub::PauseRoll, v2::ChangeRollRequest(), guid, all);
  Ask(*stubs.rolls, &v2::Rolls::Stub::ResumeRoll, v2::ChangeRollRequest(), guid, all);
  Ask(*old_apps, &v1::DesiredLRPs::Stub::GetSchedulingInfo, v1::DesiredLRPByProcessGuidRequest(), guid, all);
  v2::PlanUpdateRequest plan;
  plan.mutable_update()->set_annotation("another");
  Ask(*stubs.apps, &v2::DesiredLRPs::Stub::PlanUpdate, plan, guid, all);
  Ask(*stubs.rolls, &v2::Rolls::Stub::PlanRollBack, v2::PlanRollBackRequest(), guid, all);
  Ask(*stubs.rolls, &v2::Rolls::Stub::PlanCancel, v2::PlanCancelRequest(), guid, all);
  Ask(*stubs.rolls, &v2::Rolls::Stub::ForecastRoll, v2::ForecastRollRequest(), guid, all);
  for (const char* name : {"v1", "v2"}) {
    v2::GetDefinitionRequest definition;
    definition.set_definition_identifier(name);
    Ask(*stubs.definitions, &v2::Definitions::Stub::GetDefinition, definition, guid, all);
  }
  const auto list = [&](auto page, auto open) {
    const auto context = Context();
    Drain<decltype(page)>(open(context.get()), all);
  };
  list(v2::ListDesiredLRPsResponse(), [&](auto* c) { return stubs.apps->ListDesiredLRPs(c, {}); });
  list(v2::ListSchedulingInfosResponse(), [&](auto* c) { return stubs.apps->ListSchedulingInfos(c, {}); });
  list(v2::ListActualLRPsResponse(), [&](auto* c) { return stubs.lrps->ListActualLRPs(c, {}); });
  list(v2::ListRollsResponse(), [&](auto* c) { return stubs.rolls->ListRolls(c, {}); });
  list(v1::DesiredLRPSchedulingInfosResponse(), [&](auto* c) { return old_apps->ListSchedulingInfos(c, {}); });
  list(v1::DesiredLRPsResponse(), [&](auto* c) { return old_apps->ListRoutingInfos(c, {}); });
  list(v1::ActualLRPsResponse(), [&](auto* c) { return old_lrps->ListActualLRPs(c, {}); });
  for (const auto& from : {EventFollower::After(0), EventFollower::Snapshot()}) {
    const auto context = Context();
    const auto stream = stubs.events->Subscribe(context.get(), from);
    for (v2::SubscribeResponse answer; stream->Read(&answer);) {
      all += answer.DebugString();
      if (answer.caught_up()) break;
    }
    context->TryCancel();
  }
  return all;
}

}  // namespace baton
