#include "orchestrator/app/leader/roller.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace baton {
namespace {

constexpr std::size_t kAppsOfATick = 25;  // at most: where many are on their way a round takes longer

// Decides nothing: the listener is told all rows of the app.
class TellAnewCommand final : public AppCommand {
 public:
  TellAnewCommand(CommandHeader header, std::function<void()> done)
      : AppCommand(std::move(header)), done_(std::move(done)) {}
  Status Decide(AppEdit&) override { return Done{}; }
  void End(const Status&) override { done_(); }

 private:
  const std::function<void()> done_;
};

CommandHeader OfAllRows(CommandHeader header) {
  header.instance.reset();
  return header;
}

}  // namespace

// Only the planner, after it.
class Roller::Look final : public AppCommand {
 public:
  Look(Roller& roller, const ProcessGuid& guid)
      : AppCommand({.name = "plan", .guid = guid, .actor = "baton"}), roller_(roller) {}
  Status Decide(AppEdit&) override { return Done{}; }
  void End(const Status& status) override {
    roller_.loop_.Post([&roller = roller_, guid = header().guid, status] { roller.Finished(guid, status); });
  }

 private:
  Roller& roller_;
};

// With the planner after it, on all rows of the app, and followed when it is committed.
class Roller::DrivenCommand : public WrappedCommand {
 public:
  DrivenCommand(Roller& roller, std::unique_ptr<AppCommand> inner, bool answer_first = false)
      : WrappedCommand(OfAllRows(inner->header()), std::move(inner)), roller_(roller), answer_first_(answer_first) {}

  Status Decide(AppEdit& edit) final {
    outcome_->decided_at = edit.now();
    if (Status refused = inner_->Decide(edit); !refused) return refused;
    outcome_->effects = RunPlanner(edit);
    outcome_->effects.asked_at = asked_at_;
    return Done{};
  }
  void End(const Status& status) final {
    if (answer_first_) AnswerInner(status);
    // Followed before any other caller is answered: who was told that an app is wanted, may look for what became of it.
    if (status && !outcome_->effects.guid.empty()) {
      roller_.loop_.Post(
          [&roller = roller_, outcome = outcome_] { roller.Followed(outcome->effects, outcome->decided_at); });
    }
    if (!answer_first_) AnswerInner(status);
  }

 protected:
  virtual void AnswerInner(const Status& status) { inner_->End(status); }
  Roller& roller_;

 private:
  struct Outcome {
    Effects effects;
    TimePoint decided_at;
  };
  const bool answer_first_;
  const Loop::Steady::time_point asked_at_ = Loop::Steady::now();
  const std::shared_ptr<Outcome> outcome_ = std::make_shared<Outcome>();
};

// A report of one instance in the commit that looks at its app.
class Roller::DrivenStart final : public DrivenCommand {
 public:
  using DrivenCommand::DrivenCommand;

 private:
  void AnswerInner(const Status& status) override {
    roller_.loop_.Post([&roller = roller_, guid = header().guid] { roller.Finished(guid, Done{}); });
    // What else is wrong with the app is no reason to refuse what is true of this instance.
    const bool of_others =
        !status && (status.error().kind == ErrorKind::kDataLoss || status.error().kind == ErrorKind::kInternal);
    of_others ? roller_.DoInstance(std::move(inner_), /*wake=*/true) : inner_->End(status);
  }
};

// Its app is woken when it is committed.
class Roller::WakingCommand final : public WrappedCommand {
 public:
  WakingCommand(Roller& roller, std::unique_ptr<AppCommand> inner)
      : WrappedCommand(inner->header(), std::move(inner)), roller_(roller) {}
  void End(const Status& status) override {
    if (status) roller_.Wake(header().guid);
    inner_->End(status);
  }

 private:
  Roller& roller_;
};

Roller::Roller(Store& store, Loop& loop, Log& log, Metrics& metrics, std::function<void(const Effects&)> follow)
    : Roller(store, loop, log, metrics, std::move(follow), Timing()) {}

Roller::Roller(Store& store, Loop& loop, Log& log, Metrics& metrics, std::function<void(const Effects&)> follow,
               Timing timing)
    : store_(store), loop_(loop), log_(log), metrics_(metrics), follow_(std::move(follow)), timing_(timing) {}

void Roller::Lead() {
  leading_ = true;
  looked_up_to_ = ProcessGuid();
  Tick(++life_);
}

void Roller::Follow() {
  leading_ = false;
  ++life_;
  timers_.clear();
  open_.clear();
  moving_.clear();
  waiting_.clear();
}

void Roller::Tick(int life) {
  if (life != life_) return;
  if (looked_up_to_.empty()) round_began_ = Loop::Steady::now();
  const std::size_t share = (open_.size() + moving_.size()) * timing_.tick / timing_.round + 1;
  for (std::size_t i = 0; i < std::min(share, kAppsOfATick); ++i) {
    const auto open = open_.upper_bound(looked_up_to_);
    const auto moving = moving_.upper_bound(looked_up_to_);
    if (open == open_.end() && moving == moving_.end()) {
      looked_up_to_ = ProcessGuid();
      break;
    }
    looked_up_to_ = moving == moving_.end() || (open != open_.end() && *open < *moving) ? *open : *moving;
    WakeOnLoop(looked_up_to_);
  }
  const auto left = std::chrono::ceil<Duration>(round_began_ + timing_.round - Loop::Steady::now());
  loop_.After(looked_up_to_.empty() ? std::max(left, timing_.tick) : timing_.tick, [this, life] { Tick(life); });
}

