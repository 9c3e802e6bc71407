#include "orchestrator/app/apps/plan_token.h"

#include "orchestrator/model/names.h"
#include "orchestrator/wire/stored/hash.h"

namespace baton {
namespace {

constexpr std::size_t kTokenDigits = 40;

}  // namespace

std::string PlanToken(const AppState& app, const std::string& content) {
  std::string of = app.guid.str() + '\n';
  if (app.desired) of += app.desired->tag.epoch + ':' + std::to_string(app.desired->tag.index);
  if (app.roll) of += '\n' + app.roll->id.str() + ' ' + std::string(Name(app.roll->state));
  return "p1-" + wire::Sha256Hex(of + '\n' + content).substr(0, kTokenDigits);
}

Status CheckPlan(const PlanGiven& plan, const AppState& app) {
  if (plan.token == PlanToken(app, plan.content)) return Done{};
  return Error{ErrorKind::kAborted,
               "plan_token is not of this update, or the app or its roll has changed since it was planned: plan again",
               {}};
}

}  // namespace baton
