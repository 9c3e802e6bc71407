#include "tests/sim/outbox.h"

#include "tests/sim/leadership.h"
#include "tests/sim/world.h"

namespace baton::sim {
namespace {

constexpr Duration kMoment = seconds(2);

}  // namespace

Outbox::Writer Outbox::Insert(const ProcessGuid& guid, std::size_t events) {
  Open open{guid, {}};
  for (std::size_t i = 0; i < events; ++i) open.sequences.push_back(++last_);
  const Writer writer = std::to_string(++writers_);
  open_.emplace(writer, std::move(open));
  return writer;
}

void Outbox::Commit(const Writer& writer) {
  const Open open = open_.at(writer);
  open_.erase(writer);
  for (const std::int64_t sequence : open.sequences) rows_[sequence] = {open.guid, ++commits_[open.guid], world_.now()};
  WakeAll();
}

EventGaps::Writers Outbox::Writers() const {
  EventGaps::Writers writers;
  for (const auto& [writer, open] : open_) writers.insert(writer);
  return writers;
}

void Outbox::Follow(Leadership& leadership) {
  Tail& tail = tails_[leadership.range()];
  tail.leadership = &leadership;
  ++tail.reign;
  tail.looks = false;
  tail.end = last_;
  tail.before_end = Writers();
  tail.gaps = EventGaps();
  LookSoon(tail);
}

void Outbox::WakeAll() {
  for (auto& [range, tail] : tails_) LookSoon(tail);
}

// Between the two statements of a look others may commit.
void Outbox::LookSoon(Tail& tail) {
  if (tail.looks) return;
  tail.looks = true;
  world_.After(world_.Ms(1, 100), [this, &tail, reign = tail.reign] {
    if (reign != tail.reign) return;
    world_.After(world_.Ms(0, 5), [this, &tail, reign, before = Writers()] {
      if (reign != tail.reign) return;
      tail.looks = false;
      if (!tail.leadership->Answers()) return LookSoon(tail);
      if (tail.end) FindEnd(tail);
      const bool waits = tail.end || !Take(tail, before);
      Tell(tail);
      if (waits) LookSoon(tail);
    });
  });
}

// Everyone who had a sequence up to there has to be gone.
void Outbox::FindEnd(Tail& tail) {
  const EventGaps::Writers writers = Writers();
  std::erase_if(tail.before_end, [&](const Writer& writer) { return !writers.contains(writer); });
  if (!tail.before_end.empty()) return;
  tail.settled = *tail.end;
  tail.end.reset();
}

bool Outbox::Take(Tail& tail, const EventGaps::Writers& before) {
  for (auto row = rows_.upper_bound(tail.settled); row != rows_.end(); ++row) {
    if (row->first > tail.settled + 1 && !world_.Planted(Bug::kEventsPassGaps)) {
      if (!tail.gaps.IsDead(tail.settled + 1, before, [this] { return Writers(); })) return false;
      tail.gaps.Forget();
    }
    tail.settled = row->first;
  }
  return true;
}

void Outbox::Tell(Tail& tail) {
  for (auto row = rows_.upper_bound(tail.told); row != rows_.end() && row->first <= tail.settled; ++row) {
    int& last = tail.commits_told[row->second.guid];
    if (row->second.commit != last + 1) {
      world_.Broken("events: " + tail.leadership->lease() + " tells event " + std::to_string(row->second.commit) +
                    " of " + row->second.guid.str() + " after " + std::to_string(last));
    }
    last = row->second.commit;
    tail.told = row->first;
  }
}

void Outbox::AtEnd() {
  for (const auto& [range, tail] : tails_) {
    const auto next = rows_.upper_bound(tail.told);
    if (tail.leadership->away() || next == rows_.end() || next->second.at + kMoment > world_.now()) continue;
    world_.Broken("events at the end: " + tail.leadership->lease() + " told up to " + std::to_string(tail.told) +
                  " of " + std::to_string(rows_.rbegin()->first));
  }
}

}  // namespace baton::sim
