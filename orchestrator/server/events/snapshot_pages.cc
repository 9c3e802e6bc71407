#include "orchestrator/server/events/snapshot_pages.h"

#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr int kPage = 500;

}  // namespace

Status SnapshotPages::Next(Reader& reader, v2::SnapshotPage& page) {
  using Read = Status (SnapshotPages::*)(Reader&, v2::SnapshotPage&);
  struct Family {
    const char* name;
    Read read;
  };
  static constexpr Family kAll[kFamilies] = {{"desired", &SnapshotPages::Desired},
                                             {"actual", &SnapshotPages::Actuals},
                                             {"roll", &SnapshotPages::Rolls},
                                             {"cell", &SnapshotPages::Cells},
                                             {"domain", &SnapshotPages::Domains}};
  const Family& family = kAll[family_];
  const bool of_apps = family_ < kFamiliesOfApps;
  if (filter_.TakesFamily(family.name) && !(of_apps && domains_.empty())) return (this->*family.read)(reader, page);
  domain_ = domains_.size();
  NextPart();
  return Done{};
}

std::vector<std::string> SnapshotPages::DomainsIn(const EventFilter& filter) {
  if (filter.mine.all) return {filter.domain};
  if (filter.domain.empty()) return {filter.mine.names.begin(), filter.mine.names.end()};
  return filter.mine.Has(filter.domain) ? std::vector<std::string>{filter.domain} : std::vector<std::string>();
}

void SnapshotPages::NextPart() {
  after_ = ProcessGuid();
  after_actual_ = ActualId();
  if (family_ < kFamiliesOfApps && ++domain_ < domains_.size()) return;
  ++family_;
  domain_ = 0;
}

Status SnapshotPages::Desired(Reader& reader, v2::SnapshotPage& page) {
  if (!filter_.cell.empty()) return NextPart(), Done{};
  DesiredFilter filter{.domain = domains_[domain_], .guids = {}, .scheduling_only = true};
  if (!filter_.guid.empty()) filter.guids.emplace_back(filter_.guid);
  const auto rows = reader.ListDesired(filter, after_, kPage);
  if (!rows) return rows.error();
  for (const DesiredRead& row : rows->rows) {
    wire::FillSchedulingInfo(row.guid, row.desired, row.active, *page.add_desired_lrps());
  }
  AddUnreadable(rows->broken, page);
  if (rows->last) NextPart();
  return Done{};
}

Status SnapshotPages::Actuals(Reader& reader, v2::SnapshotPage& page) {
  const ActualFilter filter{.domain = domains_[domain_],
                            .guid = ProcessGuid(filter_.guid),
                            .cell = CellId(filter_.cell),
                            .index = std::nullopt};
  const auto rows = reader.ListActuals(filter, after_, after_actual_, kPage);
  if (!rows) return rows.error();
  for (const ActualRead& row : rows->rows) *page.add_actual_lrps() = wire::ToMessage(row.guid, row.lrp);
  AddUnreadable(rows->broken, page);
  if (rows->last) NextPart();
  return Done{};
}

Status SnapshotPages::Rolls(Reader& reader, v2::SnapshotPage& page) {
  if (!filter_.cell.empty()) return NextPart(), Done{};
  const auto rows = reader.ListOpenRolls(domains_[domain_], after_, kPage);
  if (!rows) return rows.error();
  for (const RollRead& row : rows->rows) {
    if (filter_.guid.empty() || filter_.guid == row.guid.str()) *page.add_rolls() = wire::ToMessage(row.guid, row.roll);
  }
  AddUnreadable(rows->broken, page);
  if (rows->last) NextPart();
  return Done{};
}

Status SnapshotPages::Cells(Reader& reader, v2::SnapshotPage& page) {
  NextPart();
  if (!filter_.guid.empty()) return Done{};
  const auto cells = reader.ListCells();
  if (!cells) return cells.error();
  for (const CellRecord& cell : *cells) {
    if (filter_.cell.empty() || filter_.cell == cell.id.str()) *page.add_cells() = wire::ToMessage(cell);
  }
  return Done{};
}

Status SnapshotPages::Domains(Reader& reader, v2::SnapshotPage& page) {
  NextPart();
  if (!filter_.guid.empty() || !filter_.cell.empty()) return Done{};
  const auto domains = reader.ListDomains();
  if (!domains) return domains.error();
  for (const DomainRecord& domain : *domains) {
    if (filter_.domain.empty() || filter_.domain == domain.name) *page.add_domains() = wire::ToMessage(domain);
  }
  return Done{};
}

}  // namespace baton
