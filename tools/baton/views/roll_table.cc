#include "tools/baton/views/roll_table.h"

#include <algorithm>
#include <vector>

#include "tools/baton/views/words.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

// 0: in change; 1: still to come; 2: done.
int Rank(const v2::Slot& slot) {
  if (slot.instances_size() > 1 || !slot.served()) return 0;
  return slot.updated() ? 2 : 1;
}

std::vector<std::string> SlotRow(const v2::Roll& roll, const v2::Slot& slot, std::int64_t now) {
  std::string old_ones;
  std::string new_ones;
  for (const auto& lrp : slot.instances()) {
    std::string& text = lrp.definition_identifier() == GoesTo(roll) ? new_ones : old_ones;
    text += (text.empty() ? "" : "; ") + InstanceWords(lrp, now);
  }
  return {std::to_string(slot.index()), old_ones, new_ones, WaitsFor(slot, now)};
}

}  // namespace

const std::string& GoesTo(const v2::Roll& roll) {
  const bool back = roll.state() == v2::ROLLING_BACK || roll.state() == v2::ROLLED_BACK;
  return back ? roll.source_definition() : roll.target_definition();
}

std::string Bar(int part, int whole, int width) {
  const int full = whole <= 0 ? width : std::clamp(part * width / whole, 0, width);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(width - full), '-') + "]";
}

std::string InstanceWords(const v2::ActualLRP& lrp, std::int64_t now) {
  std::string text = lrp.state();
  if (lrp.presence() != v2::ORDINARY) {
    std::string presence = PresenceName(lrp.presence());
    std::ranges::transform(presence, presence.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    text = presence + " " + text;
  }
  if (!lrp.instance_key().cell_id().empty()) text += " " + lrp.instance_key().cell_id();
  if (lrp.presence() == v2::RETIRING) {
    const std::int64_t since = lrp.stop_ordered_at() != 0 ? lrp.stop_ordered_at() : lrp.retiring_since();
    return text + (lrp.stop_ordered_at() != 0 ? " stopping " : " draining ") + Age(since, now);
  }
  if (lrp.routable()) return text + " ready " + Age(lrp.routable_since(), now);
  if (lrp.crash_count() > 0)
    text += ", " + std::to_string(lrp.crash_count()) + (lrp.crash_count() == 1 ? " crash" : " crashes");
  return text + " " + Age(lrp.since(), now);
}

const v2::Slot* MattersMost(const v2::Roll& roll) {
  const v2::Slot* most = nullptr;
  const auto rank = [](const v2::Slot& slot) { return slot.served() ? Rank(slot) + 1 : 0; };
  for (const auto& slot : roll.slots()) {
    if (slot.waits_for().rule().empty()) continue;
    if (!most || rank(slot) < rank(*most)) most = &slot;
  }
  return most;
}

std::string WaitsFor(const v2::Slot& slot, std::int64_t now) {
  if (slot.waits_for().rule().empty()) return slot.updated() ? "done" : "";
  const std::int64_t until = slot.waits_for().until();
  return slot.waits_for().text() + (until > now ? " (" + Age(now, until) + " left)" : "");
}

Table SlotsTable(const v2::Roll& roll, const SlotsStyle& style) {
  std::vector<const v2::Slot*> slots;
  for (const auto& slot : roll.slots()) slots.push_back(&slot);
  const auto most = static_cast<std::size_t>(style.slots_max);
  const bool too_many = most != 0 && slots.size() > most;
  if (too_many) std::ranges::stable_sort(slots, {}, [](const v2::Slot* slot) { return Rank(*slot); });
  const std::size_t shown = too_many ? most : slots.size();
  Table table{{"SLOT", "OLD", "NEW", "WAITS FOR"}, {}};
  for (std::size_t i = 0; i < shown; ++i) table.rows.push_back(SlotRow(roll, *slots[i], style.now));
  if (!too_many) return table;
  const auto updated = std::count_if(slots.begin() + static_cast<std::ptrdiff_t>(shown), slots.end(),
                                     [](const v2::Slot* slot) { return slot->updated(); });
  table.rows.push_back(
      {"+" + std::to_string(slots.size() - shown), "", "", std::to_string(updated) + " of them are done"});
  return table;
}

}  // namespace baton::cli
