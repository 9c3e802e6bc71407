#include "tools/web/live/apps_view.h"

#include <algorithm>

#include "tools/web/fleet/row_json.h"

namespace baton::web {

void AppsView::Show(Viewer& viewer, bool whole) {
  const auto& rows = listing_->rows();
  const std::size_t begin = std::min(offset_, rows.size());
  const std::size_t end = std::min(begin + limit_, rows.size());
  std::vector<std::string> now;
  auto changed = nlohmann::ordered_json::array();
  for (std::size_t i = begin; i < end; ++i) {
    now.push_back(rows[i]->guid());
    if (rows[i]->changed) changed.push_back(RowJson(*rows[i]));
  }
  if (!whole && now == shown_ && rows.size() == total_) {
    if (!changed.empty()) viewer.Send("patch", Text({{"rows", changed}}), table_.sequence());
    return;
  }
  shown_ = std::move(now);
  total_ = rows.size();
  auto all = nlohmann::ordered_json::array();
  for (std::size_t i = begin; i < end; ++i) all.push_back(RowJson(*rows[i]));
  viewer.Send("window", Text({{"total", total_}, {"offset", begin}, {"rows", all}}), table_.sequence());
}

}  // namespace baton::web
