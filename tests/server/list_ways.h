// Each list of baton.v2 in two ways: of all apps, which is read from what batond keeps of it, and of apps that are
// named, which is read from rows (docs/decisions/0057).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/server/running_service.h"

namespace baton {

using Shown = std::map<std::string, std::string>;  // a row by its key

struct ListWay {
  std::function<Shown(const std::string& domain)> kept;
  std::function<Shown(const std::vector<std::string>& guids)> read;
};

struct ListedApps {
  static v2::ListDesiredLRPsResponse Page() { return {}; }
  static const auto& Rows(const v2::ListDesiredLRPsResponse& page) { return page.desired_lrps(); }
  static std::string Key(const v2::DesiredLRP& row) { return row.process_guid(); }
};
struct ListedInfos {
  static v2::ListSchedulingInfosResponse Page() { return {}; }
  static const auto& Rows(const v2::ListSchedulingInfosResponse& page) { return page.scheduling_infos(); }
  static std::string Key(const v2::DesiredLRPSchedulingInfo& row) { return row.process_guid(); }
};
struct ListedInstances {
  static v2::ListActualLRPsResponse Page() { return {}; }
  static const auto& Rows(const v2::ListActualLRPsResponse& page) { return page.actual_lrps(); }
  static std::string Key(const v2::ActualLRP& row) { return row.process_guid() + "/" + row.actual_id(); }
};

template <class Request, class Open, class Take>
Shown ReadList(const Request& request, Open open, Take take, std::set<std::string>* unreadable) {
  Shown shown;
  const auto context = Context();
  const auto stream = open(context.get(), request);
  for (auto page = take.Page(); stream->Read(&page);) {
    for (const auto& row : take.Rows(page)) EXPECT_TRUE(shown.emplace(take.Key(row), row.DebugString()).second);
    for (const auto& row : page.unreadable()) {
      if (unreadable) unreadable->insert(row.row());
    }
  }
  const grpc::Status end = stream->Finish();
  EXPECT_TRUE(end.ok()) << end.error_message();
  return shown;
}

template <class Request, class Open, class Take>
ListWay WayOf(Open open, Take take, std::set<std::string>* unreadable) {
  return {.kept =
              [=](const std::string& domain) {
                Request request;
                request.set_domain(domain);
                return ReadList(request, open, take, unreadable);
              },
          .read =
              [=](const std::vector<std::string>& guids) {
                constexpr std::size_t kNamed = 1000;  // of a request, at most
                Shown all;
                for (std::size_t i = 0; i < guids.size(); i += kNamed) {
                  Request request;
                  for (std::size_t k = i; k < std::min(guids.size(), i + kNamed); ++k)
                    request.add_process_guids(guids[k]);
                  all.merge(ReadList(request, open, take, unreadable));
                }
                return all;
              }};
}

// `stubs` outlives them. `unreadable`: takes the names of rows that cannot be read; null: nobody asks.
inline std::vector<ListWay> ListWays(Stubs& stubs, std::set<std::string>* unreadable = nullptr) {
  return {
      WayOf<v2::ListDesiredLRPsRequest>([&stubs](auto* c, const auto& r) { return stubs.apps->ListDesiredLRPs(c, r); },
                                        ListedApps(), unreadable),
      WayOf<v2::ListDesiredLRPsRequest>(
          [&stubs](auto* c, const auto& r) { return stubs.apps->ListSchedulingInfos(c, r); }, ListedInfos(),
          unreadable),
      WayOf<v2::ListActualLRPsRequest>([&stubs](auto* c, const auto& r) { return stubs.lrps->ListActualLRPs(c, r); },
                                       ListedInstances(), unreadable)};
}

inline void ExpectSame(const Shown& kept, const Shown& read, const std::string& after) {
  EXPECT_EQ(kept.size(), read.size()) << after;
  for (const auto& [key, row] : read) {
    const auto at = kept.find(key);
    ASSERT_TRUE(at != kept.end()) << key << ", " << after;
    ASSERT_EQ(at->second, row) << key << ", " << after;
  }
}

}  // namespace baton
