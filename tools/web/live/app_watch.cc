#include "tools/web/live/app_watch.h"

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "orchestrator/wire/messages/routes.h"
#include "tools/web/calls/caller.h"
#include "tools/web/calls/gateway.h"
#include "tools/web/fleet/row_json.h"

namespace baton::web {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kNewsAtMost(500);
constexpr std::chrono::seconds kWhileOpen(2);
constexpr std::chrono::seconds kOtherwise(10);
constexpr std::chrono::seconds kDeadline(5);

OrderedJson AsJson(const google::protobuf::Message& message) {
  return OrderedJson::parse(MessageJson(message), nullptr, /*allow_exceptions=*/false);
}

template <class Items>
OrderedJson AsArray(const Items& items) {
  OrderedJson array = OrderedJson::array();
  for (const auto& item : items) array.push_back(AsJson(item));
  return array;
}

OrderedJson RouteJson(const Route& route, std::uint32_t port) {
  return {{"hostname", route.hostname},
          {"path", route.path},
          {"external_port", route.external_port},
          {"router_group_guid", route.router_group},
          {"port", port},
          {"endpoints", OrderedJson::array()}};
}

// The app's routes, each with the instances that serve it.
OrderedJson RoutesJson(const v2::DesiredLRP& app, const std::vector<MessagePtr>& pages) {
  OrderedJson routes = OrderedJson::array();
  const Result<Routes> known = wire::RoutesFrom(app.routes(), wire::RoutesOrigin::kStored);
  if (!known) return routes;
  for (const MappedRoute& mapped : known->mapped) {
    OrderedJson route = RouteJson(mapped.route, mapped.port);
    for (const MessagePtr& page : pages) {
      for (const v2::Endpoint& endpoint : static_cast<const v2::ListEndpointsResponse&>(*page).endpoints()) {
        const Route served{endpoint.hostname(), endpoint.path(), endpoint.external_port(),
                           endpoint.router_group_guid()};
        if (served != mapped.route || endpoint.draining()) continue;
        route["endpoints"].push_back({{"actual_id", endpoint.actual_id()},
                                      {"index", endpoint.index()},
                                      {"definition", endpoint.definition_identifier()}});
      }
    }
    routes.push_back(std::move(route));
  }
  return routes;
}

// What routers say of instances of an app that rolls.
OrderedJson LoadsJson(const std::vector<MessagePtr>& pages) {
  OrderedJson loads = OrderedJson::object();
  for (const MessagePtr& page : pages) {
    for (const v2::Endpoint& endpoint : static_cast<const v2::ListEndpointsResponse&>(*page).endpoints()) {
      if (!endpoint.has_sessions()) continue;
      OrderedJson& load = loads[endpoint.actual_id()];
      load["sessions"] = endpoint.sessions();
      load["requests_per_s"] = endpoint.has_requests_per_s() ? OrderedJson(endpoint.requests_per_s()) : OrderedJson();
    }
  }
  return loads;
}

}  // namespace

AppWatch::AppWatch(std::string guid, LeaderCalls& calls, const FleetTable& table, bool certificate,
                   std::shared_ptr<ForecastTurn> turn)
    : guid_(std::move(guid)), calls_(calls), table_(table), certificate_(certificate),
      ahead_(std::make_shared<RollAhead>(guid_, calls, certificate, std::move(turn), [this] {
        if (outstanding_ == 0 && fault_.empty()) Compose();  // else the round's end does
      })) {}

void AppWatch::Step(Time now) {
  ahead_->Step(now);
  if (outstanding_ > 0 || now - asked_ < kNewsAtMost) return;
  const AppRow* row = table_.Find(guid_);
  const bool open = row && row->roll();
  const bool all = poked_ || now - asked_ >= kOtherwise;
  if (!all && !(open && now - asked_ >= kWhileOpen)) return;
  asked_ = now;
  poked_ = false;
  Refresh(all);
}

