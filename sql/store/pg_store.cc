#include "sql/store/pg_store.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "orchestrator/base/check.h"
#include "orchestrator/base/errors.h"
#include "sql/session/kept_session.h"
#include "sql/store/fence.h"
#include "sql/store/ids.h"

namespace baton {
namespace {

constexpr Duration kRetryAfter = seconds(1);
constexpr Duration kAskAgainWhenSwitched = milliseconds(100);
constexpr Duration kHeldMax = seconds(2);  // while writes stop: they do for 1.5 s at most
constexpr int kTriesMax = 5;
constexpr auto kPublishTimeout = milliseconds(200);  // apps of a commit in doubt, where no other call comes meanwhile

void AnswerAll(const AppCommands& calls, const Error& error) {
  for (const auto& call : calls) call->End(error);
}

std::string Text(CallQueue::Why why) {
  switch (why) {
    case CallQueue::Why::kFull: return "too many calls wait for the database already";
    case CallQueue::Why::kFullOfApp: return "too many calls of this app wait for the database already";
    case CallQueue::Why::kSlow: return "the database is slow: this call would wait for it too long";
  }
  return "";
}

}  // namespace

struct PgStore::Shard {
  Shard(const Options& options)
      : queue(options.queue), session(options.url, *options.cipher, Session::Plans::kPoints) {}
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  bool busy = false;
  CallQueue queue;
  std::set<ProcessGuid> unpublished;  // of the worker's thread alone
  KeptSession session;
  DatabaseIds ids;
  std::thread thread;
};

PgStore::PgStore(Options options, Log& log, std::function<void()> deposed)
    : options_(std::move(options)), log_(log), deposed_(std::move(deposed)) {
  for (int i = 0; i < options_.shards; ++i) {
    shards_.push_back(std::make_unique<Shard>(options_));
    shards_.back()->thread = std::thread([this, shard = shards_.back().get()] { Work(*shard); });
  }
}

PgStore::~PgStore() { Stop(); }

void PgStore::Stop() {
  Follow();
  stopping_ = true;
  for (auto& shard : shards_) {
    {
      const std::lock_guard lock(shard->mutex);
      shard->wake.notify_all();
    }
    if (shard->thread.joinable()) shard->thread.join();
  }
}

void PgStore::Settle(Duration most) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (auto& shard : shards_) {
    std::unique_lock lock(shard->mutex);
    shard->idle.wait_until(lock, end, [&] { return shard->queue.empty() && !shard->busy; });
  }
}

void PgStore::Lead(const Leadership& leadership) {
  {
    const std::lock_guard lock(leadership_mutex_);
    leadership_ = leadership;
  }
  leading_ = true;
}

void PgStore::ExtendUntil(std::chrono::steady_clock::time_point until) { until_ = until.time_since_epoch().count(); }

void PgStore::Follow() { leading_ = false; }

bool PgStore::MayWrite() const {
  return leading_ && std::chrono::steady_clock::now().time_since_epoch().count() < until_;
}

PgStore::Counts PgStore::counts() const { return {batches_, calls_, retries_, in_doubt_}; }

std::size_t PgStore::waiting(Priority priority) const {
  std::size_t all = 0;
  for (const auto& shard : shards_) {
    const std::lock_guard lock(shard->mutex);
    all += shard->queue.size(priority);
  }
  return all;
}

void PgStore::Submit(std::unique_ptr<AppCommand> command) {
  if (!MayWrite()) return command->End(NotLeading());
  Shard& shard = *shards_[std::hash<ProcessGuid>()(command->header().guid) % shards_.size()];
  std::optional<CallQueue::Refusal> refusal;
  {
    const std::lock_guard lock(shard.mutex);
    refusal = shard.queue.Put(command, CallQueue::Clock::now());
    if (!refusal) shard.wake.notify_one();
  }
  if (!refusal) return;
  if (options_.metrics) options_.metrics->Count("baton_calls_refused_total", Name(refusal->why));
  command->End(Error{ErrorKind::kResourceExhausted, Text(refusal->why), refusal->again});
}

void PgStore::Work(Shard& shard) {
  for (;;) {
    CallQueue::Taken taken;
    {
      std::unique_lock lock(shard.mutex);
      shard.busy = false;
      shard.queue.Finished(CallQueue::Clock::now());
      if (shard.queue.empty()) shard.idle.notify_all();
      const auto called = [&] { return stopping_ || !shard.queue.empty(); };
      if (shard.unpublished.empty()) {
        shard.wake.wait(lock, called);
      } else {
        shard.wake.wait_for(lock, kPublishTimeout, called);
      }
      if (shard.queue.empty() && stopping_) return;
      shard.busy = true;
      taken = shard.queue.Take(CallQueue::Clock::now());
    }
    AnswerAll(taken.abandoned, Away("nobody waited for this call any more: it was not done"));
    if (!taken.calls.empty() || !shard.unpublished.empty()) PassGate(shard, std::move(taken.calls));
  }
}

