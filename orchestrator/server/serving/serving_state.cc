#include "orchestrator/server/serving/serving_state.h"

#include <algorithm>

namespace baton {
namespace {

constexpr Duration kSoon = milliseconds(100);   // another is about to lead
constexpr Duration kLater = milliseconds(250);  // ask who leads
constexpr Duration kMuchLater = seconds(2);     // a migration takes its time

// A lease that is about to end unrenewed has another leader after it.
Duration AskAgainIn(Serving state, const std::optional<LeaseView>& leader) {
  if (state == Serving::kMigrating) return kMuchLater;
  if (state != Serving::kStandby && state != Serving::kElecting) return kSoon;
  return leader && leader->running ? std::clamp(leader->remaining, kSoon / 2, kLater) : kLater;
}

std::string About(Serving state, const std::string& text) {
  switch (state) {
    case Serving::kStandby: return "this batond stands by";
    case Serving::kCheckingVersion: return "this batond was elected and looks at the data's version";
    case Serving::kMigrating: return text.empty() ? "this batond migrates the data" : text;
    case Serving::kLoading: return "this batond was elected and loads what it needs";
    case Serving::kDraining:
    case Serving::kStopped: return "this batond stops";
    default: return "no batond leads at the moment";
  }
}

}  // namespace

ServingState::ServingState(Log& log, Metrics& metrics) : log_(log), metrics_(metrics) {
  metrics_.Set("baton_serving_state", 1, std::string(Name(state_)));
}

bool ServingState::Tell(ServingEvent event, const std::string& why) {
  Serving before;
  Serving after;
  {
    const std::lock_guard lock(mutex_);
    const auto next = Advance(state_, event);
    if (!next) return false;
    before = std::exchange(state_, *next);
    after = *next;
    text_ = why;
  }
  log_.Info("serving_state", {{"state", Name(after)}, {"before", Name(before)}, {"by", Name(event)}, {"why", why}});
  metrics_.Set("baton_serving_state", 0, std::string(Name(before)));
  metrics_.Set("baton_serving_state", 1, std::string(Name(after)));
  if (changed_) changed_(after);
  return true;
}

void ServingState::Say(const std::string& what) {
  const std::lock_guard lock(mutex_);
  text_ = what;
}

Serving ServingState::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::string ServingState::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

Status ServingState::Check(const std::optional<LeaseView>& leader) const {
  const std::lock_guard lock(mutex_);
  if (AcceptsWrites(state_)) return Done{};
  const bool known = leader && leader->running && !leader->address.empty();
  std::string message = About(state_, text_);
  std::string takes_calls;
  if (known && (state_ == Serving::kStandby || state_ == Serving::kElecting)) {
    message = "this batond stands by; " + leader->address + " leads";
    takes_calls = leader->address;
  }
  if (state_ == Serving::kStandby && !text_.empty()) message += " (" + text_ + ")";
  return Error{ErrorKind::kUnavailable, message, AskAgainIn(state_, leader), takes_calls};
}

}  // namespace baton
