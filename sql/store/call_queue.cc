#include "sql/store/call_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "orchestrator/base/check.h"

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
    case CallQueue::Why::kDeadline: return "deadline";
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
  } else if (caller && wait > header.patience) {
    why = Why::kDeadline;
  }
  if (why) {
    const Duration again = std::clamp(wait, kAgainMin, kAgainMax);
    return Refusal{*why, again + again * static_cast<int>(refused_++ % kSpread) / kSpread};
  }
  std::deque<Waiting>& line = lines.of_app[header.guid];
  if (line.empty()) lines.turns.push_back(header.guid);
  line.push_back({std::move(call)});
  ++lines.size;
  if (const auto at = writer_of_.find(header.guid); at != writer_of_.end()) ++writers_[at->second].waiting;
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
    if (const auto at = writer_of_.find(header.guid); at != writer_of_.end()) ++writers_[at->second].waiting;
  }
}

CallQueue::Taken CallQueue::Take(Clock::time_point now, std::size_t writer) {
  Taken taken;
  TakeBatch(taken, writer);
  if (taken.calls.empty()) TakeBatch(taken, writer);  // nobody waits but who sat it out
  writers_[writer].began = now;
  std::set<ProcessGuid> apps = writers_[writer].apps;
  for (const auto& call : taken.calls) apps.insert(call->header().guid);
  Own(writer, std::move(apps));
  return taken;
}

void CallQueue::Own(std::size_t writer, std::set<ProcessGuid> apps) {
  Writing& writing = writers_[writer];
  for (const ProcessGuid& app : writing.apps) writer_of_.erase(app);
  writing.apps = std::move(apps);
  writing.waiting = 0;
  for (const ProcessGuid& app : writing.apps) {
    CHECK(writer_of_.emplace(app, writer).second);
    for (const Lines& lines : lines_) {
      if (const auto line = lines.of_app.find(app); line != lines.of_app.end()) writing.waiting += line->second.size();
    }
  }
}

std::size_t CallQueue::ready(std::size_t writer) const {
  return waiting() - (waiting_with_writers() - writers_[writer].waiting);
}

std::size_t CallQueue::waiting_with_writers() const {
  std::size_t sum = 0;
  for (const Writing& writing : writers_) sum += writing.waiting;
  return sum;
}

bool CallQueue::IsNews(const ProcessGuid& app, std::size_t much) const {
  if (const auto owner = writer_of_.find(app); owner != writer_of_.end()) return !writers_[owner->second].began;
  const std::size_t free = waiting() - waiting_with_writers();
  return free == 1 || free >= much;
}

void CallQueue::TakeBatch(Taken& taken, std::size_t writer) {
  const std::size_t for_callers = std::min(limits_.callers_min, size(Priority::kCallers));
  TakeTurns(Of(Priority::kRolls), limits_.batch - for_callers, taken, writer);
  TakeTurns(Of(Priority::kCallers), limits_.batch, taken, writer);
}

// Until the batch has `most` calls: one of each app, and again, as long as there are any that it may take.
void CallQueue::TakeTurns(Lines& lines, std::size_t most, Taken& taken, std::size_t writer) const {
  std::unordered_map<ProcessGuid, std::size_t> of_app;
  std::deque<ProcessGuid> had_theirs, with_others;
  while (taken.calls.size() < most && !lines.turns.empty()) {
    const ProcessGuid guid = std::move(lines.turns.front());
    lines.turns.pop_front();
    if (const auto owner = writer_of_.find(guid); owner != writer_of_.end() && owner->second != writer) {
      with_others.push_back(guid);
      continue;
    }
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
  lines.turns.insert(lines.turns.begin(), with_others.begin(), with_others.end());
  std::ranges::move(lines.resting, std::back_inserter(lines.turns));
  lines.resting = std::move(had_theirs);
}

void CallQueue::Finished(Clock::time_point now, std::size_t writer, const std::set<ProcessGuid>& kept) {
  Writing& writing = writers_[writer];
  if (!writing.began) return;
  usual_ += (Since(*writing.began, now) - usual_) / 4;
  writing.began.reset();
  Own(writer, kept);
}

std::size_t CallQueue::WaitingOf(const CommandHeader& call) const {
  const Lines& lines = Of(call.priority);
  const auto at = lines.of_app.find(call.guid);
  return at == lines.of_app.end() ? 0 : at->second.size();
}

// The batch that a call of this app waits for first: its writer's, or the one that ends next.
std::optional<CallQueue::Clock::time_point> CallQueue::BeganBefore(const ProcessGuid& app) const {
  if (const auto owner = writer_of_.find(app); owner != writer_of_.end()) return writers_[owner->second].began;
  std::optional<Clock::time_point> newest;
  for (const Writing& writing : writers_) {
    if (!writing.began) return std::nullopt;
    newest = std::max(newest, writing.began);
  }
  return newest;
}

// How long until it would be taken: what is under way, and the batches that what is before it fills. Counted in batches,
// as a batch of one call takes almost as long as one of many. A batch that takes longer than usual is the new usual.
Duration CallQueue::WaitOf(const CommandHeader& call, Clock::time_point now) const {
  const auto began = BeganBefore(call.guid);
  if (!began) return Duration(0);
  const Lines& lines = Of(call.priority);
  const std::size_t own = WaitingOf(call);
  const std::size_t others = lines.apps() - (own > 0 ? 1 : 0);
  const std::size_t before = std::min(lines.size, own + others * (own + 1));
  const std::size_t rolls = std::min(size(Priority::kRolls), limits_.batch - limits_.callers_min);
  const std::size_t places = call.priority == Priority::kRolls ? limits_.batch : limits_.batch - rolls;
  const std::size_t own_batches = own / limits_.app_in_batch * (others > 0 ? 2 : 1);
  const std::size_t batches = 1 + std::max(before / places / writers_.size(), own_batches);
  return std::max(usual_, Since(*began, now)) * static_cast<std::int64_t>(batches);
}

}  // namespace baton
