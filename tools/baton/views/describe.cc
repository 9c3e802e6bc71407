#include "tools/baton/views/describe.h"

#include <map>
#include <set>

#include "tools/baton/outcome.h"
#include "tools/baton/views/joined.h"
#include "tools/baton/views/listing.h"
#include "tools/baton/views/roll_table.h"
#include "tools/baton/views/words.h"
#include "tools/baton/waiting/watch_view.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

// A time, and how long ago it was.
std::string When(std::int64_t nanos, std::int64_t now) {
  return nanos == 0 ? "" : HumanTime(nanos) + " (" + Age(nanos, now) + " ago)";
}

std::string Indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += "  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

std::string Section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : "\n" + title + ":\n" + Indented(Harmless(text));
}

// For people: empty texts are left out, numbers of 0 and empty lists are not.
std::string MessageSection(const std::string& title, const google::protobuf::Message& message) {
  return Section(title, ToYaml(JsonOf(message, {.empty_texts = false})));
}

template <class Texts>
std::string ListOrNone(const Texts& texts) {
  return texts.empty() ? "none" : Joined(texts);
}

std::string Mebibytes(std::int64_t mb) { return mb <= 0 ? "0" : HumanMebibytes(mb); }

// What it says, and below it the rule, since when, until when, and what unblocks it.
std::string ReasonText(const v2::Reason& reason, std::int64_t now) {
  const std::string until =
      reason.until() == 0 ? "" : HumanTime(reason.until()) + " (" + Age(now, reason.until()) + " left)";
  return OneLine(reason.text()) + "\n" + Render(std::vector<Fact>{{"rule", reason.rule()},
                                                                  {"since", When(reason.since(), now)},
                                                                  {"until", until},
                                                                  {"unblocks", reason.unblocks()}},
                                                2);
}

std::string Pauses(const v2::Roll& roll) {
  std::vector<std::string> reasons;
  for (const int reason : roll.paused_because())
    reasons.push_back(v2::PauseReason_Name(static_cast<v2::PauseReason>(reason)));
  return Joined(reasons);
}

std::string RollFacts(const v2::Roll& roll, std::int64_t now) {
  const bool open = !IsFinished(roll.state());
  const auto of = [&roll](int number) { return std::to_string(number) + " of " + std::to_string(roll.instances()); };
  return Render(std::vector<Fact>{
      {"Roll", roll.roll_id()},
      {"App", roll.process_guid() + " (incarnation " + std::to_string(roll.incarnation()) + ")"},
      {"State", StateName(roll.state())},
      {"Reason", roll.reason()},
      {"Paused by", Pauses(roll)},
      {"From", roll.source_definition().empty() ? "nothing: the app's first start" : roll.source_definition()},
      {"To", roll.target_definition()},
      {"Asked for by", roll.actor()},
      {"Opened", When(roll.opened_at(), now)},
      {"Finished", When(roll.finished_at(), now)},
      {"Took", open ? "" : Age(roll.opened_at(), roll.finished_at())},
      {"Active", HumanDuration(roll.active_ms())},
      {"Waited", HumanDuration(roll.waiting_ms())},
      {"Verdict", roll.verdict()},
      {"Deadline", open && roll.deadline_at() != 0
                       ? HumanTime(roll.deadline_at()) + " (" + Age(now, roll.deadline_at()) + " left)"
                       : ""},
      {"Updated", open ? of(roll.updated()) : ""},
      {"Served", open ? of(roll.served()) : ""},
      {"In flight", open ? std::to_string(roll.in_flight()) : ""},
      {"Failed attempts", open ? std::to_string(roll.failed_attempts()) : ""},
      {"Proven", !open           ? ""
                 : roll.proven() ? "yes"
                                 : "no"},
      {"Revision", std::to_string(roll.revision())},
  });
}

std::string SlotsSection(const v2::Roll& roll, std::int64_t now) {
  return roll.slots_size() == 0 ? "" : Section("Slots", Render(SlotsTable(roll, {.now = now})));
}

std::string InstancesSection(const v2::ListActualLRPsResponse& instances, std::int64_t now) {
  const int unread = instances.unreadable_size();
  const std::string also = unread == 0 ? "" : std::to_string(unread) + " cannot be read";
  if (instances.actual_lrps_size() == 0) return Section("Instances", unread == 0 ? "none" : also);
  return Section("Instances", Render(InstancesTable(instances, {.now = now})) + (unread == 0 ? "" : also + "\n"));
}

