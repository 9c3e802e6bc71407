// The table of events, and a follower of its end in each leadership that passes gaps by the product's rule
// (sql/read/event_gaps.h). One sequence for all apps: what one leader's transaction has taken, every follower waits
// for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/id.h"
#include "sql/read/event_gaps.h"

namespace baton::sim {

class Leadership;
class World;

class Outbox {
 public:
  explicit Outbox(World& world) : world_(world) {}

  // A transaction's INSERT: it takes its sequences now, and they are seen when it commits, or never.
  using Writer = std::string;
  Writer Insert(const ProcessGuid& guid, std::size_t events);
  void Commit(const Writer& writer);
  void RollBack(const Writer& writer) { open_.erase(writer); }

  // A leader of it was elected: it looks for the end anew, and its subscriber goes on where it was.
  void Follow(Leadership& leadership);
  // Everybody knows everything that is older than a moment.
  void AtEnd();

 private:
  struct Row {
    ProcessGuid guid;
    int commit = 0;  // the app's so many-th event, by the order of its commits
    TimePoint at;
  };
  struct Open {
    ProcessGuid guid;
    std::vector<std::int64_t> sequences;
  };
  struct Tail {
    Leadership* leadership = nullptr;
    int reign = 0;
    bool looks = false;
    std::optional<std::int64_t> end;  // that was given out when it was elected; nothing: found
    EventGaps::Writers before_end;
    std::int64_t settled = 0;
    EventGaps gaps;
    std::int64_t told = 0;  // the subscriber's place
    std::map<ProcessGuid, int> commits_told;
  };
  EventGaps::Writers Writers() const;
  void WakeAll();
  void LookSoon(Tail& tail);
  void FindEnd(Tail& tail);
  // False: it waits at a gap.
  bool Take(Tail& tail, const EventGaps::Writers& before);
  void Tell(Tail& tail);

  World& world_;
  std::int64_t last_ = 0;
  int writers_ = 0;
  std::map<Writer, Open> open_;
  std::map<std::int64_t, Row> rows_;  // committed
  std::map<ProcessGuid, int> commits_;
  std::map<int, Tail> tails_;  // by range
};

}  // namespace baton::sim
