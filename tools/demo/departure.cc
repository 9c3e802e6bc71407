#include "tools/demo/departure.h"

#include <algorithm>

namespace baton::demo {
namespace {

constexpr std::int64_t kNanosInMs = 1'000'000;

bool WasDrained(const v2::Event& event) {
  return event.kind() == "actual_removed" && event.actual_before().presence() == v2::RETIRING;
}

}  // namespace

std::vector<Departure> DeparturesIn(const std::vector<v2::Event>& events, const load::InstanceSpans& spans,
                                    std::int64_t load_started_at) {
  std::vector<Departure> departures;
  for (const v2::Event& event : events) {
    if (!WasDrained(event)) continue;
    const std::string& guid = event.actual_before().instance_key().instance_guid();
    const auto found = spans.find(guid);
    if (found == spans.end()) continue;
    const load::InstanceSpan& span = found->second;
    departures.push_back({.instance_guid = guid,
                          .version = span.version,
                          .index = span.index,
                          .drain_ms = span.last_answer_ms - span.last_due_ms,
                          .wait_ms = (event.at() - load_started_at) / kNanosInMs - span.last_answer_ms,
                          .gone_at = event.at()});
  }
  return departures;
}

std::optional<std::int64_t> LongestWaitMs(const std::vector<Departure>& departures) {
  if (departures.empty()) return std::nullopt;
  return std::ranges::max(departures, {}, &Departure::wait_ms).wait_ms;
}

}  // namespace baton::demo
