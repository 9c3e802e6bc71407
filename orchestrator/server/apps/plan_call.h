// A call that only looks at what another would do: within its caller's share and everybody's, with what cells have
// free.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "orchestrator/server/apps/plan_update.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

// Ends the call with `end`. `ask_cells`: the plan places instances.
template <class Request, class End>
void PlanCall(ServerDependencies& s, grpc::CallbackServerContext& context, const Request& request, End end,
              v2::PlanUpdateResponse& response, bool ask_cells = true) {
  // Nobody asks for a forecast: a page does. It takes nothing from who plans.
  constexpr bool kForecast = std::is_same_v<Request, v2::ForecastRollRequest>;
  auto own = TakeOwn(s, context, kForecast ? IdentityLimits::Kind::kForecasts : IdentityLimits::Kind::kPlans);
  if (!own) return end(own.error());
  auto slot = (kForecast ? s.forecasts : s.plans).Take(s.metrics);
  if (!slot) return end(slot.error());
  const auto held =
      std::make_shared<std::pair<IdentityLimits::Slot, CallSlots::Slot>>(*std::move(own), *std::move(slot));
  const auto plan = [&s, end, &request, &response, held, grant = Grant::Of(s, context)](std::vector<CellOffer> cells) {
    s.reads.Run([&s, end, &request, &response, held, grant, cells = std::move(cells)](Result<Reader*> reader) {
      const Status filled =
          reader ? FillPlan(**reader, request, {cells, s.may_ask_verdict, grant, s.leader.hosts()}, response)
                 : Status(reader.error());
      *held = {};  // who has its answer may ask for the next one
      end(filled);
    });
  };
  ask_cells ? s.leader.cells().AllOffers(ProcessGuid(request.process_guid()), plan) : plan({});
}

}  // namespace baton
