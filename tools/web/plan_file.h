// An app file that somebody drops on the page: what it would change, as `baton plan -f` says it.
#pragma once

#include "tools/http/exchange.h"
#include "tools/web/calls/leader_calls.h"
#include "tools/web/who/person.h"

namespace baton::web {

// POST /api/plan. `calls` outlives the exchange.
void PlanFile(LeaderCalls& calls, bool certificate, const Person& person, const http::ExchangePtr& exchange,
              const std::string& body);

}  // namespace baton::web