// Routes that the active definition does not serve, which a caller accepted.
std::string Unroutable(const AppDescription& description) {
  const std::string& active = description.app.active_definition();
  std::vector<std::string> routes;
  for (const auto& definition : description.definitions.definitions()) {
    if (definition.definition_identifier() != active || definition.incarnation() != description.app.incarnation()) continue;
    for (const auto& [route, port] : std::map(definition.route_ports().begin(), definition.route_ports().end())) {
      if (port == 0) routes.push_back(route);
    }
  }
  return routes.empty() ? ""
                        : Joined(routes) + ": " + active + " has no port for " + (routes.size() == 1 ? "it" : "them");
}

int ReadySlots(const v2::ListActualLRPsResponse& instances) {
  std::set<int> slots;
  for (const auto& lrp : instances.actual_lrps()) {
    if (lrp.routable() && lrp.presence() != v2::RETIRING) slots.insert(lrp.index());
  }
  return static_cast<int>(slots.size());
}

}  // namespace

std::string Describe(const AppDescription& description, std::int64_t now) {
  const v2::DesiredLRP& app = description.app;
  std::string text = Render(std::vector<Fact>{
      {"App", app.process_guid()},
      {"Domain", app.domain()},
      {"Instances",
       std::to_string(app.instances()) + " wanted, " + std::to_string(ReadySlots(description.instances)) + " ready"},
      {"Routes", app.routes().routes().empty() ? "none" : RouteWords(app.routes())},
      {"Unroutable", Unroutable(description)},
      {"Annotation", app.annotation()},
      {"Log guid", app.log_guid()},
      {"Image user", app.image_username()},
      {"Active definition", app.active_definition()},
      {"Healthy definition", app.healthy_definition().empty() ? "none is proven yet" : app.healthy_definition()},
      {"Open roll", app.roll_id().empty() ? "none" : app.roll_id()},
      {"Incarnation", std::to_string(app.incarnation())},
      {"Modification tag", app.modification_tag().epoch() + ":" + std::to_string(app.modification_tag().index())},
  });
  if (description.open_roll) {
    text += Section("Roll", RollFacts(*description.open_roll, now)) + SlotsSection(*description.open_roll, now);
  }
  text += InstancesSection(description.instances, now);
  text += Section("Definitions", Render(DefinitionsTable(description.definitions, {.now = now})));
  text += MessageSection("Strategy", app.strategy());
  const auto tags = JsonOf(app)["metric_tags"];
  text += Section("Metric tags", tags.empty() ? "none" : ToYaml(tags));
  return text + MessageSection("Definition", app.definition());
}

std::string Describe(const v2::GetRollResponse& answer, std::int64_t now) {
  std::string steps;
  for (const auto& step : answer.steps()) steps += StepLine(step, answer.roll().opened_at()) + "\n";
  return RollFacts(answer.roll(), now) + SlotsSection(answer.roll(), now) + Section("Steps", steps);
}

std::string Describe(const v2::ActualLRP& lrp, std::int64_t now) {
  return Render(std::vector<Fact>{
      {"Instance", lrp.actual_id()},
      {"App", lrp.process_guid() + " (incarnation " + std::to_string(lrp.incarnation()) + ")"},
      {"Slot", std::to_string(lrp.index())},
      {"Domain", lrp.domain()},
      {"Presence", PresenceName(lrp.presence())},
      {"State", lrp.state() + " since " + When(lrp.since(), now)},
      {"Routable", lrp.routable() ? "since " + When(lrp.routable_since(), now) : "no"},
      {"Definition", lrp.definition_identifier()},
      {"Made by roll", lrp.roll_id().empty() ? "none: a repair" : lrp.roll_id()},
      {"Cell", lrp.instance_key().cell_id()},
      {"Zone", lrp.availability_zone()},
      {"Instance guid", lrp.instance_key().instance_guid()},
      {"Address", PortWords(lrp.net_info())},
      {"Crashes", std::to_string(lrp.crash_count())},
      {"Crash reason", lrp.crash_reason()},
      {"Placement error", lrp.placement_error()},
      {"Applied by", ListOrNone(lrp.applied_by())},
      {"Drained by", ListOrNone(lrp.drained_by())},
      {"Retiring since", When(lrp.retiring_since(), now)},
      {"Stop ordered", When(lrp.stop_ordered_at(), now)},
      {"Modification tag", lrp.modification_tag().epoch() + ":" + std::to_string(lrp.modification_tag().index())},
  });
}

