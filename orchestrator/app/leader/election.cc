#include "orchestrator/app/leader/election.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "orchestrator/base/errors.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Election::Election(LeaseStore& store, Log& log, Timing timing, Events events)
    : store_(store), log_(log), timing_(timing), events_(std::move(events)),
      ticker_(
          Ticker::Wait(0), [this] { return Tick(); }, [this] { Stop(); }) {}

void Election::NoticeDeposed() {
  const std::lock_guard lock(mutex_);
  noticed_ = true;
  ticker_.Wake();
}

void Election::GiveUp(const std::string& why, Duration rest) {
  const std::lock_guard lock(mutex_);
  give_up_ = why;
  rest_ = rest;
  noticed_ = true;
  ticker_.Wake();
}

std::optional<LeaseView> Election::leader() const {
  const std::lock_guard lock(mutex_);
  return leader_;
}

Ticker::Wait Election::Tick() {
  bool noticed = false;
  std::string give_up;
  Duration rest{};
  {
    const std::lock_guard lock(mutex_);
    noticed = std::exchange(noticed_, false);
    give_up = std::exchange(give_up_, {});
    rest = std::exchange(rest_, {});
  }
  if (epoch_ && !give_up.empty()) {
    const std::int64_t epoch = *epoch_;
    rests_until_ = Clock::now() + rest;
    rests_for_ = give_up;
    Depose(give_up.c_str());
    Resign(epoch);
  }
  if (epoch_ && noticed) Depose("a writer found another leader");
  epoch_ ? Renew() : TryToLead();
  return UntilNextLook();
}

void Election::Stop() {
  if (!epoch_) return;
  const std::int64_t epoch = *epoch_;
  Depose("stopping");
  Resign(epoch);
}

void Election::Resign(std::int64_t epoch) {
  const auto resigned =
      executor_.Run<Status>(Clock::now() + timing_.lease, [this, epoch] { return store_.Resign(epoch); });
  const std::string wrong = resigned ? *resigned ? "" : resigned->error().message : kDatabaseAway;
  if (!wrong.empty()) log_.Warn("not_resigned", {{"error", wrong}});
}

// The end of another's lease is not slept through.
Ticker::Wait Election::UntilNextLook() const {
  if (epoch_) return std::clamp<Ticker::Wait>(until_ - Clock::now(), Ticker::Wait(0), timing_.renew);
  const std::lock_guard lock(mutex_);
  if (!leader_ || !leader_->running) return timing_.poll;
  return std::clamp(leader_->remaining, Duration(milliseconds(5)), timing_.poll);
}

// A call that comes back when nobody waits for it any more, with a lease that nobody will use, gives it up.
void Election::TryToLead() {
  const auto read = [this]() -> Result<std::optional<LeaseView>> {
    auto answer =
        executor_.Run<Result<std::optional<LeaseView>>>(Clock::now() + timing_.lease, [this] { return store_.Read(); });
    return answer ? *std::move(answer) : Error{ErrorKind::kUnavailable, kDatabaseAway, {}};
  };
  const auto view = read();
  {
    const std::lock_guard lock(mutex_);
    leader_ = view ? *view : std::nullopt;
  }
  if (!view) {
    log_.Warn("election_failed", {{"error", view.error().message}});
    return Looked({}, Error{ErrorKind::kUnavailable, view.error().message, {}});
  }
  if (*view && (*view)->running) return Looked(*view, Done{});
  if (Clock::now() < rests_until_) return Looked(*view, Error{ErrorKind::kFailedPrecondition, rests_for_, {}});
  const Status may_stand = events_.may_stand ? events_.may_stand() : Status(Done{});
  if (!may_stand) return Looked(*view, may_stand);
  const auto before = Clock::now();
  const auto until = before + timing_.lease - timing_.margin;
  const auto given_up = std::make_shared<std::atomic<bool>>(false);
  const auto answer = executor_.Run<Result<std::optional<std::int64_t>>>(until, [this, given_up] {
    auto taken = store_.Take(timing_.lease);
    if (*given_up && taken && *taken) (void)store_.Resign(**taken);
    return taken;
  });
  *given_up = !answer;
  if (!answer || !*answer) {
    const std::string why = answer ? answer->error().message : kDatabaseAway;
    log_.Warn("election_failed", {{"error", why}});
    return Looked({}, Error{ErrorKind::kUnavailable, why, {}});
  }
  const auto& taken = *answer;
  const auto now = read();
  {
    const std::lock_guard lock(mutex_);
    leader_ = now ? *now : std::nullopt;
  }
  if (!*taken) return Looked(now ? *now : std::nullopt, Done{});
  epoch_ = **taken;
  until_ = until;
  log_.Info("elected", {{"epoch", *epoch_}});
  events_.elected(*epoch_, until_);
}

void Election::Looked(const std::optional<LeaseView>& leader, const Status& may_stand) {
  if (events_.looked) events_.looked(leader, may_stand);
}

void Election::Renew() {
  const auto before = Clock::now();
  // It slept for longer than its lease (a paused process or machine), and nobody led meanwhile: no cell could renew its
  // lease either. Elected anew it loads everything anew, and gives them time.
  if (before >= until_) {
    const std::int64_t epoch = *epoch_;
    Depose("it was silent for longer than its lease");
    return Resign(epoch);  // where it still runs by the database's clock, nobody need wait for its end
  }
  const auto given_up = std::make_shared<std::atomic<bool>>(false);
  const auto answer = executor_.Run<Result<bool>>(until_, [this, given_up, epoch = *epoch_] {
    auto held = store_.Renew(epoch, timing_.lease);
    if (*given_up && held && *held) (void)store_.Resign(epoch);
    return held;
  });
  *given_up = !answer;
  if (events_.asked) events_.asked(std::chrono::duration_cast<Duration>(Clock::now() - before));
  if (!answer) return Depose("the database did not answer while the lease ran");
  const auto& renewed = *answer;
  if (renewed && *renewed) {
    until_ = before + timing_.lease - timing_.margin;
    return events_.renewed(until_);
  }
  if (renewed) return Depose("the lease is another's, or has ended by the database's clock");
  log_.Warn("lease_not_renewed", {{"error", renewed.error().message}});
  if (Clock::now() >= until_) Depose("the lease could not be renewed in time");
}

void Election::Depose(const char* why) {
  log_.Warn("deposed", {{"epoch", *epoch_}, {"why", why}});
  epoch_.reset();
  events_.deposed();
}

}  // namespace baton
