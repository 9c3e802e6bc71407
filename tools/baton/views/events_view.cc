#include "tools/baton/views/events_view.h"

#include <nlohmann/json.hpp>

#include "tools/baton/views/words.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

std::string LrpState(const v2::ActualLRP& lrp) {
  std::string text = lrp.state();
  if (lrp.presence() != v2::ORDINARY) text += "," + PresenceName(lrp.presence());
  if (lrp.state() == "RUNNING" && !lrp.routable()) text += ",not routable";
  return text;
}

std::string ChangeWords(const std::string& before, const std::string& after) {
  return before == after ? after : before + " -> " + after;
}

std::string ActualWords(const v2::Event& event) {
  const v2::ActualLRP& lrp = event.has_actual_after() ? event.actual_after() : event.actual_before();
  std::string text = lrp.process_guid() + "/" + std::to_string(lrp.index()) + " " +
                     ShortDefinition(lrp.definition_identifier()) + ": ";
  const std::string before = event.has_actual_before() ? LrpState(event.actual_before()) : "none";
  text += ChangeWords(before, event.has_actual_after() ? LrpState(event.actual_after()) : "none");
  const std::string& cell = lrp.instance_key().cell_id();
  if (!cell.empty()) text += " on " + cell;
  if (event.kind() == "actual_crashed") text += ": " + lrp.crash_reason();
  if (!lrp.placement_error().empty() && lrp.state() == "UNCLAIMED") text += ": " + lrp.placement_error();
  return text;
}

std::string DesiredWords(const v2::Event& event) {
  const auto words = [](const v2::DesiredLRPSchedulingInfo& app) {
    return std::to_string(app.instances()) + " x " + ShortDefinition(app.active_definition());
  };
  return event.process_guid() + ": " +
         ChangeWords(event.has_desired_before() ? words(event.desired_before()) : "none",
                     event.has_desired_after() ? words(event.desired_after()) : "none");
}

std::string RollEventWords(const v2::Event& event) {
  if (event.has_roll() && !event.has_step()) {
    return event.process_guid() + " to " + ShortDefinition(event.roll().target_definition()) + ": " +
           StateName(event.roll().state()) + (event.roll().reason().empty() ? "" : ", " + event.roll().reason());
  }
  const v2::RollStep& step = event.step();
  return event.process_guid() + (step.index() < 0 ? "" : "/" + std::to_string(step.index())) + " " + step.kind() +
         (step.text().empty() ? "" : ": " + step.text());
}

std::string CellWords(const v2::Cell& cell) {
  return cell.cell_id() + ": " + cell.state() + (cell.draining() ? ",DRAINING" : "") + ", " +
         std::to_string(cell.instances()) + " instances";
}

std::string EventWords(const v2::Event& event) {
  if (event.unreadable()) return event.process_guid() + ": cannot be read; list again";
  if (event.has_actual_before() || event.has_actual_after()) return ActualWords(event);
  if (event.has_desired_before() || event.has_desired_after()) return DesiredWords(event);
  if (event.has_roll() || event.has_step()) return RollEventWords(event);
  if (event.has_cell()) return CellWords(event.cell());
  if (event.has_freshness()) return event.freshness().domain();
  return event.process_guid() + "/" + event.definition_identifier();
}

}  // namespace

std::string EventLine(const v2::Event& event) {
  const std::string time = HumanTime(event.at());
  const std::string clock = time.size() > 18 ? time.substr(11, 8) : time;
  std::string kind = event.kind();
  kind.resize(std::max<std::size_t>(kind.size(), 20), ' ');
  return std::to_string(event.sequence()) + " " + clock + " " + kind + " " + OneLine(EventWords(event));
}

std::string EventJson(const v2::Event& event) { return nlohmann::ordered_json::parse(ToJson(event)).dump(); }

}  // namespace baton::cli