void PgStore::PassGate(Shard& shard, AppCommands calls) {
  if (!options_.gate) return RunCalls(shard, std::move(calls), nullptr);
  const auto answer = [&](const std::string& why) {
    AnswerAll(calls, {ErrorKind::kUnavailable, why, kAskAgainWhenSwitched});
  };
  for (int tried = 1;; ++tried) {
    const WriteGate::Passage passage = options_.gate->Enter();
    if (passage) return RunCalls(shard, std::move(calls), passage.dual_writer());
    // Somebody outside asks again by himself; what this process does for itself is held, or it would be lost.
    const auto outside =
        std::ranges::partition(calls, [](const auto& call) { return call->header().priority == Priority::kRolls; });
    AppCommands own(std::make_move_iterator(calls.begin()), std::make_move_iterator(outside.begin()));
    calls.erase(calls.begin(), outside.begin());
    answer(passage.why_not());
    calls = std::move(own);
    if (calls.empty()) return;
    if (tried > 1) return answer(passage.why_not());
    options_.gate->Wait(kHeldMax);
  }
}

void PgStore::RunCalls(Shard& shard, AppCommands calls, DualWriter* dual_writer) {
  Leadership leadership;
  {
    const std::lock_guard lock(leadership_mutex_);
    leadership = leadership_;
  }
  if (options_.gate) leadership.dual_writer = dual_writer;  // which of the two is wanted may change while it leads
  BatchResult result;
  for (int attempt = 1;; ++attempt) {
    if (!leading_) shard.unpublished.clear();  // whoever leads next begins with all rows
    if (!MayWrite()) return AnswerAll(calls, NotLeading());
    const auto session = shard.session.Get();
    if (!session) {
      log_.Warn("database_away", {{"error", shard.session.why()}});
      return AnswerAll(calls, DatabaseAway());
    }
    SessionError filled;  // not a thing to ask before each batch
    if (shard.ids.Lacks(calls.size())) {
      filled = (*session)->Transact(Session::Isolation::kEachAlone, [&](Session& s) {
        shard.ids.Fill(s, calls.size());
        return true;
      });
    }
    result = filled.ok() ? RunBatch(**session, leadership, shard.ids, calls, shard.unpublished, listener_, routers_,
                                    options_.events)
                         : BatchResult{.error = filled};
    if (result.error.fault != Fault::kTryAgain || attempt == kTriesMax) break;
    ++retries_;
    log_.Info("batch_again", {{"sqlstate", result.error.sqlstate}, {"attempt", attempt}});
  }
  ++batches_;
  calls_ += calls.size();
  switch (result.end) {
    case BatchEnd::kCommitted:
      for (std::size_t i = 0; i < calls.size(); ++i) calls[i]->End(result.outcomes[i]);
      return;
    case BatchEnd::kNotLeading:
      if (leading_.exchange(false)) deposed_();
      return AnswerAll(calls, Away(kAnotherLeads));
    case BatchEnd::kFailed: return AfterFailure(shard, std::move(calls), dual_writer, result.error);
  }
}

void PgStore::AfterFailure(Shard& shard, AppCommands calls, DualWriter* dual_writer, const SessionError& error) {
  log_.Warn("batch_failed", {{"sqlstate", error.sqlstate},
                             {"constraint", error.constraint},
                             {"error", error.detail},
                             {"calls", calls.size()}});
  if (error.sqlstate == kNoPrivilege) {
    return AnswerAll(calls, {ErrorKind::kInternal, "the database refused it (42501); nothing was done: " + std::string(kCheckDatabase), {}});
  }
  if (error.fault == Fault::kConstraint && calls.size() > 1) {
    // One call's bad data must not fail its neighbours: each alone.
    for (auto& call : calls) {
      AppCommands one;
      one.push_back(std::move(call));
      RunCalls(shard, std::move(one), dual_writer);
    }
    return;
  }
  if (error.fault == Fault::kInDoubt) {
    ++in_doubt_;
    // With a key the stored answer tells whether it was done; without one only the caller can look.
    const auto keyless = [](const auto& call) { return call->header().idempotency_key.empty(); };
    const auto keyed = std::ranges::stable_partition(calls, keyless);
    {
      const std::lock_guard lock(shard.mutex);
      shard.queue.PutBack({std::move_iterator(keyed.begin()), std::move_iterator(keyed.end())});
    }
    calls.erase(keyed.begin(), keyed.end());
    return AnswerAll(calls, Away("the database went away during the commit: it may have been done; read before asking "
                                 "again"));
  }
  if (error.fault == Fault::kBroken || error.fault == Fault::kTryAgain) {
    return AnswerAll(calls, Away("the database went away; nothing was done"));
  }
  if (error.fault == Fault::kExhausted) return AnswerAll(calls, ExhaustedError(error));
  if (error.sqlstate == kKeyUsedUp) return AnswerAll(calls, {ErrorKind::kResourceExhausted, error.detail, kRetryAfter});
  const std::string which = error.constraint.empty() ? error.sqlstate : error.constraint;
  AnswerAll(calls, Error{ErrorKind::kInternal, "the database refused it (" + which + "); nothing was done", {}});
}

}  // namespace baton
