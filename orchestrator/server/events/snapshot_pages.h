// Everything that there is, page by page, for a subscriber that begins with it.
#pragma once

#include "baton/v2/events_service.pb.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/server/events/event_filter.h"

namespace baton {

class SnapshotPages {
 public:
  explicit SnapshotPages(EventFilter filter) : filter_(std::move(filter)), domains_(DomainsIn(filter_)) {}

  bool done() const { return family_ == kFamilies; }
  // The next page, which may be empty.
  Status Next(Reader& reader, v2::SnapshotPage& page);

 private:
  static constexpr int kFamilies = 5;
  static constexpr int kFamiliesOfApps = 3;  // the first: each is read for one domain after the other
  static std::vector<std::string> DomainsIn(const EventFilter& filter);
  Status Desired(Reader& reader, v2::SnapshotPage& page);
  Status Actuals(Reader& reader, v2::SnapshotPage& page);
  Status Rolls(Reader& reader, v2::SnapshotPage& page);
  Status Cells(Reader& reader, v2::SnapshotPage& page);
  Status Domains(Reader& reader, v2::SnapshotPage& page);
  void NextPart();

  EventFilter filter_;
  std::vector<std::string> domains_;  // "": all of them
  std::size_t domain_ = 0;
  int family_ = 0;
  ProcessGuid after_;
  ActualId after_actual_;
};

}  // namespace baton
