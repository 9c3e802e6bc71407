#include "tools/batond/candidate.h"

#include <utility>

namespace baton::batond {
namespace {

using Steady = std::chrono::steady_clock;

constexpr auto kLook = std::chrono::seconds(5);

}  // namespace

Status Candidate::MayStand() {
  const auto duty = keeper_.Look();
  if (!duty) return duty.error();
  duty_ = *duty;
  return duty_ == VersionDuty::kServe ? CheckKeys() : Status(Done{});
}

// The leader may have made a key active that is not here. That is said at once, and not only when it has to be
// followed.
Status Candidate::CheckKeys() {
  const Status fit = keys_.MayLead();
  if (!fit && fit.error().kind == ErrorKind::kUnavailable) return fit;
  const std::string trouble = fit ? "" : fit.error().message;
  if (trouble != std::exchange(keys_trouble_, trouble) && !trouble.empty()) {
    log_.Warn(
        "key_missing",
        {{"why", trouble}, {"todo", "mend this batond's key file (--keys) and restart it: until then it cannot lead"}});
  }
  return fit;
}

void Candidate::StandBy() {
  if (Steady::now() >= next_look_) Look();
  leader_.StandBy(may_lead_);  // each time: whoever has just led lets go of it a moment later
}

void Candidate::Look() {
  next_look_ = Steady::now() + kLook;
  const Status may = MayStand();
  if (!may && may.error().kind == ErrorKind::kUnavailable) return;  // that says nothing about it
  may_lead_ = may.ok() && duty_ == VersionDuty::kServe;
  if (!may_lead_) return;
  // A connection takes longer than what is asked over it.
  keeper_.StandBy();
  upgrader_.StandBy();
  registry_.ReadEgress([](const auto&) {});
}

}  // namespace baton::batond
