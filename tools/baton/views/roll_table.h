// A roll as its slots: what runs in each, old and new, and what it waits for. Shared by `rollout status`, `describe
// roll` and `rollout status --watch`.
#pragma once

#include <string>

#include "baton/v2/roll.pb.h"
#include "tools/words/table.h"

namespace baton::cli {

// What the roll goes to now: its target, or while it goes back its source.
const std::string& GoesTo(const v2::Roll& roll);

// "[##########----------]": `part` of `whole`, `width` characters between the brackets. A whole of 0 is full.
std::string Bar(int part, int whole, int width);

// "RUNNING cell-1 ready 42s", with what tells one presence from another: surge, retiring, suspect, evacuating.
std::string InstanceWords(const v2::ActualLRP& lrp, std::int64_t now);

// The slot that a person should look at first: one that is not served, else one in change, else any that waits; null:
// none waits.
const v2::Slot* MattersMost(const v2::Roll& roll);

// Why the slot does not go on, and how long that lasts: "done", or nothing.
std::string WaitsFor(const v2::Slot& slot, std::int64_t now);

struct SlotsStyle {
  std::int64_t now = 0;
  // At most so many slots, those in change first; 0: all.
  int slots_max = 0;
};

// Columns SLOT, OLD, NEW, WAITS FOR. Ends with a row that counts the slots that were left out.
Table SlotsTable(const v2::Roll& roll, const SlotsStyle& style);

}  // namespace baton::cli
