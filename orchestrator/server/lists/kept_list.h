// The rows of a list as its last reader left them, in chunks; the next reader asks the database what was written since
// (docs/decisions/0057). Of several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/ports/metrics.h"
#include "orchestrator/server/lists/packed_rows.h"

namespace baton {

// Where a list's rows come from.
class ListSource {
 public:
  virtual ~ListSource() = default;
  // Rows behind a place, which moves on; so many at most.
  virtual Result<Page<ListedRow>> Read(ListPlace& after, int limit) = 0;
  virtual Result<ChunkSince<ListedRow>> Since(const KeptChunk& chunk, int most) = 0;
};

// What is kept of all lists together.
struct ListMemory {
  std::size_t bytes_max = 0;
  std::atomic<std::size_t> bytes = 0;
};

class KeptList {
 public:
  using Clock = std::chrono::steady_clock;

  // A chunk is read anew after this time, or up to half as much more: not all of them at once. It bounds for how long a
  // definition that somebody deletes by hand is shown (its foreign key forbids it), and transactions' numbers do not
  // come again before.
  static constexpr auto kKept = std::chrono::minutes(10);

  // `rows`: of a chunk, at most. `memory` and `metrics` outlive it.
  KeptList(ListMemory& memory, Metrics& metrics, int rows) : memory_(memory), metrics_(metrics), rows_(rows) {}
  ~KeptList();
  KeptList(const KeptList&) = delete;
  KeptList& operator=(const KeptList&) = delete;

  // The list's next rows behind that place, at most so many as a chunk has: of one instant, and of now.
  struct Next {
    ListedRows rows;
    std::vector<BrokenRow> broken;
    ListPlace after;  // where the next ones begin
    bool last = false;
  };
  Result<Next> Read(ListSource& source, const ListPlace& after, Clock::time_point now);

  // Whether a list of this domain is better read from here: half of what is here is of it, or nothing is here yet.
  // Empty: of all domains.
  bool Serves(const std::string& domain) const;

  void DropOld(Clock::time_point now);
  std::int64_t rows() const;

 private:
  struct Chunk {
    std::optional<ListPlace> last;
    ReadMark mark;
    PackedRows rows;
    int count;
    std::map<std::string, std::int64_t> domains;  // how many rows are of each
    Clock::time_point until;
  };
  using Chunks = std::map<ListPlace, std::shared_ptr<const Chunk>>;  // by the place behind which they begin

  std::shared_ptr<const Chunk> Find(const ListPlace& after, Clock::time_point now) const;
  // With the next one it is no larger than one may be: both are forgotten.
  bool JoinsWithNext(const ListPlace& after, const Chunk& chunk);
  std::optional<Result<Next>> ReadKept(ListSource& source, const ListPlace& after, const Chunk& chunk);
  Result<Next> ReadAnew(ListSource& source, const ListPlace& after, Clock::time_point now);
  // Where there is memory for it. `rows`: all behind `after` up to `last`.
  void Keep(const ListPlace& after, const ListedRows& rows, const std::optional<ListPlace>& last, const ReadMark& mark,
            Clock::time_point until);
  // With the lock. Whatever has one of these rows.
  void Forget(const ListPlace& after, const std::optional<ListPlace>& last);
  void Erase(Chunks::iterator chunk);
  void Count(const Chunk& chunk, int sign);

  ListMemory& memory_;
  Metrics& metrics_;
  const int rows_;
  mutable std::mutex mutex_;  // of all below
  Chunks chunks_;
  std::map<std::string, std::int64_t> domains_;
  std::int64_t count_ = 0;
};

// The rows of a chunk as they are now: those that were written take the places of those that were kept.
ListedRows Merged(ListedRows kept, ListedRows written, const std::vector<ListPlace>& removed);

}  // namespace baton
