// baton.v2 takes at most 1,000 guids in a call, baton.v1 (as Diego) any number: its list is several of v2's, one behind the
// other.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace baton::transform {

inline constexpr int kGuidsInACall = 1000;

// The calls of v2 that together answer `request`; at least one. A guid that is named twice is asked for once, and the
// guids rise over all calls, so that the whole list is in the order of v2's.
template <class Request>
std::deque<Request> InBatches(Request request) {
  std::deque<Request> batches;
  if constexpr (requires { request.mutable_process_guids(); }) {
    if (request.process_guids_size() > kGuidsInACall) {
      std::vector<std::string> guids(request.process_guids().begin(), request.process_guids().end());
      request.clear_process_guids();
      std::ranges::sort(guids);
      guids.erase(std::ranges::unique(guids).begin(), guids.end());
      for (std::string& guid : guids) {
        if (batches.empty() || batches.back().process_guids_size() == kGuidsInACall) batches.push_back(request);
        batches.back().add_process_guids(std::move(guid));
      }
      return batches;
    }
  }
  batches.push_back(std::move(request));
  return batches;
}

}  // namespace baton::transform
