#include "sql/store/call_queue.h"

#include <algorithm>
#include <iterator>

namespace baton {
namespace {

constexpr Duration kAgainMin = milliseconds(100);
constexpr Duration kAgainMax = seconds(30);
constexpr int kSpread = 8;  // hints that are told one after the other: from the wait itself to almost twice as much

Duration Since(CallQueue::Clock::time_point then, CallQueue::Clock::time_point now) {
  return std::chrono::duration_cast<Duration>(now - then);
}

}  // namespace

std::string_view Name(CallQueue::Why why) {
  switch (why) {
    case CallQueue::Why::kFull: return "full";
    case CallQueue::Why::kFullOfApp: return "app";
    case CallQueue::Why::kSlow: return "slow";
  }
  return "";
}

std::string_view Name(Priority priority) { return priority == Priority::kRolls ? "rolls" : "callers"; }

std::optional<CallQueue::Refusal> CallQueue::Put(std::unique_ptr<AppCommand>& call, Clock::time_point now) {
  const CommandHeader& header = call->header();
  Lines& lines = Of(header.priority);
  const bool caller = header.priority == Priority::kCallers;
  const Duration wait = WaitOf(header, now);
  std::optional<Why> why;
  if (lines.size >= limits_.waiting) {
    why = Why::kFull;
  } else if (caller && WaitingOf(header) >= limits_.waiting_of_app) {
    why = Why::kFullOfApp;
  } else if (caller && wait > limits_.wait) {
    why = Why::kSlow;
  }
  if (why) {
    const Duration again = std::clamp(wait, kAgainMin, kAgainMax);
    return Refusal{*why, again + again * static_cast<int>(refused_++ % kSpread) / kSpread};
  }
  std::deque<Waiting>& line = lines.of_app[header.guid];
  if (line.empty()) lines.turns.push_back(header.guid);
  line.push_back({std::move(call)});
  ++lines.size;
  return std::nullopt;
}

void CallQueue::PutBack(AppCommands calls) {
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    const CommandHeader& header = (*call)->header();
    Lines& lines = Of(header.priority);
    std::deque<Waiting>& line = lines.of_app[header.guid];
    if (line.empty()) lines.turns.push_front(header.guid);
    line.push_front({std::move(*call), /*put_back=*/true});
    ++lines.size;
  }
}

CallQueue::Taken CallQueue::Take(Clock::time_point now) {
  Taken taken;
  TakeBatch(taken);
  if (taken.calls.empty()) TakeBatch(taken);  // nobody waits but who sat it out
  began_ = now;
  return taken;
}

void CallQueue::TakeBatch(Taken& taken) {
  const std::size_t for_callers = std::min(limits_.callers_min, size(Priority::kCallers));
  TakeTurns(Of(Priority::kRolls), limits_.batch - for_callers, taken);
  TakeTurns(Of(Priority::kCallers), limits_.batch, taken);
}

// Until the batch has `most` calls: one of each app, and again, as long as there are any that it may take.
void CallQueue::TakeTurns(Lines& lines, std::size_t most, Taken& taken) const {
  std::unordered_map<ProcessGuid, std::size_t> of_app;
  std::deque<ProcessGuid> had_theirs;
  while (taken.calls.size() < most && !lines.turns.empty()) {
    const ProcessGuid guid = std::move(lines.turns.front());
    lines.turns.pop_front();
    const auto at = lines.of_app.find(guid);
    std::deque<Waiting>& line = at->second;
    const bool abandoned = !line.front().put_back && line.front().call->Abandoned();
    (abandoned ? taken.abandoned : taken.calls).push_back(std::move(line.front().call));
    line.pop_front();
    --lines.size;
    const bool had_its = !abandoned && ++of_app[guid] >= limits_.app_in_batch;
    if (line.empty()) {
      lines.of_app.erase(at);
    } else {
      (had_its ? had_theirs : lines.turns).push_back(guid);
    }
  }
  std::ranges::move(lines.resting, std::back_inserter(lines.turns));
  lines.resting = std::move(had_theirs);
}

void CallQueue::Finished(Clock::time_point now) {
  if (!began_) return;
  usual_ += (Since(*began_, now) - usual_) / 4;
  began_.reset();
}

std::size_t CallQueue::WaitingOf(const CommandHeader& call) const {
  const Lines& lines = Of(call.priority);
  const auto at = lines.of_app.find(call.guid);
  return at == lines.of_app.end() ? 0 : at->second.size();
}

// How long until it would be taken: what is under way, and the batches that what is before it fills. Counted in batches,
// as a batch of one call takes almost as long as one of many. A batch that takes longer than usual is the new usual.
Duration CallQueue::WaitOf(const CommandHeader& call, Clock::time_point now) const {
  if (!began_) return Duration(0);
  const Lines& lines = Of(call.priority);
  const std::size_t own = WaitingOf(call);
  const std::size_t others = lines.apps() - (own > 0 ? 1 : 0);
  const std::size_t before = std::min(lines.size, own + others * (own + 1));
  const std::size_t rolls = std::min(size(Priority::kRolls), limits_.batch - limits_.callers_min);
  const std::size_t places = call.priority == Priority::kRolls ? limits_.batch : limits_.batch - rolls;
  const std::size_t own_batches = own / limits_.app_in_batch * (others > 0 ? 2 : 1);
  const std::size_t batches = 1 + std::max(before / places, own_batches);
  return std::max(usual_, Since(*began_, now)) * static_cast<std::int64_t>(batches);
}

}  // namespace baton
