#include "tools/web/fleet/fleet_table.h"

#include <algorithm>

namespace baton::web {

void FleetTable::BeginSnapshot() {
  loading_ = true;
  for (auto& [guid, row] : rows_) {
    row->Reset();
    row->news = true;
    Touch(*row);
  }
  cells_.clear();
}

void FleetTable::Apply(const v2::SubscribeResponse& message) {
  if (message.has_snapshot()) Page(message.snapshot());
  for (const v2::Event& event : message.events()) Happened(event);
  sequence_ = std::max(sequence_, message.sequence());
  if (message.snapshot_complete()) {
    loading_ = false;
    CountCells();
  }
}

void FleetTable::Page(const v2::SnapshotPage& page) {
  for (const auto& info : page.desired_lrps()) RowOf(info.process_guid()).Set(info);
  for (const auto& lrp : page.actual_lrps()) RowOf(lrp.process_guid()).Put(InstanceOf(lrp, names_));
  for (const auto& roll : page.rolls()) RowOf(roll.process_guid()).SetRoll(roll);
  for (const auto& cell : page.cells()) cells_[cell.cell_id()] = cell;
}

void FleetTable::Happened(const v2::Event& event) {
  if (event.unreadable()) return;
  if (event.has_desired_after()) {
    RowOf(event.process_guid()).Set(event.desired_after());
  } else if (event.has_desired_before()) {
    RowOf(event.process_guid()).Undesire();
  }
  if (event.has_actual_after()) {
    RowOf(event.process_guid()).Put(InstanceOf(event.actual_after(), names_));
  } else if (event.has_actual_before()) {
    RowOf(event.process_guid()).Drop(event.actual_before().actual_id());
  }
  if (event.has_roll()) RowOf(event.process_guid()).SetRoll(event.roll());
  if (event.has_cell()) {
    cells_[event.cell().cell_id()] = event.cell();
    if (!loading_) CountCells();
  }
}

AppRow& FleetTable::RowOf(const std::string& guid) {
  std::unique_ptr<AppRow>& row = rows_[guid];
  if (!row) row = std::make_unique<AppRow>(guid);
  row->news = true;
  Touch(*row);
  return *row;
}

void FleetTable::Touch(AppRow& row) {
  if (std::exchange(row.touched, true)) return;
  touched_.push_back(&row);
}

const std::vector<AppRow*>& FleetTable::Settle(std::int64_t now) {
  for (AppRow* row : rolling_) Touch(*row);
  for (AppRow* row : touched_) {
    row->touched = false;
    const AppRow::Numbers before = row->numbers();
    Add(*row, -1);
    row->Count(now, names_);
    Add(*row, +1);
    row->roll() ? (void)rolling_.insert(row) : (void)rolling_.erase(row);
    if (!row->news && row->numbers() == before) continue;  // only time went by
    row->news = false;
    row->changed = true;
    changed_.push_back(row);
  }
  touched_.clear();
  counts_.worst.clear();
  if (!worst_.empty()) {
    const AppRow* worst = Find(worst_.begin()->second);
    counts_.worst = worst->guid() + ": " + worst->Why();
  }
  return changed_;
}

void FleetTable::Forget() {
  for (AppRow* row : changed_) {
    row->changed = false;
    if (!row->empty()) continue;
    rolling_.erase(row);
    rows_.erase(row->guid());
  }
  changed_.clear();
}

const AppRow* FleetTable::Find(const std::string& guid) const {
  const auto found = rows_.find(guid);
  return found == rows_.end() ? nullptr : found->second.get();
}

std::vector<const AppRow*> FleetTable::All() const {
  std::vector<const AppRow*> all;
  all.reserve(rows_.size());
  for (const auto& [guid, row] : rows_) all.push_back(row.get());
  return all;
}

void FleetTable::Add(const AppRow& row, int sign) {
  const AppRow::Numbers& n = row.numbers();
  counts_.apps += sign * n.desired;
  counts_.wanted += sign * n.wanted;
  counts_.served += sign * n.served;
  counts_.ready += sign * n.ready;
  counts_.unserved += sign * (n.wanted - n.served);
  counts_.rolls += sign * (n.roll != v2::ROLL_STATE_UNSPECIFIED);
  counts_.held += sign * (n.attention == Attention::kHeld);
  counts_.rolling_back += sign * (n.attention == Attention::kRollingBack);
  counts_.waiting += sign * (n.attention == Attention::kWaiting);
  counts_.trouble += sign * (n.attention == Attention::kTrouble);
  if (n.attention < Attention::kTrouble) return;
  const std::pair key(-static_cast<int>(n.attention), row.guid());
  sign > 0 ? (void)worst_.insert(key) : (void)worst_.erase(key);
}

void FleetTable::CountCells() {
  counts_.cells = static_cast<std::int64_t>(cells_.size());
  counts_.cells_present =
      std::ranges::count_if(cells_, [](const auto& entry) { return entry.second.state() == "PRESENT"; });
  counts_.cells_draining = std::ranges::count_if(cells_, [](const auto& entry) { return entry.second.draining(); });
}

}  // namespace baton::web
