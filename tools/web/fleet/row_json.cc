#include "tools/web/fleet/row_json.h"

namespace baton::web {

nlohmann::ordered_json RowJson(const AppRow& row) {
  const AppRow::Numbers& n = row.numbers();
  nlohmann::ordered_json json{{"guid", row.guid()},
                              {"domain", row.domain()},
                              {"wanted", n.wanted},
                              {"served", n.served},
                              {"ready", n.ready},
                              {"crashed", n.crashed},
                              {"unplaced", n.unplaced},
                              {"retiring", n.retiring},
                              {"definition", row.definition()},
                              {"attention", static_cast<int>(n.attention)},
                              {"why", row.Why()},
                              {"roll", nullptr}};
  if (!row.roll()) return json;
  const v2::Roll& roll = *row.roll();
  nlohmann::ordered_json because = nlohmann::ordered_json::array();
  for (const int reason : roll.paused_because()) because.push_back(v2::PauseReason_Name(reason));
  json["roll"] = {{"id", roll.roll_id()},
                  {"state", v2::RollState_Name(roll.state())},
                  {"from", roll.source_definition()},
                  {"to", roll.target_definition()},
                  {"updated", n.updated},
                  {"in_flight", n.in_flight},
                  {"instances", n.wanted},
                  {"opened_at", std::to_string(roll.opened_at())},
                  {"deadline_at", std::to_string(roll.deadline_at())},
                  {"paused_because", because},
                  {"reason", roll.reason()}};
  return json;
}

nlohmann::ordered_json CountsJson(const FleetCounts& counts) {
  return {{"apps", counts.apps},
          {"wanted", counts.wanted},
          {"served", counts.served},
          {"ready", counts.ready},
          {"rolls", counts.rolls},
          {"held", counts.held},
          {"rolling_back", counts.rolling_back},
          {"waiting", counts.waiting},
          {"trouble", counts.trouble},
          {"unserved", counts.unserved},
          {"cells", counts.cells},
          {"cells_present", counts.cells_present},
          {"cells_draining", counts.cells_draining},
          {"worst", counts.worst}};
}

std::string Text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace baton::web
