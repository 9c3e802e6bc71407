// A table of a list, in memory, that counts its writes and says what was written since, as a database does.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/server/lists/kept_list.h"

namespace baton {

inline std::string Guid(int number) { return "app-" + std::to_string(1000 + number); }

// A mark is how many writes there were.
class CountedTable final : public ListSource {
 public:
  void Write(const std::string& guid, const std::string& message, const std::string& domain = "d") {
    rows_[guid] = {{{ProcessGuid(guid)}, domain, message}, ++writes_};
  }
  void Remove(const std::string& guid) { rows_.erase(guid); }
  void Break(const std::string& guid) { broken_.insert(guid); }
  void Mend(const std::string& guid) { broken_.erase(guid); }
  void BecomeAnother() { server_ = ++servers_; }
  std::vector<std::string> Guids() const {
    std::vector<std::string> guids;
    for (const auto& [guid, row] : rows_) guids.push_back(guid);
    return guids;
  }
  ListedRows Rows(const std::string& domain = {}) const {
    ListedRows rows;
    for (const auto& [guid, row] : rows_) {
      if (!broken_.contains(guid) && (domain.empty() || row.row.domain == domain)) rows.push_back(row.row);
    }
    return rows;
  }

  Result<Page<ListedRow>> Read(ListPlace& after, int limit) override {
    ++read;
    Page<ListedRow> page{.rows = {}, .broken = {}, .last = true, .mark = Mark()};
    int count = 0;
    for (auto at = rows_.upper_bound(after.guid.str()); at != rows_.end(); ++at) {
      if (++count > limit) return page.last = false, page;
      after = at->second.row.place;
      if (broken_.contains(at->first))
        page.broken.push_back({at->first, "app " + at->first, "broken"});
      else
        page.rows.push_back(at->second.row);
    }
    page.last = count < limit;
    return page;
  }

  Result<ChunkSince<ListedRow>> Since(const KeptChunk& chunk, int most) override {
    ++since;
    ChunkSince<ListedRow> now{.mark = Mark()};
    if (chunk.mark.store != now.mark.store) return ChunkSince<ListedRow>{.anew = true};
    for (const auto& [guid, row] : rows_) {
      if (guid <= chunk.after.guid.str() || (chunk.last && guid > chunk.last->guid.str())) continue;
      if (row.written <= std::stoi(chunk.mark.horizon)) continue;
      if (broken_.contains(guid)) return ChunkSince<ListedRow>{.anew = true};
      now.written.push_back(row.row);
    }
    for (const ListPlace& place : chunk.rows) {
      if (!rows_.contains(place.guid.str())) now.removed.push_back(place);
    }
    if (static_cast<int>(now.written.size()) > most) return ChunkSince<ListedRow>{.anew = true};
    written += static_cast<int>(now.written.size());
    return now;
  }

  int read = 0;     // pages
  int since = 0;    // chunks
  int written = 0;  // rows of these

 private:
  struct Row {
    ListedRow row;
    int written;
  };
  ReadMark Mark() const { return {std::to_string(writes_), std::to_string(server_)}; }

  std::map<std::string, Row> rows_;
  std::set<std::string> broken_;
  int writes_ = 0;
  static inline int servers_ = 0;
  int server_ = ++servers_;
};

// A table that several threads read and write.
class SharedTable final : public ListSource {
 public:
  explicit SharedTable(CountedTable& table, std::mutex& mutex) : table_(table), mutex_(mutex) {}
  Result<Page<ListedRow>> Read(ListPlace& after, int limit) override {
    const std::lock_guard lock(mutex_);
    return table_.Read(after, limit);
  }
  Result<ChunkSince<ListedRow>> Since(const KeptChunk& chunk, int most) override {
    const std::lock_guard lock(mutex_);
    return table_.Since(chunk, most);
  }

 private:
  CountedTable& table_;
  std::mutex& mutex_;
};

}  // namespace baton
