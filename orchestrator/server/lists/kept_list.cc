#include "orchestrator/server/lists/kept_list.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

constexpr std::size_t kChunkBytesMax = std::size_t{64} << 20;  // before it is packed: a larger one is not kept
constexpr std::size_t kChunkBytes = 512;                       // beside its rows and domains
constexpr std::size_t kDomainBytes = 96;                       // beside its name

std::vector<ListPlace> PlacesOf(const ListedRows& rows) {
  std::vector<ListPlace> places;
  places.reserve(rows.size());
  std::ranges::transform(rows, std::back_inserter(places), &ListedRow::place);
  return places;
}

std::map<std::string, std::int64_t> DomainsOf(const ListedRows& rows) {
  std::map<std::string, std::int64_t> domains;
  for (const ListedRow& row : rows) ++domains[row.domain];
  return domains;
}

}  // namespace

ListedRows Merged(ListedRows kept, ListedRows written, const std::vector<ListPlace>& removed) {
  std::erase_if(kept, [&](const ListedRow& row) {
    return std::ranges::binary_search(removed, row.place) ||
           std::ranges::binary_search(written, row.place, {}, &ListedRow::place);
  });
  ListedRows merged;
  merged.reserve(kept.size() + written.size());
  std::ranges::merge(
      std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()),
      std::make_move_iterator(written.begin()), std::make_move_iterator(written.end()), std::back_inserter(merged), {},
      [](const ListedRow& row) -> const ListPlace& { return row.place; },
      [](const ListedRow& row) -> const ListPlace& { return row.place; });
  return merged;
}

KeptList::~KeptList() {
  while (!chunks_.empty()) Erase(chunks_.begin());
}

Result<KeptList::Next> KeptList::Read(ListSource& source, const ListPlace& after, Clock::time_point now) {
  const auto chunk = Find(after, now);
  if (chunk && !JoinsWithNext(after, *chunk)) {
    if (auto next = ReadKept(source, after, *chunk)) return *std::move(next);
  }
  return ReadAnew(source, after, now);
}

bool KeptList::Serves(const std::string& domain) const {
  if (domain.empty()) return true;
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return memory_.bytes < memory_.bytes_max / 2;
  const auto at = domains_.find(domain);
  return at != domains_.end() && 2 * at->second >= count_;
}

std::shared_ptr<const KeptList::Chunk> KeptList::Find(const ListPlace& after, Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  const auto at = chunks_.find(after);
  return at == chunks_.end() || at->second->until <= now ? nullptr : at->second;
}

bool KeptList::JoinsWithNext(const ListPlace& after, const Chunk& chunk) {
  if (!chunk.last) return false;
  const std::lock_guard lock(mutex_);
  const auto next = chunks_.find(*chunk.last);
  // Well below what one may have, or it would be cut in two soon.
  if (next == chunks_.end() || chunk.count + next->second->count > rows_ / 2) return false;
  Erase(next);
  if (const auto at = chunks_.find(after); at != chunks_.end()) Erase(at);
  return true;
}

std::optional<Result<KeptList::Next>> KeptList::ReadKept(ListSource& source, const ListPlace& after,
                                                         const Chunk& chunk) {
  KeptChunk kept{.after = after, .last = chunk.last, .rows = {}, .mark = chunk.mark};
  Next next{.rows = chunk.rows.Unpack(), .broken = {}, .after = chunk.last.value_or(after), .last = !chunk.last};
  kept.rows = PlacesOf(next.rows);
  auto since = source.Since(kept, rows_);
  if (!since) return since.error();
  if (since->anew) return std::nullopt;
  metrics_.Count("baton_list_chunks_total", "kept");
  if (since->written.empty() && since->removed.empty()) return next;
  next.rows = Merged(std::move(next.rows), std::move(since->written), since->removed);
  if (static_cast<int>(next.rows.size()) <= rows_) {
    Keep(after, next.rows, chunk.last, since->mark, chunk.until);
    return next;
  }
  // Too many for one: two halves.
  const auto half = next.rows.begin() + static_cast<std::ptrdiff_t>(next.rows.size() / 2);
  const ListedRows second(std::make_move_iterator(half), std::make_move_iterator(next.rows.end()));
  next.rows.erase(half, next.rows.end());
  next.after = next.rows.back().place;
  next.last = false;
  Keep(after, next.rows, next.after, since->mark, chunk.until);
  Keep(next.after, second, chunk.last, since->mark, chunk.until);
  return next;
}

