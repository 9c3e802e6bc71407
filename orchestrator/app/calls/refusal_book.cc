#include "orchestrator/app/calls/refusal_book.h"

#include <algorithm>
#include <utility>

#include "orchestrator/model/calls/actor.h"

namespace baton {
namespace {

constexpr char kOtherActors[] = "";  // no actor's name

}  // namespace

RefusalBook::Bucket RefusalBook::Filled(const Bucket& bucket, const Rate& rate, Time now) {
  if (bucket.at == Time()) return {rate.at_once, now};
  const double gained = std::chrono::duration<double>(now - bucket.at) / std::chrono::duration<double>(rate.one_each);
  return {std::min(rate.at_once, bucket.left + gained), now};
}

bool RefusalBook::Take(Actor& actor, Time now) {
  actor.bucket = Filled(actor.bucket, limits_.actor, now);
  all_ = Filled(all_, limits_.all, now);
  if (actor.bucket.left < 1 || all_.left < 1 || due_.size() >= limits_.due_max) return false;
  --actor.bucket.left;
  --all_.left;
  return true;
}

RefusalBook::Actor& RefusalBook::Find(const std::string& name, Time now) {
  if (const auto known = actors_.find(name); known != actors_.end()) return known->second;
  if (actors_.size() >= limits_.actors_max) {
    std::erase_if(actors_, [&](const auto& known) {
      const Actor& actor = known.second;
      return !actor.last && Filled(actor.bucket, limits_.actor, now).left >= limits_.actor.at_once;
    });
  }
  const bool room = actors_.size() < limits_.actors_max;
  return actors_.try_emplace(room ? name : kOtherActors, Actor{{limits_.actor.at_once, now}, std::nullopt}).first->second;
}

bool RefusalBook::Add(AuditEntry entry, Time now) {
  // Keyed by the certificate if there is one: a caller can claim another name with each call.
  const baton::Actor who = ReadActor(entry.actor);
  Actor& actor = Find(who.identity.empty() ? who.said : who.identity, now);
  if (!actor.last && Take(actor, now)) {
    due_.push_back({std::move(entry), now});
    return true;
  }
  if (actor.last) ++actor.left_out;
  actor.last = Due{std::move(entry), now};
  return false;
}

std::vector<RefusedWrite> RefusalBook::TakeDue(Time now, bool all) {
  for (auto& [name, actor] : actors_) {
    if (!actor.last || !(all || Take(actor, now))) continue;
    Due due = *std::exchange(actor.last, std::nullopt);
    due.entry.left_out = std::exchange(actor.left_out, 0);
    due_.push_back(std::move(due));
  }
  std::ranges::stable_sort(due_, {}, &Due::at);
  std::vector<RefusedWrite> taken;
  for (Due& due : due_) {
    taken.push_back({std::move(due.entry), std::chrono::duration_cast<Duration>(now - due.at)});
  }
  due_.clear();
  return taken;
}

void RefusalBook::Clear() {
  due_.clear();
  actors_.clear();
}

}  // namespace baton
