#include "orchestrator/server/apps/update_answer.h"

#include "orchestrator/server/rolls/roll_view.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {

v2::DesiredLRP AppView(const AppState& app) {
  v2::DesiredLRP m = wire::ToMessage(app.guid, *app.desired);
  const Definition& active = app.definitions.at({app.desired->incarnation, app.desired->active});
  const auto definition = wire::ToMessage(active, std::string());
  if (definition) {
    *m.mutable_definition() = *definition;
    m.mutable_definition()->clear_run_info();
  }
  if (app.roll) m.set_roll_id(app.roll->id.str());
  return m;
}

void FillUpdateAnswer(const Decided& decided, v2::UpdateDesiredLRPResponse& response) {
  response.Clear();
  *response.mutable_desired_lrp() = AppView(decided.state);
  if (auto roll = RollAfter(decided)) *response.mutable_roll() = *std::move(roll);
  response.set_changed(decided.changed);
  response.set_returned(decided.changes.returned);
}

}  // namespace baton
