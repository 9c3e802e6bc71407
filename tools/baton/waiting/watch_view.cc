#include "tools/baton/waiting/watch_view.h"

#include <algorithm>
#include <sstream>

#include "tools/baton/outcome.h"
#include "tools/baton/views/roll_table.h"
#include "tools/baton/views/words.h"
#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

constexpr std::size_t kLatest = 3;
constexpr int kBarWidth = 30;
constexpr int kRowsAboveSlots = 4;  // head, state, empty line, the table's header

constexpr char kBold[] = "1";
constexpr char kRed[] = "31";
constexpr char kGreen[] = "32";
constexpr char kYellow[] = "33";
constexpr char kDim[] = "2";

const char* ColourOf(v2::RollState state) {
  if (state == v2::COMPLETED) return kGreen;
  if (state == v2::PAUSED || state == v2::ROLLING_BACK) return kYellow;
  return ExitOf(state) == kDone ? kBold : kRed;
}

std::string FromTo(const v2::Roll& roll) {
  return ShortDefinition(roll.source_definition()) + " -> " + ShortDefinition(roll.target_definition());
}

StyledLine StateLine(const WatchedRoll& watched, std::int64_t now, bool reconnecting) {
  const v2::Roll& roll = watched.roll();
  const bool completed = roll.state() == v2::COMPLETED;
  const bool open = !IsFinished(roll.state());
  const int updated = open ? roll.updated() : completed ? watched.instances() : 0;
  StyledLine line{{StateName(roll.state()), ColourOf(roll.state())},
                  {" " + Age(roll.opened_at(), open ? now : roll.finished_at())}};
  if (open || completed) {
    line.push_back({"  " + Bar(updated, watched.instances(), kBarWidth), ColourOf(roll.state())});
    line.push_back({" " + std::to_string(updated) + "/" + std::to_string(watched.instances()) + " updated"});
  }
  if (open) {
    line.push_back(
        {", " + std::to_string(roll.served()) + " served, " + std::to_string(roll.in_flight()) + " in flight"});
  }
  if (roll.failed_attempts() > 0) {
    line.push_back({", " + std::to_string(roll.failed_attempts()) + " failed", kRed});
  }
  if (reconnecting) line.push_back({"  reconnecting...", kYellow});
  return line;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void AddLines(const std::vector<std::string>& texts, const char* colour, std::vector<StyledLine>& lines) {
  if (texts.empty()) return;
  lines.push_back({});
  for (const std::string& text : texts) lines.push_back({{text, colour}});
}

// One line for each slot, those in change first where there is not room for all.
std::vector<std::string> SlotLines(const v2::Roll& roll, std::int64_t now, int room) {
  if (roll.slots_size() == 0) return {};
  const bool crowded = roll.slots_size() > room;
  Table table = SlotsTable(roll, {.now = now, .slots_max = crowded ? std::max(1, room - 1) : 0});
  table.columns_max = 0;
  return LinesOf(Render(table));
}

// Of the slot that matters most, where its line is too long for the screen: all of it.
std::vector<std::string> ReasonLines(const v2::Roll& roll, std::int64_t now, const Screen& screen) {
  const v2::Slot* slot = MattersMost(roll);
  if (!slot) return {};
  const auto columns = static_cast<std::size_t>(std::max(1, screen.columns));
  const auto lines = SlotLines(roll, now, roll.slots_size());
  const auto own = std::ranges::find_if(
      lines, [&](const std::string& line) { return line.starts_with(std::to_string(slot->index()) + " "); });
  if (own != lines.end() && Width(*own) <= columns) return {};
  return Wrapped("slot " + std::to_string(slot->index()) + " waits: " + OneLine(WaitsFor(*slot, now)), columns);
}

std::string TimeOfDay(std::int64_t nanos) { return nanos == 0 ? "--:--:--" : HumanTime(nanos).substr(11, 8); }

// As much of `text` as fits into `columns`, which shrinks.
std::string Cut(const std::string& text, std::size_t& columns) {
  std::size_t at = 0;
  while (at < text.size() && columns > 0) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    --columns;
  }
  return text.substr(0, at);
}

}  // namespace

std::vector<v2::RollStep> WatchedRoll::Take(const v2::WatchRollResponse& response) {
  if (known_ && response.roll().revision() < roll_.revision()) return {};
  std::vector<v2::RollStep> news;
  for (const auto& step : response.steps()) {
    if (step.sequence() > sequence_) news.push_back(step);
    sequence_ = std::max(sequence_, step.sequence());
  }
  roll_ = response.roll();
  known_ = true;
  if (!IsFinished(roll_.state())) instances_ = roll_.instances();
  latest_.insert(latest_.end(), news.begin(), news.end());
  if (latest_.size() > kLatest) latest_.erase(latest_.begin(), latest_.end() - kLatest);
  return news;
}