std::string Describe(const v2::Definition& definition, std::int64_t now) {
  return Render(std::vector<Fact>{
             {"Definition", definition.definition_identifier()},
             {"App", definition.process_guid() + " (incarnation " + std::to_string(definition.incarnation()) + ")"},
             {"Content hash", definition.content_hash()},
             {"Created", When(definition.created_at(), now)},
             {"Proven", definition.proven_at() == 0 ? "no" : When(definition.proven_at(), now)},
             {"Kept because",
              KeptWords(definition).empty() ? "of nothing: it is collected next" : KeptWords(definition)},
             {"Pinned", definition.pinned() ? "yes" : "no"},
             {"Instances", std::to_string(definition.instances())},
             {"Size", std::to_string(definition.size_bytes()) + " bytes"},
         }) +
         MessageSection("Content", definition.definition());
}

std::string Describe(const v2::Cell& cell, const v2::ListActualLRPsResponse& instances, std::int64_t now) {
  const auto room = [](const v2::Resources& r) {
    return Mebibytes(r.memory_mb()) + " memory, " + Mebibytes(r.disk_mb()) + " disk, " +
           std::to_string(r.containers()) + " instances, " +
           (r.pids() == 0 ? "any number of" : std::to_string(r.pids())) + " processes";
  };
  return Render(std::vector<Fact>{
             {"Cell", cell.cell_id()},
             {"Zone", cell.zone()},
             {"State", cell.state() + (cell.draining() ? ",DRAINING" : "")},
             {"Drained", DrainBar(cell)},
             {"Draining since", When(cell.draining_since(), now)},
             {"Held off", cell.held_off()},
             {"Connected", cell.connected() ? "yes" : "no"},
             {"Epoch", std::to_string(cell.epoch())},
             {"Present since", When(cell.present_since(), now)},
             {"Missing since", When(cell.missing_since(), now)},
             {"Losses", std::to_string(cell.losses())},
             {"Lease", HumanTime(cell.lease_expires_at()) + " (" + Age(now, cell.lease_expires_at()) + " left)"},
             {"Address", cell.address()},
             {"Capacity", room(cell.capacity())},
             {"Available", room(cell.available())},
             {"Stacks", ListOrNone(cell.stacks())},
             {"Placement tags", ListOrNone(cell.placement_tags())},
             {"Abilities", ListOrNone(cell.abilities())},
             {"Enforces", ListOrNone(cell.enforces())},
             {"Version", cell.version()},
         }) +
         InstancesSection(instances, now);
}

std::string Explain(const v2::ExplainRollResponse& answer, const std::string& name, std::int64_t now) {
  std::string text;
  const bool has_roll = !answer.roll().roll_id().empty();
  if (has_roll) text += HeadLine(answer.roll()) + "\n" + EndLine(answer.roll(), now) + "\n";
  if (!has_roll || IsFinished(answer.roll().state())) {
    text += "app " + (has_roll ? answer.roll().process_guid() : name) + ": no roll is open, " +
            std::to_string(answer.instances() - answer.unserved_size()) + " of " +
            std::to_string(answer.instances()) + " slots are served\n";
  }
  bool held_up = false;
  for (const auto& reason : answer.reasons()) {
    text += "\n" + (reason.index() < 0 ? std::string("roll") : "slot " + std::to_string(reason.index())) + ": " +
            ReasonText(reason, now);
    held_up |= reason.rule() != "roll.finished";
  }
  if (!held_up) text += "\nnothing holds it up\n";
  return text;
}

std::string ExplainInstance(const v2::ActualLRP& lrp, const v2::ExplainRollResponse& app, std::int64_t now) {
  std::string text = "app " + lrp.process_guid() + ", slot " + std::to_string(lrp.index()) + ": " +
                     v2::Presence_Name(lrp.presence()) + " " + lrp.state() + " of " + lrp.definition_identifier() +
                     ", " + lrp.actual_id() + "\n";
  bool held_up = false;
  for (const auto& reason : app.reasons()) {
    if (reason.index() != lrp.index()) continue;
    text += Indented(ReasonText(reason, now));
    held_up = true;
  }
  return held_up ? text : text + "  nothing holds it up\n";
}

}  // namespace baton::cli
