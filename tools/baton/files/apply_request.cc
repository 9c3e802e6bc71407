#include "tools/baton/files/apply_request.h"

#include <algorithm>
#include <charconv>

#include "tools/baton/outcome.h"
#include "tools/baton/views/words.h"
#include "tools/words/text.h"

namespace baton::cli {

bool Replaces(const AppFile& file, const ApplyFlags& flags) {
  return file.gives_instances && !flags.retry && !flags.accept_unroutable && flags.port_aliases.empty();
}

ApplyFlags FlagsOf(const Arguments& arguments) {
  ApplyFlags flags{.retry = arguments.retry, .accept_unroutable = arguments.accept_unroutable, .port_aliases = {}};
  for (const std::string& text : arguments.port_aliases) {
    std::uint32_t ports[2] = {0, 0};
    const char* const end = text.data() + text.size();
    const auto route = std::from_chars(text.data(), end, ports[0]);
    const bool half = route.ec == std::errc() && route.ptr != end && *route.ptr == '=';
    const auto own = half ? std::from_chars(route.ptr + 1, end, ports[1]) : route;
    if (!half || own.ec != std::errc() || own.ptr != end) {
      throw Failure(kUsage, "--port-alias takes ROUTE_PORT=DEFINITION_PORT, for example 8080=9090, not '" + text + "'");
    }
    v2::PortAlias& alias = flags.port_aliases.emplace_back();
    alias.set_route_port(ports[0]);
    alias.set_definition_port(ports[1]);
  }
  return flags;
}

v2::ReplaceDesiredLRPRequest ReplaceFor(const AppFile& file, const v2::DesiredLRP* stored) {
  v2::ReplaceDesiredLRPRequest request;
  *request.mutable_desired_lrp() = file.app;
  request.set_reactivate(true);  // the file says what is wanted now; the key tells a repeated call from a new one
  if (stored) *request.mutable_expected()->mutable_modification_tag() = stored->modification_tag();
  return request;
}

v2::UpdateDesiredLRPRequest UpdateFor(const AppFile& file, const ApplyFlags& flags, const v2::DesiredLRP* stored) {
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(file.app.process_guid());
  v2::DesiredLRPUpdate& update = *request.mutable_update();
  if (file.gives_instances) update.set_instances(file.app.instances());
  *update.mutable_routes() = file.app.routes();
  update.set_annotation(file.app.annotation());
  *update.mutable_metric_tags() = file.app.metric_tags();
  update.set_image_username(file.app.image_username());
  update.set_image_password(file.app.image_password());
  if (file.app.has_definition_history()) update.set_definition_history(file.app.definition_history());
  if (file.app.has_strategy()) *update.mutable_strategy() = file.app.strategy();
  *update.mutable_desired_lrp()->mutable_definition() = file.app.definition();
  update.mutable_desired_lrp()->set_log_guid(file.app.log_guid());
  update.set_retry(flags.retry);
  update.set_reactivate(true);
  update.set_accept_unroutable(flags.accept_unroutable);
  for (const v2::PortAlias& alias : flags.port_aliases) *update.add_port_aliases() = alias;
  if (stored) *update.mutable_expected()->mutable_modification_tag() = stored->modification_tag();
  return request;
}

v2::PlanUpdateRequest PlanFor(const AppFile& file, const ApplyFlags& flags, const v2::DesiredLRP* stored) {
  v2::PlanUpdateRequest request;
  request.set_process_guid(file.app.process_guid());
  if (!stored) {
    *request.mutable_create() = file.app;
  } else if (Replaces(file, flags)) {
    v2::ReplaceDesiredLRPRequest replace = ReplaceFor(file, stored);
    request.mutable_replace()->Swap(replace.mutable_desired_lrp());
    request.set_reactivate(replace.reactivate());
    request.mutable_expected()->Swap(replace.mutable_expected());
  } else {
    *request.mutable_update() = UpdateFor(file, flags, stored).update();
  }
  return request;
}

std::string UpdateWords(const v2::UpdateDesiredLRPResponse& answer, const std::string& roll_before) {
  std::string words = answer.changed() ? "updated" : "unchanged";
  const std::string& roll = answer.roll().roll_id();
  if (roll.empty() || IsFinished(answer.roll().state())) return words;
  return words + ", " + (roll == roll_before ? RollWords(answer.roll()) : "roll " + roll + " opened");
}

std::string RollWords(const v2::Roll& roll) {
  const std::string rollout = "baton rollout ", app = " " + roll.process_guid();
  const std::string why = roll.reason().empty() ? "" : ": " + OneLine(roll.reason());
  const bool by_hand = std::ranges::count(roll.paused_because(), v2::HAND) > 0;
  const bool at_stage = std::ranges::count(roll.paused_because(), v2::STAGE) > 0;
  const std::string resume = by_hand ? rollout + "resume" + app : "";
  const std::string promote = at_stage ? rollout + "promote" + app : "";
  const std::string name = "roll " + roll.roll_id();
  switch (roll.state()) {
    case v2::HELD:
      return name + " is held" + why + "; unblocked by: " + rollout + "retry" + app + ", or " + rollout + "undo" + app;
    case v2::PAUSED:
      return name + " is paused" + why + "; unblocked by: " + resume + (by_hand && at_stage ? ", and " : "") +
             (at_stage ? "the end of the stage, or " : "") + promote;
    case v2::ROLLING_BACK: return name + " goes back to " + ShortDefinition(roll.source_definition()) + why;
    default: return name + " goes on";
  }
}

}  // namespace baton::cli
