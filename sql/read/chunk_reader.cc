#include "sql/read/chunk_reader.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "sql/read/list_reader.h"

namespace baton {
namespace {

constexpr char kBehindAllGuids[] = "\xF4\x8F\xBF\xBF";  // the last character that there is

using Keys = std::set<std::string, std::less<>>;

Keys KeysIn(const Rows::Row& row, Column column) {
  std::vector<std::string> keys = row.Array(column);
  return {std::make_move_iterator(keys.begin()), std::make_move_iterator(keys.end())};
}

// Where a chunk lies, as parameters.
std::vector<Param> BoundsOf(const KeptChunk& chunk, bool with_ids) {
  const ListPlace last = chunk.last.value_or(ListPlace{ProcessGuid(kBehindAllGuids)});
  if (!with_ids) return {chunk.after.guid.str(), last.guid.str()};
  return {chunk.after.guid.str(), chunk.after.id.str(), last.guid.str(), last.id.str()};
}

// What its rows are known by: an app's guid, an instance's id.
const std::string& KeyOf(const ListPlace& place, bool with_ids) { return with_ids ? place.id.str() : place.guid.str(); }

// How many rows were not written since the mark.
std::size_t Unwritten(const KeptChunk& chunk, const Keys& written, bool with_ids) {
  return static_cast<std::size_t>(std::ranges::count_if(
      chunk.rows, [&](const ListPlace& place) { return !written.contains(KeyOf(place, with_ids)); }));
}

std::vector<ListPlace> Without(const std::vector<ListPlace>& rows, const Keys& there, bool with_ids) {
  std::vector<ListPlace> removed;
  std::ranges::copy_if(rows, std::back_inserter(removed),
                       [&](const ListPlace& place) { return !there.contains(KeyOf(place, with_ids)); });
  return removed;
}

// Of which list the chunk is.
struct ListOf {
  const char* since;
  const char* keys;
  bool with_ids;
};

// All but the rows themselves; their keys, and what else the statement gave.
template <class Row>
struct Looked {
  ChunkSince<Row> since;
  Keys written;
  Rows rows;
};

// Who has written a row since has left his number there. So of the rows without one there are as many as were kept, but
// for those that were removed.
template <class Row>
Looked<Row> Look(Session& s, const ListOf& list, const KeptChunk& chunk, int most) {
  const std::vector<Param> bounds = BoundsOf(chunk, list.with_ids);
  std::vector<Param> params = bounds;
  params.insert(params.end(), {chunk.mark.horizon, chunk.mark.store});
  Looked<Row> looked{.rows = s.Run(list.since, params)};
  const Rows::Row row = looked.rows[0];
  looked.written = KeysIn(row, "written");
  ChunkSince<Row>& since = looked.since;
  const std::size_t unwritten = static_cast<std::size_t>(row.Int("there")) - looked.written.size();
  const std::size_t kept = Unwritten(chunk, looked.written, list.with_ids);
  since.anew = row.Bool("of_another") || looked.written.size() > static_cast<std::size_t>(most) || unwritten > kept;
  if (since.anew) return looked;
  since.mark = MarkOf(row);
  if (unwritten < kept) {
    Keys there = KeysIn(s.Run(list.keys, bounds)[0], "there");
    since.removed = Without(chunk.rows, there, list.with_ids);
  }
  return looked;
}

// A page of rows that were asked for by their keys: in order. What cannot be read is not kept, so all is read anew.
template <class Row, class Place>
void Take(Page<Row> page, Place place, ChunkSince<Row>& since) {
  if (!page.broken.empty()) {
    since = {.anew = true};
    return;
  }
  std::ranges::sort(page.rows, {}, place);
  since.written = std::move(page.rows);
}

}  // namespace

Result<ChunkSince<DesiredRead>> ReadDesiredSince(Session& s, const KeptChunk& chunk, int most) {
  auto looked = Look<DesiredRead>(s, {"DesiredSince", "DesiredThere", false}, chunk, most);
  if (looked.since.anew) return looked.since;
  Keys guids = std::move(looked.written);
  guids.merge(KeysIn(looked.rows[0], "redefined"));
  if (guids.empty()) return looked.since;
  auto page = ReadDesiredByGuid(s, std::vector<ProcessGuid>(guids.begin(), guids.end()));
  if (!page) return page.error();
  for (DesiredRead& row : page->rows) row.open_roll = RollId();  // lists have none
  Take(*std::move(page), &DesiredRead::guid, looked.since);
  return looked.since;
}

Result<ChunkSince<ActualRead>> ReadActualsSince(Session& s, const KeptChunk& chunk, int most) {
  auto looked = Look<ActualRead>(s, {"ActualsSince", "ActualsThere", true}, chunk, most);
  if (looked.since.anew || looked.written.empty()) return looked.since;
  ArrayParam ids;
  for (const std::string& id : looked.written) ids.Text(id);
  Page<ActualRead> page;
  for (const auto row : s.Run("ReadActualsById", {ids.str()})) TakeActual(row, s.cipher(), page);
  const auto place = [](const ActualRead& read) { return ListPlace{read.guid, read.lrp.id}; };
  Take(std::move(page), place, looked.since);
  if (looked.since.anew) return looked.since;
  std::set<ListPlace> places;
  std::ranges::transform(looked.since.written, std::inserter(places, places.end()), place);
  // Of an instance that somebody gave to another app: it is not where it was.
  std::ranges::copy_if(chunk.rows, std::back_inserter(looked.since.removed), [&](const ListPlace& row) {
    return looked.written.contains(row.id.str()) && !places.contains(row);
  });
  std::ranges::sort(looked.since.removed);
  return looked.since;
}

}  // namespace baton
