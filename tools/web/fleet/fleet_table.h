// All apps, as told by one subscription to batond's events: a snapshot, then what changes. Pure: messages in, rows out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "baton/v2/events_service.pb.h"
#include "tools/web/fleet/app_row.h"
#include "tools/web/fleet/names.h"

namespace baton::web {

// Sums over all apps.
struct FleetCounts {
  std::int64_t apps = 0;
  std::int64_t wanted = 0;
  std::int64_t served = 0;
  std::int64_t ready = 0;
  std::int64_t rolls = 0;
  std::int64_t held = 0;
  std::int64_t rolling_back = 0;
  std::int64_t waiting = 0;
  std::int64_t trouble = 0;
  std::int64_t unserved = 0;  // slots
  std::int64_t cells = 0;
  std::int64_t cells_present = 0;
  std::int64_t cells_draining = 0;
  std::string worst;  // "shop: held: ..." of the app that asks most to be looked at, from kTrouble on

  bool operator==(const FleetCounts&) const = default;
};

class FleetTable {
 public:
  // A new snapshot begins: what it does not tell until its end is gone.
  void BeginSnapshot();
  // A snapshot is on its way: the rows are not whole.
  bool loading() const { return loading_; }
  void Apply(const v2::SubscribeResponse& message);

  // Counts anew what has changed, and rolls whose time matters. The rows that are other than at the last call; those of
  // apps that are gone are empty(), and are there until Forget.
  const std::vector<AppRow*>& Settle(std::int64_t now);
  void Forget();

  const AppRow* Find(const std::string& guid) const;
  const FleetCounts& counts() const { return counts_; }
  Names& names() { return names_; }
  std::vector<const AppRow*> All() const;
  // Of the newest event that is in the rows.
  std::int64_t sequence() const { return sequence_; }

 private:
  AppRow& RowOf(const std::string& guid);
  void Touch(AppRow& row);
  void Page(const v2::SnapshotPage& page);
  void Happened(const v2::Event& event);
  void EndSnapshot();
  void Add(const AppRow& row, int sign);
  void CountCells();

  std::unordered_map<std::string, std::unique_ptr<AppRow>> rows_;
  Names names_;
  std::vector<AppRow*> touched_;
  std::vector<AppRow*> changed_;
  std::map<std::string, v2::Cell> cells_;
  std::set<AppRow*> rolling_;
  std::set<std::pair<int, std::string>> worst_;  // -attention, guid
  FleetCounts counts_;
  std::int64_t sequence_ = 0;
  bool loading_ = true;
};

}  // namespace baton::web
