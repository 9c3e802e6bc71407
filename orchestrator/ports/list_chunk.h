// A part of a list that its reader has kept, and what became of it since (docs/decisions/0057).
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

// Where a row stands in a list. Of apps: without an id.
struct ListPlace {
  ProcessGuid guid;
  ActualId id = {};

  auto operator<=>(const ListPlace&) const = default;
};

// When rows were read, as the database counts that: for who gave it, and nobody else.
struct ReadMark {
  std::string horizon;
  std::string store;  // another one counts by itself
};

// All rows behind `after`, up to `last`.
struct KeptChunk {
  ListPlace after;
  std::optional<ListPlace> last;  // nothing: up to the list's end
  std::vector<ListPlace> rows;    // in their order
  ReadMark mark;
};

// What became of a chunk. With the other rows that were kept it is what a read of all of it would give.
template <class Row>
struct ChunkSince {
  bool anew = false;               // it is to be read as if nothing were known of it; all else is empty then
  std::vector<Row> written;        // since the mark, or maybe before; in their order
  std::vector<ListPlace> removed;  // in their order
  ReadMark mark;
};

}  // namespace baton
