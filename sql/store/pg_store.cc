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
constexpr std::size_t kMuch = 32;                    // calls: a batch that is worth its statements
constexpr auto kLong = milliseconds(10);             // a batch that takes longer is not waited for
constexpr auto kPublishTimeout = milliseconds(200);  // apps of a commit in doubt, where no other call comes meanwhile

void AnswerAll(const AppCommands& calls, const Error& error) {
  for (const auto& call : calls) call->End(error);
}

std::string Text(CallQueue::Why why) {
  switch (why) {
    case CallQueue::Why::kFull: return "too many calls wait for the database already";
    case CallQueue::Why::kFullOfApp: return "too many calls of this app wait for the database already";
    case CallQueue::Why::kSlow: return "the database is slow: this call would wait for it too long";
    case CallQueue::Why::kDeadline: return "the database is slow: the call's deadline would pass before its turn";
  }
  return "";
}

}  // namespace

struct PgStore::Writer {
  Writer(const Options& options, std::size_t which)
      : number(which), session(options.url, *options.cipher, Session::Plans::kPoints) {}
  const std::size_t number;
  std::set<ProcessGuid> unpublished;  // of its thread alone
  KeptSession session;
  DatabaseIds ids;
  std::thread thread;
};

PgStore::PgStore(Options options, Log& log, std::function<void()> deposed)
    : options_(std::move(options)), log_(log), deposed_(std::move(deposed)), queue_([this] {
        CallQueue::Limits limits = options_.queue;
        limits.writers = static_cast<std::size_t>(options_.writers);
        return limits;
      }()) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(options_.writers); ++i) {
    writers_.push_back(std::make_unique<Writer>(options_, i));
    writers_.back()->thread = std::thread([this, writer = writers_.back().get()] { Work(*writer); });
  }
}

PgStore::~PgStore() { Stop(); }

