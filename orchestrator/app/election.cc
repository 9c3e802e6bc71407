#include "orchestrator/app/election.h"

namespace baton {

Election::Election(LeaseStore& store, Log& log, Timing timing, Events events)
    : store_(store), log_(log), timing_(timing), events_(std::move(events)), thread_([this] { Run(); }) {}

Election::~Election() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  thread_.join();
}

void Election::NoticeDeposed() {
  const std::lock_guard lock(mutex_);
  noticed_ = true;
  wake_.notify_all();
}

std::optional<LeaseView> Election::leader() const {
  const std::lock_guard lock(mutex_);
  return leader_;
}

void Election::Run() {
  for (;;) {
    bool noticed = false;
    {
      std::unique_lock lock(mutex_);
      if (stopping_) break;
      noticed = std::exchange(noticed_, false);
    }
    if (epoch_ && noticed) Depose("a writer found another leader");
    epoch_ ? Renew() : TryToLead();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, timing_.renew, [&] { return stopping_ || noticed_; });
  }
  if (!epoch_) return;
  const std::int64_t epoch = *epoch_;
  Depose("stopping");
  const Status resigned = store_.Resign(epoch);
  if (!resigned) log_.Warn("not_resigned", {{"error", resigned.error().message}});
}

bool Election::MayStand() {
  const Status may = events_.may_stand ? events_.may_stand() : Status(Done{});
  const std::string why = may ? "" : may.error().message;
  if (why != std::exchange(refused_, why) && !may) log_.Error("does_not_stand", {{"error", why}});
  if (may) return true;
  const auto view = store_.Read();
  const std::lock_guard lock(mutex_);
  leader_ = view ? *view : std::nullopt;
  return false;
}

void Election::TryToLead() {
  if (!MayStand()) return;
  const auto before = std::chrono::steady_clock::now();
  const auto taken = store_.Take(timing_.lease);
  if (!taken) {
    log_.Warn("election_failed", {{"error", taken.error().message}});
    return;
  }
  const auto view = store_.Read();
  {
    const std::lock_guard lock(mutex_);
    leader_ = view ? *view : std::nullopt;
  }
  if (!*taken) return;
  epoch_ = **taken;
  until_ = before + timing_.lease - timing_.margin;
  log_.Info("elected", {{"epoch", *epoch_}});
  events_.elected(*epoch_, until_);
}

void Election::Renew() {
  const auto before = std::chrono::steady_clock::now();
  // It slept for longer than its lease (a paused process or machine), and nobody led meanwhile: no cell could renew its
  // lease either. Elected anew it loads everything anew, and gives them time.
  if (before >= until_) {
    (void)store_.Resign(*epoch_);  // where it still runs by the database's clock, nobody need wait for its end
    return Depose("it was silent for longer than its lease");
  }
  const auto renewed = store_.Renew(*epoch_, timing_.lease);
  if (renewed && *renewed) {
    until_ = before + timing_.lease - timing_.margin;
    return events_.renewed(until_);
  }
  if (renewed) return Depose("the lease is another's");
  log_.Warn("lease_not_renewed", {{"error", renewed.error().message}});
  if (std::chrono::steady_clock::now() >= until_) Depose("the lease could not be renewed in time");
}

void Election::Depose(const char* why) {
  log_.Warn("deposed", {{"epoch", *epoch_}, {"why", why}});
  epoch_.reset();
  events_.deposed();
}

}  // namespace baton
