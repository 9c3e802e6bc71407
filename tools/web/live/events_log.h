// The newest events, for pages that follow them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>

#include "baton/v2/event.pb.h"
#include "tools/web/live/view.h"

namespace baton::web {

class EventsLog {
 public:
  static constexpr std::size_t kKept = 1000;

  struct Entry {
    v2::Event event;
    mutable std::string json;  // made when a page first shows it
    const std::string& Json() const;
  };

  void Add(const v2::Event& event);
  // Oldest first, by sequence.
  const std::deque<Entry>& entries() const { return entries_; }

 private:
  std::deque<Entry> entries_;
};

// Those of one app and of some kinds; empty: of all.
class EventsView final : public View {
 public:
  static constexpr std::size_t kFirst = 200;

  EventsView(const EventsLog& log, std::string guid, std::set<std::string> kinds)
      : log_(log), guid_(std::move(guid)), kinds_(std::move(kinds)) {}
  void Show(Viewer& viewer, bool whole) override;

 private:
  bool Takes(const v2::Event& event) const;

  const EventsLog& log_;
  std::string guid_;
  std::set<std::string> kinds_;
  std::int64_t shown_ = -1;
};

}  // namespace baton::web
