// One definition as it is listed: what it is kept for, by whom, until when. Pure; the decision itself is WhyKept's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/roll/rules/collect.h"
#include "tools/definitions/snapshot.h"

namespace baton::definitions {

struct Holder {
  ActualId id;
  int index = 0;
  Presence presence = Presence::kOrdinary;
  LrpState state = LrpState::kUnclaimed;
  CellId cell_id;
  std::string placement_error;  // why it has no cell, in the cells' words; empty: it has one, or was not refused
};

struct DefinitionRecord {
  ProcessGuid guid;
  std::string domain;  // empty: the app is not desired, or not in this incarnation
  DefinitionKey key;
  std::string content_hash;
  std::vector<KeepReason> kept_for;  // empty: collectable
  RollId roll_id;                    // of the roll that it is source or target of
  std::vector<Holder> holders;       // by actual id
  // Kept for history: it goes once so many more have been proven after it and were replaced.
  std::optional<int> goes_after;
  std::string why;  // one sentence: why it stays, or why nothing keeps it
  TimePoint created_at;
  std::optional<TimePoint> proven_at;
  bool pinned = false;
  Duration age{0};
  std::int64_t size_bytes = 0;

  bool collectable() const { return kept_for.empty(); }
};

// In the order of incarnation and identifier.
std::vector<DefinitionRecord> RecordsOf(const DumpedApp& app, int history, TimePoint now);

}  // namespace baton::definitions
