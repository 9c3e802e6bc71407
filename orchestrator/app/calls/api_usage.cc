#include "orchestrator/app/calls/api_usage.h"

#include <algorithm>
#include <future>
#include <memory>
#include <utility>

#include "orchestrator/base/errors.h"

namespace baton {
namespace {

Duration Ago(ApiUsage::Steady::time_point at, ApiUsage::Steady::time_point now) {
  return std::chrono::duration_cast<Duration>(now - at);
}

}  // namespace

ApiUsage::ApiUsage(ApiUsageStore& store, Log& log, Metrics& metrics, Options options)
    : store_(store), log_(log), metrics_(metrics), options_(options),
      ticker_(
          options.every, [this] { return Tick(); }, [this] { Tick(); }) {}

void ApiUsage::Add(Tallies& to, const KeyView& key, const Tally& tally) const {
  auto at = to.find(key);
  if (at == to.end()) {
    const bool room = to.size() < options_.rows_max;
    at = to.try_emplace(Key{key.method, room ? std::string(key.caller) : kOtherCallers}, Tally{0, tally.first, {}}).first;
  }
  Tally& total = at->second;
  total.calls += tally.calls;
  total.first = std::min(total.first, tally.first);
  total.last = std::max(total.last, tally.last);
}

void ApiUsage::Count(const ApiMethod& method, std::string_view caller) {
  const auto now = Steady::now();
  const std::lock_guard lock(counting_);
  Add(counted_, {&method, caller}, {1, now, now});
}

// Under mutex_: what was counted since the last time, to where it belongs by whether this process leads.
void ApiUsage::Gather() {
  Tallies counted;
  {
    const std::lock_guard lock(counting_);
    counted.swap(counted_);
  }
  for (const auto& [key, tally] : counted) {
    metrics_.Count("baton_api_calls_total", key.method->api + " " + key.method->name, static_cast<double>(tally.calls));
    if (leading_) Add(kept_, {key.method, key.caller}, tally);
  }
}

void ApiUsage::Lead() {
  const std::lock_guard lock(mutex_);
  Gather();
  leading_ = true;
}

void ApiUsage::Follow() {
  const std::lock_guard lock(mutex_);
  Gather();
  leading_ = false;
}

void ApiUsage::Settle(Duration timeout) {
  const auto done = std::make_shared<std::promise<void>>();
  Look([done](const Result<Report>&) { done->set_value(); });
  (void)done->get_future().wait_for(timeout);
}

void ApiUsage::Look(Answer answer) {
  {
    const std::lock_guard lock(mutex_);
    if (!ticker_.stopping()) {
      asked_.push_back(std::move(answer));
      return ticker_.Wake();
    }
  }
  answer(NotLeading());
}

Ticker::Wait ApiUsage::Tick() {
  std::unique_lock lock(mutex_);
  Gather();
  const auto asked = std::exchange(asked_, {});
  const bool leading = leading_ && !ticker_.stopping();
  lock.unlock();
  if (leading && asked.empty()) (void)Flush();
  if (!asked.empty()) {
    const Result<Report> report = leading ? Read() : Result<Report>(NotLeading());
    for (const Answer& answer : asked) answer(report);
  }
  return options_.every;
}

// Whether the data has a place for them.
Result<bool> ApiUsage::Flush() {
  Tallies taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(kept_);
  }
  std::vector<ApiCalls> calls;
  const auto now = Steady::now();
  for (const auto& [key, tally] : taken) {
    calls.push_back({*key.method, key.caller, tally.calls, Ago(tally.first, now), Ago(tally.last, now)});
  }
  auto added = store_.Add(calls);
  if (added && *added) {
    Told("");
    return added;
  }
  Told(added ? "the data, of an older schema, has no place for it" : added.error().message);
  // Where it is in doubt they are counted twice rather than not at all: a caller that comes once a month is not missed.
  const std::lock_guard lock(mutex_);
  for (const auto& [key, tally] : taken) Add(kept_, {key.method, key.caller}, tally);
  return added;
}

Result<ApiUsage::Report> ApiUsage::Read() {
  const auto stored = Flush();
  if (!stored) return Error{ErrorKind::kUnavailable, "what was counted cannot be written down at the moment", seconds(1)};
  if (*stored) {
    auto uses = store_.Read();
    return uses ? Result<Report>(Report{*std::move(uses), true}) : Result<Report>(uses.error());
  }
  Report report{{}, false};
  const auto now = Steady::now();
  const auto today = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  const std::lock_guard lock(mutex_);
  for (const auto& [key, tally] : kept_) {
    report.uses.push_back({*key.method, key.caller, tally.calls, today - Ago(tally.first, now), today - Ago(tally.last, now)});
  }
  std::ranges::sort(report.uses, {}, [](const ApiUse& use) { return std::tie(use.method.api, use.method.name, use.caller); });
  return report;
}

// Once, and not at each try.
void ApiUsage::Told(const std::string& trouble) {
  if (trouble == trouble_) return;
  if (!trouble.empty()) log_.Warn("api_usage_not_stored", {{"why", trouble}});
  trouble_ = trouble;
}

}  // namespace baton
