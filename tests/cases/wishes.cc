// What people ask for while a roll is open.
#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/update.h"
#include "tests/cases/kinds.h"
#include "tests/cases/table.h"

namespace baton::cases {

Answer Hold(const Case& one) {
  Table table(one.given);
  const std::string status = one.given.value("status", "");
  table.Lay(one.given);
  Roll& roll = *table.maker().app.roll;
  roll.state = status == "paused" ? RollState::kPaused : RollState::kHeld;
  table.Plan();
  return {.ours = {{"replace", static_cast<int>(table.Replaced().size())},
                   {"start", static_cast<int>(table.Begun().size())},
                   {"stop", static_cast<int>(table.Stopped().size())},
                   {"new", table.Live("v2")},
                   {"old", table.Live("v1")}},
          .rule = status == "paused" || !table.KeptTheFloor()
                      ? ""
                      : "Withdrawing: Held withdraws newcomers, and slots that serve nobody are repaired"};
}

Answer Cancel(const Case& one) {
  const Json& given = one.given;
  Table table(given);
  AppMaker& maker = table.maker();
  if (given.value("state", "").find("SUPERSEDED") != std::string::npos) {  // another roll is open by now
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = DecideChangeRoll(edit, {RollEvent::kCancel, RollId("an older one"), ""});
    return {.ours = {{"survivor", nullptr}, {"noop", !status.ok() && !edit.HasChanges()}}};
  }
  if (given.contains("old_generations")) {
    // The healthy one is where a cancelled roll goes back to; it is the first that completed.
    std::string healthy;
    for (const Json& generation : given.at("old_generations")) {
      if (!generation.contains("superseded_by")) healthy = generation.at("name").get<std::string>();
    }
    Definition source = maker.app.definitions.at({1, DefinitionId("v1")});
    source.id = DefinitionId(healthy);
    source.content_hash = healthy;
    maker.app.definitions.emplace(DefinitionKey{1, source.id}, source);
    maker.app.roll->source = maker.app.desired->healthy = source.id;
    AppEdit edit(maker.app, maker.moment, "test");
    (void)DecideChangeRoll(edit, {RollEvent::kCancel, std::nullopt, ""});
    (void)edit.Finish();
    return {.ours = {{"survivor", maker.app.desired->active.str()}},
            .rule = "source: the healthy definition, which is the target of the last roll that completed"};
  }
  table.Lay(given);
  AppEdit edit(maker.app, maker.moment, "test");
  (void)DecideChangeRoll(edit, {RollEvent::kCancel, std::nullopt, ""});
  (void)edit.Finish();
  table.Plan();
  return {.ours = {{"survivor", maker.app.desired->active.str() == "v1" ? "original" : "new"},
                   {"old_specs", table.LiveOld()},
                   {"new_spec", table.Live("v2")}},
          .rule = table.KeptTheFloor() ? "cancel: back by the same machine, within floor and ceiling" : ""};
}

Answer DeletePreempts(const Case& one) {
  if (one.given.contains("purged")) return Unmapped("nothing watches a roll: it is a row");
  const int there = IntIn(one.given.at("old"), "available", 0) + IntIn(one.given.at("new"), "available", 0);
  Table table(one.given, there);
  table.Lay(one.given);
  AppMaker& maker = table.maker();
  const bool open = one.given.value("status", "") == "running" || one.given.value("status", "") == "paused";
  if (!open) maker.app.roll.reset();
  AppEdit edit(maker.app, maker.moment, "test");
  (void)DecideRemove(edit);
  (void)edit.Finish();
  table.Plan();
  return {.ours = {{"stop", maker.Count(Presence::kRetiring)},
                   {"start", static_cast<int>(table.Begun().size())},
                   {"roll_cancelled", open && table.LastState() == RollState::kYielded}}};
}

}  // namespace baton::cases