std::vector<StyledLine> Picture(const WatchedRoll& watched, std::int64_t now, const Screen& screen, bool reconnecting) {
  const v2::Roll& roll = watched.roll();
  const auto columns = static_cast<std::size_t>(std::max(1, screen.columns));
  const bool halted = roll.state() != v2::ROLLING && !roll.reason().empty();
  const auto reason = ReasonLines(roll, now, screen);
  std::vector<std::string> foot;
  if (halted) foot = Wrapped(OneLine(roll.reason()), columns);
  for (const auto& step : watched.latest()) {
    if (!halted) foot.push_back(StepLine(step, roll.opened_at()));
  }
  const int below = static_cast<int>(reason.size() + (reason.empty() ? 0 : 1) + foot.size() + (foot.empty() ? 0 : 1));
  const auto slots = SlotLines(roll, now, std::max(1, screen.rows - kRowsAboveSlots - 1 - below));
  std::vector<StyledLine> lines{
      {{roll.process_guid(), kBold}, {"  " + FromTo(roll)}, {"  roll " + roll.roll_id(), kDim}},
      StateLine(watched, now, reconnecting)};
  AddLines(slots, nullptr, lines);
  if (!slots.empty()) lines[3] = {{slots.front(), kDim}};
  AddLines(reason, kYellow, lines);
  AddLines(foot, halted ? ColourOf(roll.state()) : kDim, lines);
  const auto most = static_cast<std::size_t>(std::max(2, screen.rows - 1));
  if (lines.size() > most) lines.resize(most);
  return lines;
}

std::string Paint(const std::vector<StyledLine>& lines, const Screen& screen) {
  std::string text;
  for (const StyledLine& line : lines) {
    auto room = static_cast<std::size_t>(std::max(1, screen.columns));
    for (const Span& span : line) {
      const std::string fits = Cut(span.text, room);
      const bool coloured = screen.colour && span.colour && !fits.empty();
      text += coloured ? std::string("\x1b[") + span.colour + "m" + fits + "\x1b[0m" : fits;
    }
    text += "\n";
  }
  return text;
}

std::string StepLine(const v2::RollStep& step, std::int64_t opened_at) {
  std::string line = TimeOfDay(step.at()) + " +" + Age(opened_at == 0 ? step.at() : opened_at, step.at());
  if (step.index() >= 0) line += " slot " + std::to_string(step.index());
  line += " " + step.kind();
  if (!step.definition_identifier().empty()) line += " " + ShortDefinition(step.definition_identifier());
  if (!step.text().empty()) line += ": " + OneLine(step.text());
  if (!step.actor().empty() && step.actor() != "baton") line += " (by " + OneLine(step.actor()) + ")";
  if (step.start_ms() > 0) line += " (ready " + HumanDuration(step.start_ms()) + " after its claim)";
  if (step.stop_ms() > 0) line += " (drained and stopped in " + HumanDuration(step.stop_ms()) + ")";
  return line;
}

std::string HeadLine(const v2::Roll& roll) {
  return "roll " + roll.roll_id() + " of " + roll.process_guid() + ": " + FromTo(roll);
}

std::string EndLine(const v2::Roll& roll, std::int64_t now) {
  const bool open = !IsFinished(roll.state());
  std::string line = StateName(roll.state()) + " after " + Age(roll.opened_at(), open ? now : roll.finished_at());
  if (open) line += ", " + std::to_string(roll.updated()) + "/" + std::to_string(roll.instances()) + " updated";
  if (!roll.reason().empty()) line += ": " + OneLine(roll.reason());
  return line;
}

std::string Advice(const v2::Roll& roll) {
  const std::string& app = roll.process_guid();
  switch (roll.state()) {
    case v2::HELD:
      return "it waits for you: baton rollout explain " + app + ", then baton rollout retry " + app +
             " or baton rollout cancel " + app;
    case v2::PAUSED:
      return std::ranges::count(roll.paused_because(), v2::STAGE) > 0
                 ? "it waits at a stage: baton rollout promote " + app + " goes on at once"
                 : "it is paused: baton rollout resume " + app;
    case v2::ROLLED_BACK: return "see why: baton describe roll " + roll.roll_id();
    case v2::COMPLETED_WITH_GAPS: return "some slots keep their old instance: baton get instances --app " + app;
    case v2::SUPERSEDED: return "a newer definition came: baton rollout status " + app;
    default: return "";
  }
}

}  // namespace baton::cli
