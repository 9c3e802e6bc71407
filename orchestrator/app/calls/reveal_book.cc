#include "orchestrator/app/calls/reveal_book.h"

#include <algorithm>
#include <utility>

#include "orchestrator/model/calls/actor.h"

namespace baton {
namespace {

constexpr char kOtherCallers[] = "";  // not the name of any caller

// Keyed by the certificate if there is one: a caller can claim another name with each call.
std::string KeyOf(const AuditEntry& entry) {
  const Actor actor = ReadActor(entry.actor);
  return (actor.identity.empty() ? actor.said : actor.identity + ' ' + actor.on_behalf) + '\n' + entry.method;
}

}  // namespace

bool RevealBook::Add(AuditEntry entry, Rows rows, Time now) {
  if (rows == Rows::kOneAnHour || due_.size() >= limits_.due_max) return Count(std::move(entry), now);
  due_.push_back({std::move(entry), now});
  return true;
}

bool RevealBook::Count(AuditEntry entry, Time now) {
  std::string key = KeyOf(entry);
  auto hour = hours_.find(key);
  if (hour == hours_.end()) {
    const bool named = hours_.size() < limits_.callers_max;
    hour = hours_.try_emplace(named ? std::move(key) : kOtherCallers, Hour{now, 0, {}}).first;
    if (named && due_.size() < limits_.due_max) return due_.push_back({std::move(entry), now}), true;
  }
  ++hour->second.many;
  hour->second.last = {std::move(entry), now};
  return false;
}

std::vector<RefusedWrite> RevealBook::TakeDue(Time now, bool all) {
  for (auto at = hours_.begin(); at != hours_.end();) {
    Hour& hour = at->second;
    const bool over = now - hour.begun >= limits_.window || all;
    if (over && hour.many == 0) {
      at = hours_.erase(at);
      continue;
    }
    if (over) {
      hour.last.entry.left_out = hour.many - 1;
      due_.push_back(std::move(hour.last));
      hour = Hour{now, 0, {}};  // the row begins the next one
    }
    ++at;
  }
  std::ranges::stable_sort(due_, {}, &Due::at);
  std::vector<RefusedWrite> taken;
  for (Due& due : due_) taken.push_back({std::move(due.entry), std::chrono::duration_cast<Duration>(now - due.at)});
  due_.clear();
  return taken;
}

void RevealBook::Clear() {
  due_.clear();
  hours_.clear();
}

}  // namespace baton