void PgStore::Stop() {
  Follow();
  stopping_ = true;
  {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
  for (auto& writer : writers_) {
    if (writer->thread.joinable()) writer->thread.join();
  }
}

void PgStore::Settle(Duration most) {
  std::unique_lock lock(mutex_);
  idle_.wait_for(lock, most, [&] { return queue_.empty() && writing_ == 0; });
}

void PgStore::Lead(const Leadership& leadership) {
  {
    const std::lock_guard lock(leadership_mutex_);
    leadership_ = leadership;
  }
  leading_ = true;
}

void PgStore::ExtendUntil(std::chrono::steady_clock::time_point until) { until_ = until.time_since_epoch().count(); }

void PgStore::Follow() {
  leading_ = false;
  known_.Clear();
}

bool PgStore::MayWrite() const {
  return leading_ && std::chrono::steady_clock::now().time_since_epoch().count() < until_;
}

PgStore::Counts PgStore::counts() const { return {batches_, calls_, retries_, in_doubt_}; }

std::size_t PgStore::waiting(Priority priority) const {
  const std::lock_guard lock(mutex_);
  return queue_.size(priority);
}

void PgStore::Submit(std::unique_ptr<AppCommand> command) {
  if (!MayWrite()) return command->End(NotLeading());
  std::optional<CallQueue::Refusal> refusal;
  {
    const std::lock_guard lock(mutex_);
    const CommandHeader& header = command->header();
    refusal = queue_.Put(command, CallQueue::Clock::now());
    if (!refusal && (writing_ == 0 || queue_.IsNews(header.guid, kMuch))) wake_.notify_one();
  }
  if (!refusal) return;
  if (options_.metrics) options_.metrics->Count("baton_calls_refused_total", Name(refusal->why));
  command->End(Error{ErrorKind::kResourceExhausted, Text(refusal->why), refusal->again});
}

void PgStore::AwaitBatch(Writer& writer, std::unique_lock<std::mutex>& lock) {
  const auto ready = [&] { return queue_.ready(writer.number); };
  const auto has_turn = [&] { return stopping_ || writing_ == 0 || ready() >= kMuch; };
  for (;;) {
    const auto called = [&] { return stopping_ || ready() > 0; };
    if (writer.unpublished.empty()) {
      wake_.wait(lock, called);
    } else {
      wake_.wait_for(lock, kPublishTimeout, called);
    }
    while (!has_turn() && CallQueue::Clock::now() < began_ + kLong) wake_.wait_until(lock, began_ + kLong);
    if (stopping_ || ready() > 0 || !writer.unpublished.empty()) return;  // or another writer took it meanwhile
  }
}

void PgStore::Work(Writer& writer) {
  std::unique_lock lock(mutex_);
  for (;;) {
    AwaitBatch(writer, lock);
    if (stopping_ && queue_.ready(writer.number) == 0) return;  // what is left is for those who have its apps
    ++writing_;
    began_ = CallQueue::Clock::now();
    CallQueue::Taken taken = queue_.Take(began_, writer.number);
    if (queue_.HasFree()) wake_.notify_one();  // more than one batch takes: another writer's, if this one is long
    lock.unlock();
    AnswerAll(taken.abandoned, Away("nobody waited for this call any more: it was not done"));
    if (!taken.calls.empty() || !writer.unpublished.empty()) PassGate(writer, std::move(taken.calls));
    lock.lock();
    queue_.Finished(CallQueue::Clock::now(), writer.number, writer.unpublished);
    --writing_;
    if (queue_.empty() && writing_ == 0) idle_.notify_all();
  }
}

void PgStore::PassGate(Writer& writer, AppCommands calls) {
  if (!options_.gate) return RunCalls(writer, std::move(calls), nullptr);
  const auto answer = [&](const std::string& why) {
    AnswerAll(calls, {ErrorKind::kUnavailable, why, kAskAgainWhenSwitched});
  };
  for (int tried = 1;; ++tried) {
    const WriteGate::Passage passage = options_.gate->Enter();
    if (passage) return RunCalls(writer, std::move(calls), passage.dual_writer());
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

void PgStore::RunCalls(Writer& writer, AppCommands calls, DualWriter* dual_writer) {
  Leadership leadership;
  {
    const std::lock_guard lock(leadership_mutex_);
    leadership = leadership_;
  }
  if (options_.gate) leadership.dual_writer = dual_writer;  // which of the two is wanted may change while it leads
  BatchResult result;
  for (int attempt = 1;; ++attempt) {
    if (!leading_) writer.unpublished.clear();  // whoever leads next begins with all rows
    if (!MayWrite()) return AnswerAll(calls, NotLeading());
    const auto session = writer.session.Get();
    if (!session) {
      log_.Warn("database_away", {{"error", writer.session.why()}});
      return AnswerAll(calls, DatabaseAway());
    }
    SessionError filled;  // not a thing to ask before each batch
    if (writer.ids.Lacks(calls.size())) {
      filled = (*session)->Transact(Session::Isolation::kEachAlone, [&](Session& s) {
        writer.ids.Fill(s, calls.size());
        return true;
      });
    }
    result = filled.ok() ? RunBatch(**session, leadership, writer.ids, calls, writer.unpublished,
                                    {listener_, routers_, options_.events, &known_}, /*again=*/attempt > 1)
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
    case BatchEnd::kFailed: return AfterFailure(writer, std::move(calls), dual_writer, result.error);
  }
}

void PgStore::AfterFailure(Writer& writer, AppCommands calls, DualWriter* dual_writer, const SessionError& error) {
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
      RunCalls(writer, std::move(one), dual_writer);
    }
    return;
  }
  if (error.fault == Fault::kInDoubt) {
    ++in_doubt_;
    // With a key the stored answer tells whether it was done; without one only the caller can look.
    const auto keyless = [](const auto& call) { return call->header().idempotency_key.empty(); };
    const auto keyed = std::ranges::stable_partition(calls, keyless);
    {
      const std::lock_guard lock(mutex_);
      queue_.PutBack({std::move_iterator(keyed.begin()), std::move_iterator(keyed.end())});
    }
    calls.erase(keyed.begin(), keyed.end());
    return AnswerAll(calls, Away("the database went away during the commit: it may have been done; read before asking "
                                 "again"));
  }
  if (error.fault == Fault::kTryAgain) {
    return AnswerAll(
        calls,
        Away("the database did not get to it: somebody holds its rows there, or it is overloaded; nothing was done"));
  }
  if (error.fault == Fault::kBroken) {
    return AnswerAll(calls, Away("the database went away; nothing was done"));
  }
  if (error.fault == Fault::kExhausted) return AnswerAll(calls, ExhaustedError(error));
  if (error.sqlstate == kKeyUsedUp) return AnswerAll(calls, {ErrorKind::kResourceExhausted, error.detail, kRetryAfter});
  const std::string which = error.constraint.empty() ? error.sqlstate : error.constraint;
  AnswerAll(calls, Error{ErrorKind::kInternal, "the database refused it (" + which + "); nothing was done", {}});
}

}  // namespace baton
