#include "orchestrator/server/events/event_filter.h"

#include <algorithm>
#include <map>

#include "orchestrator/model/event.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

std::string FamilyOf(const std::string& kind) { return kind.substr(0, kind.find('_')); }

// Every word that `kinds` takes, with the kinds that it means.
const std::map<std::string, std::set<std::string>>& Words() {
  static const auto kWords = [] {
    std::map<std::string, std::set<std::string>> words;
    for (int i = 0; i < kEventKinds; ++i) {
      const std::string kind(Name(static_cast<EventKind>(i)));
      words[kind].insert(kind);
      words[FamilyOf(kind)].insert(kind);
    }
    words["crashed"].insert("actual_crashed");
    return words;
  }();
  return kWords;
}

}  // namespace

bool EventFilter::Takes(const EventFrame& frame) const {
  if (!guid.empty() && frame.guid != guid) return false;
  // Of an app: a cell's events are of no domain, and a domain's name is for everybody.
  if (!mine.all && !frame.guid.empty() && !mine.Has(frame.domain)) return false;
  // An event without a known domain passes every domain filter.
  if (!domain.empty() && !frame.domain.empty() && frame.domain != domain) return false;
  if (!cell.empty() && std::ranges::find(frame.cells, cell) == frame.cells.end()) return false;
  return kinds.empty() || kinds.contains(frame.kind);
}

bool EventFilter::TakesFamily(const std::string& family) const {
  return kinds.empty() || std::ranges::any_of(kinds, [&](const auto& kind) { return FamilyOf(kind) == family; });
}

Result<EventFilter> FilterFrom(const v2::SubscribeRequest& request) {
  EventFilter filter{request.process_guid(), request.domain(), request.cell_id(), {}, {.all = true}};
  if (!filter.guid.empty()) {
    if (Status s = wire::CheckName("process_guid", filter.guid); !s) return s.error();
  }
  if (Status s = wire::CheckText("domain", filter.domain, wire::kNameBytesMax); !s) return s.error();
  if (!filter.cell.empty()) {
    if (Status s = wire::CheckName("cell_id", filter.cell); !s) return s.error();
  }
  for (const std::string& word : request.kinds()) {
    const auto known = Words().find(word);
    if (known == Words().end()) {
      std::string all;
      for (const auto& [name, kinds] : Words()) all += (all.empty() ? "" : ", ") + name;
      return Error{ErrorKind::kInvalidArgument, "kinds holds " + wire::Shown(word) + "; it takes " + all, {}};
    }
    filter.kinds.insert(known->second.begin(), known->second.end());
  }
  return filter;
}

}  // namespace baton
