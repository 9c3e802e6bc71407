#include "orchestrator/app/leader/routed_copy.h"

#include <algorithm>
#include <utility>

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kPage = 1000;
constexpr Duration kLook = seconds(1);
constexpr int kRestsFor = 20;  // times as long as a look took: a standby takes no more of the database than that
constexpr Duration kRestsMost = seconds(10);
constexpr Duration kAtOpenWriters = milliseconds(200);
constexpr Duration kReadAgainAfter = milliseconds(200);
constexpr Duration kAtOtherData = seconds(5);

}  // namespace

RoutedCopy::RoutedCopy(MakeApps make_apps, Into into, Loop& loop, Log& log, Metrics& metrics)
    : make_apps_(std::move(make_apps)), into_(std::move(into)), loop_(loop), log_(log), metrics_(metrics),
      ticker_(Ticker::kUntilWoken, [this] { return Tick(); }) {}

void RoutedCopy::StandBy() {
  const std::lock_guard lock(mutex_);
  if (wanted_ == Wanted::kNothing) Wish(Wanted::kCopy, /*keep=*/false, {});
}

void RoutedCopy::Lead(bool keep, Complete complete) {
  const std::lock_guard lock(mutex_);
  Wish(Wanted::kAll, keep && wanted_ == Wanted::kCopy, std::move(complete));
}

void RoutedCopy::Drop() {
  const std::lock_guard lock(mutex_);
  if (wanted_ != Wanted::kNothing) Wish(Wanted::kNothing, /*keep=*/false, {});
}

// Under the lock. Several may come within one tick, which blocks while the database does: none of them is lost.
void RoutedCopy::Wish(Wanted wanted, bool keep, Complete complete) {
  wanted_ = wanted;
  complete_ = std::move(complete);
  forget_ = forget_ || !keep;
  wished_ = true;
  ticker_.Wake();
}

Ticker::Wait RoutedCopy::Tick() {
  bool forget = false;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(wished_, false)) {
      doing_ = wanted_;
      read_ = 0;
    }
    forget = std::exchange(forget_, false);
  }
  if (forget) Forget();  // not under the lock: a page that is read ahead is waited for, and so is the database
  if (doing_ == Wanted::kNothing) return Ticker::kUntilWoken;
  if (!apps_) apps_ = make_apps_();
  switch (have_) {
    case Have::kNothing: return Begin();
    case Have::kSome: return ReadPage();
    case Have::kCopy: return CatchUp();
  }
  return Ticker::kUntilWoken;
}

void RoutedCopy::Forget() {
  have_ = Have::kNothing;
  apps_.reset();
  metrics_.Set("baton_standby_copy", 0);
}

Ticker::Wait RoutedCopy::Begin() {
  of_before_ = !Leads();
  if (of_before_) {
    const auto begun = apps_->Begin();
    if (!begun) return Failed(begun.error());
    if (!*begun) return kAtOpenWriters;
  }
  loop_.Post(into_.clear);
  after_ = ProcessGuid();
  have_ = Have::kSome;
  return Ticker::Wait(0);
}

Ticker::Wait RoutedCopy::ReadPage() {
  const auto began = Steady::now();
  auto page = apps_->ReadPage(after_, kPage, /*ahead=*/Leads());
  if (!page) return Failed(page.error());
  Take(std::move(page->apps), page->broken);
  if (page->next) {
    after_ = *page->next;
    return Leads() ? Ticker::Wait(0) : Steady::now() - began;
  }
  have_ = Have::kCopy;
  return Ticker::Wait(0);
}

Ticker::Wait RoutedCopy::CatchUp() {
  if (!of_before_) return Completed();
  const auto began = Steady::now();
  auto written = apps_->Since();
  if (!written) return Failed(written.error());
  if (written->anew) return Forget(), Ticker::Wait(0);
  Take(std::move(written->apps), written->broken);
  if (Leads()) return Completed();
  metrics_.Set("baton_standby_copy", 1);
  return std::clamp<Ticker::Wait>(kRestsFor * (Steady::now() - began), kLook, kRestsMost);
}

// It is the leader's from here on, who follows its own commits.
Ticker::Wait RoutedCopy::Completed() {
  Complete complete;
  {
    const std::lock_guard lock(mutex_);
    if (wished_) return Ticker::Wait(0);
    complete = std::exchange(complete_, {});
  }
  doing_ = Wanted::kNothing;
  Forget();
  loop_.Post([complete = std::move(complete), read = read_] { complete(read); });
  return Ticker::kUntilWoken;
}

Ticker::Wait RoutedCopy::Failed(const Error& error) {
  metrics_.Set("baton_standby_copy", 0);
  if (Leads()) log_.Warn("loading_failed", {{"error", error.message}});
  if (Leads()) return kReadAgainAfter;
  if (error.kind == ErrorKind::kFailedPrecondition) return kAtOtherData;
  if (!std::exchange(failing_, true)) log_.Warn("standby_copy_failed", {{"error", error.message}});
  return kLook;
}

void RoutedCopy::Take(std::vector<AppState> apps, const std::vector<std::string>& broken) {
  failing_ = false;
  for (const std::string& what : broken) log_.Error("app_quarantined", {{"fault", what}});
  if (Leads()) read_ += static_cast<std::int64_t>(apps.size());
  loop_.Post([this, apps = std::make_shared<const std::vector<AppState>>(std::move(apps))] {
    for (const AppState& app : *apps) into_.take(app);
  });
}

}  // namespace baton