void Roller::Wake(const ProcessGuid& guid) {
  loop_.Post([this, guid] { WakeOnLoop(guid); });
}

void Roller::WakeAllOnTheirWay() {
  loop_.Post([this] {
    for (const ProcessGuid& guid : open_) WakeOnLoop(guid);
    waiting_.insert(moving_.begin(), moving_.end());
    NextInTurn();
  });
}

void Roller::WakeInTurn(const ProcessGuid& guid) {
  loop_.Post([this, guid] {
    waiting_.insert(guid);
    NextInTurn();
  });
}

void Roller::WakeOnLoop(const ProcessGuid& guid) {
  if (!leading_) return;
  waiting_.erase(guid);
  Begin(guid, /*in_turn=*/false);
}

void Roller::Begin(const ProcessGuid& guid, bool in_turn) {
  App& app = apps_[guid];
  if (app.running) {
    app.again = true;
    return;
  }
  app = {.running = true, .in_turn = in_turn};
  if (in_turn) ++in_turn_;
  Do(std::make_unique<Look>(*this, guid));
}

void Roller::NextInTurn() {
  if (!leading_) return waiting_.clear();
  while (!turns_held_ && in_turn_ < timing_.in_turn && !waiting_.empty()) {
    auto next = waiting_.upper_bound(last_turn_);  // and not the first: it may be woken again and again
    if (next == waiting_.end()) next = waiting_.begin();
    last_turn_ = *next;
    waiting_.erase(next);
    Begin(last_turn_, /*in_turn=*/true);
  }
}

void Roller::HoldTurns() {
  if (std::exchange(turns_held_, true)) return;
  loop_.After(timing_.after_refusal, [this] {
    turns_held_ = false;
    NextInTurn();
  });
}

void Roller::WakeLater(const ProcessGuid& guid, Duration delay) {
  const auto at = Loop::Steady::now() + delay;
  const auto known = timers_.find(guid);
  if (known != timers_.end() && known->second <= at && known->second > Loop::Steady::now()) return;
  timers_[guid] = at;
  loop_.After(delay, [this, guid, at, life = life_] {
    if (life != life_) return;
    const auto timer = timers_.find(guid);
    if (timer != timers_.end() && timer->second == at) timers_.erase(timer);
    WakeOnLoop(guid);
  });
}

void Roller::OpenRolls(std::function<void(std::set<ProcessGuid>)> done) {
  loop_.Post([this, done = std::move(done)] {
    std::set<ProcessGuid> effects = open_;
    for (const auto& [guid, app] : apps_) effects.insert(guid);  // being looked at just now
    done(std::move(effects));
  });
}

void Roller::Finished(const ProcessGuid& guid, const Status& status) {
  const App app = apps_[guid];
  apps_.erase(guid);
  if (app.in_turn) --in_turn_;
  if (!status) {
    log_.Warn("plan_failed", {{"app", guid.str()}, {"error", status.error().message}});
    if (app.in_turn && IsTransient(status.error())) {
      waiting_.insert(guid);
      HoldTurns();
    } else if (leading_) {
      WakeLater(guid, timing_.after_refusal);
    }
  } else if (app.again) {
    WakeOnLoop(guid);
  }
  NextInTurn();
}

void Roller::Do(std::unique_ptr<AppCommand> command) {
  store_.Submit(std::make_unique<DrivenCommand>(*this, std::move(command)));
}

void Roller::DoReport(std::unique_ptr<AppCommand> command) {
  store_.Submit(std::make_unique<DrivenCommand>(*this, std::move(command), /*answer_first=*/true));
}

void Roller::DoInstance(std::unique_ptr<AppCommand> command, bool wake) {
  if (wake) command = std::make_unique<WakingCommand>(*this, std::move(command));
  store_.Submit(std::move(command));
}

void Roller::DoInstanceAndLook(std::unique_ptr<AppCommand> command) {
  const ProcessGuid& guid = command->header().guid;
  if (!leading_ || apps_.contains(guid)) return DoInstance(std::move(command), /*wake=*/true);
  apps_[guid].running = true;
  store_.Submit(std::make_unique<DrivenStart>(*this, std::move(command)));
}

void Roller::TellAnew(const std::string& name, const ProcessGuid& guid, const std::string& actor,
                      std::function<void()> done) {
  Do(std::make_unique<TellAnewCommand>(CommandHeader{.name = name, .guid = guid, .actor = actor, .full_snapshot = true},
                                       std::move(done)));
}

void Roller::Followed(const Effects& effects, TimePoint decided_at) {
  if (!leading_) return;
  metrics_.Count("baton_plan_steps_total", {}, effects.plan.steps);
  const auto keep = [&](std::set<ProcessGuid>& set, bool in) {
    in ? void(set.insert(effects.guid)) : void(set.erase(effects.guid));
  };
  keep(open_, effects.roll_open);
  metrics_.Set("baton_rolls_open", static_cast<double>(open_.size()));
  keep(moving_, !effects.to_place.empty() || !effects.to_stop.empty() || effects.plan.wake_up_at.has_value());
  for (const ActualId& id : effects.plan.overdue) {
    log_.Error("stop_overdue", {{"app", effects.guid.str()}, {"actual_id", id.str()}});
    metrics_.Count("baton_stops_overdue_total");
  }
  if (effects.plan.wake_up_at) {
    // A little late rather than early: what is asked a millisecond too soon is asked twice.
    WakeLater(effects.guid,
              std::max<Duration>(milliseconds(1), *effects.plan.wake_up_at - decided_at + milliseconds(1)));
  }
  follow_(effects);
}

}  // namespace baton