void AppWatch::Refresh(bool all) {
  fault_.clear();
  ++outstanding_;  // until all calls are on their way
  v2::ExplainRollRequest explain;
  explain.set_process_guid(guid_);
  Ask<v2::ExplainRollResponse>("Rolls/ExplainRoll", explain, false, [this](const std::vector<MessagePtr>& got) {
    answers_.explained = got.empty() ? nullptr : std::static_pointer_cast<v2::ExplainRollResponse>(got.front());
    const auto& explained = answers_.explained;
    ahead_->Follow(explained && explained->has_roll() ? &explained->roll() : nullptr);
  });
  v2::ListEndpointsRequest endpoints;
  endpoints.set_process_guid(guid_);
  endpoints.set_with_draining(true);
  Ask<v2::ListEndpointsResponse>("Routes/ListEndpoints", endpoints, true,
                                 [this](std::vector<MessagePtr> got) { answers_.endpoints = std::move(got); });
  if (all) {
    v2::GetDesiredLRPRequest desired;
    desired.set_process_guid(guid_);
    Ask<v2::GetDesiredLRPResponse>(
        "DesiredLRPs/GetDesiredLRP", desired, false, [this](const std::vector<MessagePtr>& got) {
          answers_.desired = got.empty() ? nullptr : std::static_pointer_cast<v2::GetDesiredLRPResponse>(got.front());
        });
    v2::GetRollRequest roll;
    roll.set_process_guid(guid_);
    roll.set_with_steps(true);
    Ask<v2::GetRollResponse>("Rolls/GetRoll", roll, false, [this](const std::vector<MessagePtr>& got) {
      answers_.steps = got.empty() ? nullptr : std::static_pointer_cast<v2::GetRollResponse>(got.front());
    });
    v2::ListActualLRPsRequest lrps;
    lrps.set_process_guid(guid_);
    Ask<v2::ListActualLRPsResponse>("ActualLRPs/ListActualLRPs", lrps, true,
                                    [this](std::vector<MessagePtr> got) { answers_.instances = std::move(got); });
    Ask<v2::ListRouteConsumersResponse>("Routes/ListRouteConsumers", v2::ListRouteConsumersRequest(), false,
                                        [this](std::vector<MessagePtr> got) { answers_.routers = std::move(got); });
  }
  Answered();
}

template <class Response, class Request>
void AppWatch::Ask(const char* method, const Request& request, bool streams,
                   std::function<void(std::vector<MessagePtr>)> take) {
  ++outstanding_;
  Question question{.path = std::string("/baton.v2.") + method,
                    .request = std::make_shared<Request>(request),
                    .answer = &Response::default_instance(),
                    .metadata = CallerMetadata({"page", Role::kViewer}, certificate_),
                    .until = std::chrono::steady_clock::now() + kDeadline};
  calls_.Ask(std::move(question), streams,
             [weak = weak_from_this(), take = std::move(take)](const Ending& ending, std::vector<MessagePtr> got) {
               const auto self = weak.lock();
               if (!self) return;
               if (ending.status.ok()) {
                 take(std::move(got));
               } else if (ending.status.error_code() == grpc::StatusCode::NOT_FOUND) {
                 take({});
               } else {
                 self->fault_ = ending.status.error_message();
               }
               self->Answered();
             });
}

void AppWatch::Answered() {
  if (--outstanding_ > 0) return;
  // What a round that failed has not brought is as it was; the page says meanwhile that batond is away.
  if (fault_.empty()) Compose();
}

void AppWatch::Compose() {
  const AppRow* row = table_.Find(guid_);
  OrderedJson json{{"guid", guid_}, {"found", answers_.desired != nullptr}};
  json["row"] = row ? RowJson(*row) : OrderedJson();
  json["desired"] = answers_.desired ? AsJson(answers_.desired->desired_lrp()) : OrderedJson();
  json["roll"] = nullptr;
  json["reasons"] = OrderedJson::array();
  json["unserved"] = OrderedJson::array();
  if (const auto& explained = answers_.explained) {
    if (explained->has_roll()) json["roll"] = AsJson(explained->roll());
    json["reasons"] = AsArray(explained->reasons());
    for (const int slot : explained->unserved()) json["unserved"].push_back(slot);
  }
  json["steps"] = answers_.steps ? AsArray(answers_.steps->steps()) : OrderedJson::array();
  json["ahead"] = ahead_->json();
  json["instances"] = OrderedJson::array();
  for (const MessagePtr& page : answers_.instances) {
    for (const auto& lrp : static_cast<const v2::ListActualLRPsResponse&>(*page).actual_lrps())
      json["instances"].push_back(AsJson(lrp));
  }
  json["routes"] =
      answers_.desired ? RoutesJson(answers_.desired->desired_lrp(), answers_.endpoints) : OrderedJson::array();
  json["loads"] = LoadsJson(answers_.endpoints);
  json["routers"] = OrderedJson::array();
  for (const MessagePtr& page : answers_.routers) {
    for (const auto& router : static_cast<const v2::ListRouteConsumersResponse&>(*page).consumers()) {
      if (router.lease_runs()) json["routers"].push_back(router.consumer_id());
    }
  }
  text_->Set(Text(json));
}

}  // namespace baton::web