Result<KeptList::Next> KeptList::ReadAnew(ListSource& source, const ListPlace& after, Clock::time_point now) {
  Next next{.rows = {}, .broken = {}, .after = after, .last = false};
  auto page = source.Read(next.after, rows_);
  if (!page) return page.error();
  metrics_.Count("baton_list_chunks_total", "read");
  next.rows = std::move(page->rows);
  next.broken = std::move(page->broken);
  next.last = page->last;
  {
    const std::lock_guard lock(mutex_);
    if (!next.broken.empty()) {  // such a row has no place here: it is read each time
      Forget(after, next.last ? std::nullopt : std::optional(next.after));
      return next;
    }
    // It ends where another one begins: the others stay as they are.
    const auto behind = next.last ? chunks_.end() : chunks_.upper_bound(next.after);
    if (behind != chunks_.begin() && std::prev(behind)->first > after) {
      next.after = std::prev(behind)->first;
      next.last = false;
      std::erase_if(next.rows, [&](const ListedRow& row) { return row.place > next.after; });
    }
  }
  const auto more =
      std::chrono::minutes(std::hash<std::string>()(after.guid.str() + after.id.str()) % (kKept.count() / 2 + 1));
  Keep(after, next.rows, next.last ? std::nullopt : std::optional(next.after), page->mark, now + kKept + more);
  return next;
}

void KeptList::Keep(const ListPlace& after, const ListedRows& rows, const std::optional<ListPlace>& last,
                    const ReadMark& mark, Clock::time_point until) {
  std::shared_ptr<const Chunk> chunk;
  if (BytesOf(rows) <= kChunkBytesMax) {
    chunk = std::make_shared<const Chunk>(last, mark, PackedRows(rows), static_cast<int>(rows.size()), DomainsOf(rows),
                                          until);
  }
  const std::lock_guard lock(mutex_);
  Forget(after, last);
  if (!chunk) return;
  Count(*chunk, 1);
  const auto [at, fresh] = chunks_.emplace(after, std::move(chunk));
  CHECK(fresh);
  if (memory_.bytes > memory_.bytes_max) Erase(at);
}

void KeptList::DropOld(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (auto at = chunks_.begin(); at != chunks_.end();) {
    const auto chunk = at++;
    if (chunk->second->until <= now) Erase(chunk);
  }
}

std::int64_t KeptList::rows() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void KeptList::Forget(const ListPlace& after, const std::optional<ListPlace>& last) {
  auto at = chunks_.lower_bound(after);
  if (at != chunks_.begin()) {
    const auto before = std::prev(at);
    if (!before->second->last || *before->second->last > after) Erase(before);
  }
  while (at != chunks_.end() && (!last || at->first < *last)) Erase(at++);
}

void KeptList::Erase(Chunks::iterator chunk) {
  Count(*chunk->second, -1);
  chunks_.erase(chunk);
}

void KeptList::Count(const Chunk& chunk, int sign) {
  count_ += sign * chunk.count;
  std::size_t bytes = chunk.rows.bytes() + kChunkBytes;
  for (const auto& [domain, count] : chunk.domains) {
    bytes += kDomainBytes + domain.size();
    if ((domains_[domain] += sign * count) == 0) domains_.erase(domain);
  }
  sign > 0 ? memory_.bytes += bytes : memory_.bytes -= bytes;
  metrics_.Set("baton_list_memory_bytes", static_cast<double>(memory_.bytes));
}

}  // namespace baton
