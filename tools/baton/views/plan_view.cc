#include "tools/baton/views/plan_view.h"

#include <cstdio>
#include <vector>

#include "tools/baton/views/words.h"
#include "tools/words/table.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

constexpr int kFirstSteps = 12;
constexpr int kLastSteps = 4;

std::string Number(std::int64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string Or(const std::string& text, const char* instead) { return text.empty() ? instead : OneLine(text); }

// A roll would be opened, or the open one ends elsewhere.
bool OfRoll(const v2::PlanUpdateResponse& plan) {
  return plan.opens_roll() || plan.ends() != v2::ROLL_STATE_UNSPECIFIED;
}

std::string Head(const std::string& guid, const v2::PlanUpdateResponse& plan) {
  if (OfRoll(plan)) {
    const std::string how = plan.restarts() == 0 ? "no running instance is restarted"
                                                 : Number(plan.restarts(), "running instance is started anew",
                                                          "running instances are started anew");
    if (!plan.opens_roll()) {
      return "the open roll of app " + guid + " would go back from " + ShortDefinition(plan.target_definition()) +
             " to " + ShortDefinition(plan.source_definition()) + "; " + how;
    }
    const std::string from = plan.source_definition().empty() ? "nothing" : ShortDefinition(plan.source_definition());
    return "app " + guid + " would roll from " + from + " to " + ShortDefinition(plan.target_definition()) + "; " + how;
  }
  if (plan.changes_size() == 0 && plan.steps_size() == 0) return "app " + guid + " is as asked: nothing would change";
  return "app " + guid + " would change at once, without a roll";
}

std::string Seconds(std::int64_t ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

std::string Steps(const v2::PlanUpdateResponse& plan, bool all) {
  Table table{{"AT", "STEP", "SLOT", "DEFINITION", "WHY"}, {}};
  const int count = plan.steps_size();
  const bool cut = !all && count > kFirstSteps + kLastSteps;
  for (int i = 0; i < count; ++i) {
    if (cut && i == kFirstSteps) {
      table.rows.push_back({"...", "", "", "", std::to_string(count - kFirstSteps - kLastSteps) + " more: -o wide"});
      i = count - kLastSteps;
    }
    const v2::PlannedStep& step = plan.steps(i);
    table.rows.push_back({"+" + Seconds(step.at_ms()), step.kind(),
                          step.index() < 0 ? "" : std::to_string(step.index()),
                          step.definition_identifier().empty() ? "" : ShortDefinition(step.definition_identifier()),
                          OneLine(step.text())});
  }
  return table.rows.empty() ? "" : Render(table);
}

std::string Assumed(const v2::PlanUpdateResponse& plan) {
  const std::string times = "starts take " + Seconds(plan.start_ms()) + ", stops " + Seconds(plan.stop_ms());
  return plan.measured() == 0
             ? times + ": guesses, nothing was measured of this app yet"
             : times + ": the medians of " + Number(plan.measured(), "start", "starts") + " of its last rolls";
}

std::string Memory(std::int64_t mb) { return std::to_string(mb) + " MiB"; }

}  // namespace

std::string ChangesText(const v2::PlanUpdateResponse& plan) {
  std::string text;
  for (const auto& change : plan.changes()) {
    const bool redacted = change.before() == change.after();
    text += "  " + OneLine(change.field()) + " " +
            (redacted ? "another value, which is not shown"
                      : Or(change.before(), "(not there)") + " -> " + Or(change.after(), "(gone)")) +
            "\n";
  }
  return text;
}

std::string PlanText(const std::string& guid, const v2::PlanUpdateResponse& plan, bool all_steps) {
  std::string text = Head(guid, plan) + "\n";
  text += ChangesText(plan);
  if (plan.steps_size() > 0) text += "\n" + Steps(plan, all_steps);
  std::vector<Fact> facts;
  if (plan.takes_ms() > 0 || OfRoll(plan)) {
    facts = {
        {"Ends", plan.takes_ms() > 0 ? (OfRoll(plan) ? StateName(plan.ends()) + " and " : std::string()) +
                                           "nothing old left after " + Seconds(plan.takes_ms())
                                     : "not by itself"},
        {"Assumed", Assumed(plan)},
        {"Most at once", Number(plan.peak_instances(), "instance", "instances") + ", " + Memory(plan.peak_memory_mb()) +
                             "; now " + std::to_string(plan.instances_now()) + ", " + Memory(plan.memory_now_mb())},
        {"Cells have free", Memory(plan.memory_free_mb())},
        {"Fewest served", Number(plan.least_served(), "slot", "slots")}};
    text += "\n" + Render(facts);
  }
  if (plan.warnings_size() > 0) text += "\n";
  for (const std::string& warning : plan.warnings()) text += "warning: " + OneLine(warning) + "\n";
  return text;
}

}  // namespace baton::cli
