#include "tools/web/live/events_log.h"

#include <algorithm>
#include <vector>

#include "tools/web/calls/gateway.h"

namespace baton::web {

const std::string& EventsLog::Entry::Json() const {
  if (json.empty()) json = MessageJson(event);
  return json;
}

void EventsLog::Add(const v2::Event& event) {
  if (!entries_.empty() && event.sequence() <= entries_.back().event.sequence()) return;  // told again
  entries_.push_back({event, {}});
  if (entries_.size() > kKept) entries_.pop_front();
}

void EventsView::Show(Viewer& viewer, bool whole) {
  const bool first = whole || shown_ < 0;
  std::vector<const EventsLog::Entry*> rows;
  for (auto entry = log_.entries().rbegin(); entry != log_.entries().rend(); ++entry) {
    if (first ? rows.size() >= kFirst : entry->event.sequence() <= shown_) break;
    if (Takes(entry->event)) rows.push_back(&*entry);
  }
  if (!first && rows.empty()) return;
  std::string text = "{\"first\":" + std::string(first ? "true" : "false") + ",\"rows\":[";
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) text += (row == rows.rbegin() ? "" : ",") + (*row)->Json();
  shown_ = log_.entries().empty() ? 0 : log_.entries().back().event.sequence();
  viewer.Send("events", text + "]}", shown_);
}

bool EventsView::Takes(const v2::Event& event) const {
  if (!guid_.empty() && event.process_guid() != guid_) return false;
  if (kinds_.empty()) return true;
  return kinds_.contains(event.kind()) || kinds_.contains(event.kind().substr(0, event.kind().find('_')));
}

}  // namespace baton::web
