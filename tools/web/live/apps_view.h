// The fleet's list: a window of it, then what changes in that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/web/fleet/fleet_table.h"
#include "tools/web/fleet/window.h"
#include "tools/web/live/view.h"

namespace baton::web {

class AppsView final : public View {
 public:
  // `listing` is brought up to date before each Show, and shared by all pages that show the same.
  AppsView(const FleetTable& table, std::shared_ptr<const Listing> listing, std::size_t offset, std::size_t limit)
      : table_(table), listing_(std::move(listing)), offset_(offset), limit_(limit) {}

  void Show(Viewer& viewer, bool whole) override;

 private:
  const FleetTable& table_;
  std::shared_ptr<const Listing> listing_;
  std::size_t offset_;
  std::size_t limit_;
  std::size_t total_ = 0;
  std::vector<std::string> shown_;  // guids, in order
};

}  // namespace baton::web
